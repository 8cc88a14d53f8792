// Client transactions (RFC 3261, section 17.1), with the Accepted state of RFC 6026 for INVITE.
import { HeaderList } from "../message/header-list.ts";
import { createRequest, NO_BODY, type SipRequest, type SipResponse } from "../message/message.ts";
import { refusalLingerMs, transactionTimeoutMs } from "./timers.ts";
import { repeatDoubling, type TransactionContext } from "./transaction-parts.ts";
import type { Flow } from "../transport/flow.ts";

export interface ClientHandlers {
  provisional?(response: SipResponse): void;
  /** INVITE: called for every 2xx, including retransmissions and other forks. */
  final(response: SipResponse): void;
  /** There will be no final response. */
  failed(reason: "timeout" | "transport", detail: string): void;
}

export interface ClientTransaction {
  readonly request: SipRequest;
  readonly flow: Flow;
  receive(response: SipResponse): void;
  flowFailed(detail: string): void;
  /** Stops retransmission; responses are still processed. */
  fallSilent(): void;
  /** Drops the transaction without a report. */
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
  return new SentRequest(context, request, flow, handlers, terminated);
}

class SentRequest implements ClientTransaction {
  readonly request: SipRequest;
  readonly flow: Flow;
  readonly #context: TransactionContext;
  readonly #handlers: ClientHandlers;
  readonly #terminated: () => void;
  readonly #isInvite: boolean;
  #state: State = "calling";
  #stopRepeating = () => {};
  #cancelTimeout: () => void;

  constructor(
    context: TransactionContext,
    request: SipRequest,
    flow: Flow,
    handlers: ClientHandlers,
    terminated: () => void,
  ) {
    const { clock, timers, send } = context;
    this.request = request;
    this.flow = flow;
    this.#context = context;
    this.#handlers = handlers;
    this.#terminated = terminated;
    this.#isInvite = request.method === "INVITE";
    const noAnswer = () => this.#fail("timeout", "no answer to our request");
    this.#cancelTimeout = clock.after(transactionTimeoutMs(timers), noAnswer);
    if (!flow.isReliable) this.#repeat(timers.t1Ms, this.#isInvite ? Number.POSITIVE_INFINITY : timers.t2Ms);
    if (send(request, flow)) return;
    // Deferred like every other failure: the caller does not have this transaction yet.
    this.#cancelTimeout();
    this.#cancelTimeout = clock.after(0, () => this.#fail("transport", "the request could not be sent"));
  }

  receive(response: SipResponse): void {
    if (this.#state === "terminated") return;
    if (response.status < 200) this.#provisional(response);
    else if (!this.#isInvite) this.#final(response);
    else if (response.status < 300) this.#accepted(response);
    else this.#inviteRefused(response);
  }

  flowFailed(detail: string): void {
    this.#fail("transport", detail);
  }

  fallSilent(): void {
    this.#stopRepeating();
  }

  dispose(): void {
    if (this.#state === "terminated") return;
    this.#state = "terminated";
    this.#stopRepeating();
    this.#cancelTimeout();
    this.#terminated();
  }

  #isOpen(): boolean {
    return this.#state === "calling" || this.#state === "proceeding";
  }

  #provisional(response: SipResponse): void {
    if (!this.#isOpen()) return;
    if (this.#state === "calling" && this.#isInvite) {
      // From here the callee decides how long it rings; the user of this transaction sets the limit.
      this.#stopRepeating();
      this.#cancelTimeout();
    } else if (this.#state === "calling" && !this.flow.isReliable) {
      const { t2Ms } = this.#context.timers;
      this.#repeat(t2Ms, t2Ms);
    }
    this.#state = "proceeding";
    this.#handlers.provisional?.(response);
  }

  #final(response: SipResponse): void {
    if (this.#state === "completed") return;
    this.#linger("completed", this.flow.isReliable ? 0 : this.#context.timers.t4Ms);
    this.#handlers.final(response);
  }

  /** Every 2xx is reported, including retransmissions. */
  #accepted(response: SipResponse): void {
    if (this.#state === "completed") return;
    if (this.#state !== "accepted") this.#linger("accepted", transactionTimeoutMs(this.#context.timers));
    this.#handlers.final(response);
  }

  /** Every non-2xx final response is acknowledged, but reported once. */
  #inviteRefused(response: SipResponse): void {
    if (this.#state === "accepted") return;
    const { send, timers } = this.#context;
    send(ackOfRefusal(this.request, response), this.flow);
    if (this.#state === "completed") return;
    this.#linger("completed", this.flow.isReliable ? 0 : refusalLingerMs(timers));
    this.#handlers.final(response);
  }

  #linger(next: "accepted" | "completed", ms: number): void {
    this.#state = next;
    this.#stopRepeating();
    this.#cancelTimeout();
    this.#cancelTimeout = this.#context.clock.after(ms, () => this.dispose());
  }

  #repeat(firstMs: number, mostMs: number): void {
    const { clock, send } = this.#context;
    this.#stopRepeating();
    this.#stopRepeating = repeatDoubling(clock, firstMs, mostMs, () => send(this.request, this.flow));
  }

  #fail(reason: "timeout" | "transport", detail: string): void {
    const wasOpen = this.#isOpen();
    this.dispose();
    if (wasOpen) this.#handlers.failed(reason, detail);
  }
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
