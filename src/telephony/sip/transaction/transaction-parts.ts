// Context of transactions, and the keys that match messages to them (RFC 3261, section 17).
import type { Clock } from "../../../core/clock.ts";
import type { SipMessage, SipRequest } from "../message/message.ts";
import type { SipTimers } from "./timers.ts";
import type { Flow } from "../transport/flow.ts";

export interface TransactionContext {
  clock: Clock;
  timers: SipTimers;
  /** Writes to the wire and to the trace. */
  send: (message: SipMessage, flow: Flow) => boolean;
}

/** Prefix of every RFC 3261 branch; branches of older peers may not be unique. */
const MAGIC_COOKIE = "z9hG4bK";

export function clientKey(branch: string, method: string): string {
  return `${branch} ${method}`;
}

/** ACK and CANCEL match the INVITE under `INVITE`. */
export function serverKey(request: SipRequest, method = request.method): string {
  const branch = request.via.parameters["branch"] ?? "";
  const sentBy = `${request.via.host}:${request.via.port ?? ""}`;
  if (branch.startsWith(MAGIC_COOKIE)) return `${branch} ${sentBy} ${method}`;
  return `${request.callId} ${request.from.parameters["tag"] ?? ""} ${request.cseq.number} ${sentBy} ${method}`;
}

export function newBranch(randomText: string): string {
  return `${MAGIC_COOKIE}${randomText}`;
}

/** Repeats with doubling intervals up to a maximum, like timers A, E and G. */
export function repeatDoubling(clock: Clock, firstMs: number, mostMs: number, action: () => void): () => void {
  let waitMs = firstMs;
  let cancel = () => {};
  const arm = () => {
    cancel = clock.after(waitMs, () => {
      waitMs = Math.min(waitMs * 2, mostMs);
      // Armed first: the action may stop it.
      arm();
      action();
    });
  };
  arm();
  return () => cancel();
}
