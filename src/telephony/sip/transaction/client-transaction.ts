// Requests that we send: RFC 3261, section 17.1, with the Accepted state of RFC 6026 for INVITE.
import { HeaderList } from "../message/header-list.ts";
import { createRequest, NO_BODY, type SipRequest, type SipResponse } from "../message/message.ts";
import { refusalLingerMs, transactionTimeoutMs } from "./timers.ts";
import { repeatDoubling, type TransactionContext } from "./transaction-parts.ts";
import type { Flow } from "../transport/flow.ts";

export interface ClientHandlers {
  provisional?(response: SipResponse): void;
  /** INVITE: called for every 2xx, also repeated ones and those of other forks. */
  final(response: SipResponse): void;
  /** No final response will come. */
  failed(reason: "timeout" | "transport", detail: string): void;
}

export interface ClientTransaction {
  readonly request: SipRequest;
  readonly flow: Flow;
  receive(response: SipResponse): void;
  flowFailed(detail: string): void;
  /** Sends it no more; an answer to what was sent is still heard. */
  fallSilent(): void;
  /** Forgets it without a word. */
  dispose(): void;
}

type State = "calling" | "proceeding" | "accepted" | "completed" | "terminated";

export function startClientTransaction(
  context: TransactionContext,
  request: SipRequest,
  flow: Flow,
  handlers: ClientHandlers,
  terminated: () => void,
): ClientTransaction {
  const { clock, timers, send } = context;
  const isInvite = request.method === "INVITE";
  let state: State = "calling";
  let stopRepeating = () => {};
  let cancelTimeout = () => {};

  function terminate(): void {
    if (state === "terminated") return;
    state = "terminated";
    stopRepeating();
    cancelTimeout();
    terminated();
  }

  function fail(reason: "timeout" | "transport", detail: string): void {
    const isOpen = state === "calling" || state === "proceeding";
    terminate();
    if (isOpen) handlers.failed(reason, detail);
  }

  function linger(next: "accepted" | "completed", ms: number): void {
    state = next;
    stopRepeating();
    cancelTimeout();
    cancelTimeout = clock.after(ms, terminate);
  }

  function provisional(response: SipResponse): void {
    if (state !== "calling" && state !== "proceeding") return;
    if (state === "calling" && isInvite) {
      // From here the callee decides how long it rings; the caller of this transaction sets the limit.
      stopRepeating();
      cancelTimeout();
    } else if (state === "calling" && !flow.isReliable) {
      stopRepeating();
      stopRepeating = repeatDoubling(clock, timers.t2Ms, timers.t2Ms, () => send(request, flow));
    }
    state = "proceeding";
    handlers.provisional?.(response);
  }

  function inviteFinal(response: SipResponse): void {
    if (response.status < 300) {
      if (state === "completed") return;
      if (state !== "accepted") linger("accepted", transactionTimeoutMs(timers));
      handlers.final(response);
      return;
    }
    if (state === "accepted") return;
    send(ackOfRefusal(request, response), flow);
    if (state === "completed") return;
    linger("completed", flow.isReliable ? 0 : refusalLingerMs(timers));
    handlers.final(response);
  }

  function receive(response: SipResponse): void {
    if (state === "terminated") return;
    if (response.status < 200) provisional(response);
    else if (isInvite) inviteFinal(response);
    else if (state !== "completed") {
      linger("completed", flow.isReliable ? 0 : timers.t4Ms);
      handlers.final(response);
    }
  }

  cancelTimeout = clock.after(transactionTimeoutMs(timers), () => fail("timeout", "no answer to our request"));
  if (!flow.isReliable) {
    const mostMs = isInvite ? Number.POSITIVE_INFINITY : timers.t2Ms;
    stopRepeating = repeatDoubling(clock, timers.t1Ms, mostMs, () => send(request, flow));
  }
  if (!send(request, flow)) {
    // Reported later, as every other failure is: the caller does not hold this transaction yet.
    cancelTimeout();
    cancelTimeout = clock.after(0, () => fail("transport", "the request could not be sent"));
  }
  return {
    request,
    flow,
    receive,
    flowFailed: (detail) => fail("transport", detail),
    fallSilent: () => stopRepeating(),
    dispose: terminate,
  };
}

/** RFC 3261, section 17.1.1.3: same branch, same route, the To of the response. */
function ackOfRefusal(invite: SipRequest, response: SipResponse): SipRequest {
  const headers = new HeaderList();
  const topVia = invite.headers.all("via")[0] ?? "";
  headers.append("via", topVia);
  headers.append("max-forwards", "70");
  for (const route of invite.headers.all("route")) headers.append("route", route);
  headers.append("from", invite.headers.get("from") ?? "");
  headers.append("to", response.headers.get("to") ?? "");
  headers.append("call-id", invite.callId);
  headers.append("cseq", `${invite.cseq.number} ACK`);
  return createRequest({ method: "ACK", uri: invite.uri, headers, body: NO_BODY });
}
