// Server transactions (RFC 3261, section 17.2), with the Accepted state of RFC 6026 for INVITE.
import type { SipRequest, SipResponse } from "../message/message.ts";
import { transactionTimeoutMs } from "./timers.ts";
import { repeatDoubling, type TransactionContext } from "./transaction-parts.ts";
import type { Flow } from "../transport/flow.ts";

export interface ServerTransaction {
  readonly request: SipRequest;
  /** Destination of responses. */
  readonly flow: Flow;
  /** Nothing more is sent after a final response. The call itself retransmits a 2xx to INVITE until its ACK arrives. */
  respond(response: SipResponse): void;
  readonly isAnswered: boolean;
  /** The request was retransmitted. */
  repeated(): void;
  /** ACK to a non-2xx final response. */
  acknowledged(): void;
  dispose(): void;
}

type State = "trying" | "proceeding" | "accepted" | "completed" | "confirmed" | "terminated";

export function startServerTransaction(
  { clock, timers, send }: TransactionContext,
  request: SipRequest,
  flow: Flow,
  terminated: () => void,
): ServerTransaction {
  const isInvite = request.method === "INVITE";
  let state: State = "trying";
  let last: SipResponse | null = null;
  let stopRepeating = () => {};
  let cancelTimeout = () => {};

  function terminate(): void {
    if (state === "terminated") return;
    state = "terminated";
    stopRepeating();
    cancelTimeout();
    terminated();
  }

  function linger(ms: number): void {
    cancelTimeout();
    cancelTimeout = clock.after(ms, terminate);
  }

  function finish(response: SipResponse): void {
    if (isInvite && response.status < 300) {
      state = "accepted";
      linger(transactionTimeoutMs(timers));
      return;
    }
    state = "completed";
    if (isInvite && !flow.isReliable) {
      stopRepeating = repeatDoubling(clock, timers.t1Ms, timers.t2Ms, () => send(response, flow));
    }
    linger(isInvite || !flow.isReliable ? transactionTimeoutMs(timers) : 0);
  }

  return {
    request,
    flow,
    get isAnswered() {
      return state !== "trying" && state !== "proceeding";
    },
    respond(response) {
      if (state !== "trying" && state !== "proceeding") return;
      last = response;
      send(response, flow);
      if (response.status < 200) state = "proceeding";
      else finish(response);
    },
    repeated() {
      if (last && (state === "proceeding" || state === "completed")) send(last, flow);
    },
    acknowledged() {
      if (state !== "completed") return;
      state = "confirmed";
      stopRepeating();
      linger(flow.isReliable ? 0 : timers.t4Ms);
    },
    dispose: terminate,
  };
}
