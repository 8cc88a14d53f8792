// What every transaction is given, and the key by which messages find theirs (RFC 3261, section 17).
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

/** Every branch of RFC 3261 begins with this; older peers' branches may not be unique. */
const MAGIC_COOKIE = "z9hG4bK";

export function clientKey(branch: string, method: string): string {
  return `${branch} ${method}`;
}

/** ACK and CANCEL find the INVITE under `INVITE`. */
export function serverKey(request: SipRequest, method = request.method): string {
  const branch = request.via.parameters["branch"] ?? "";
  const sentBy = `${request.via.host}:${request.via.port ?? ""}`;
  if (branch.startsWith(MAGIC_COOKIE)) return `${branch} ${sentBy} ${method}`;
  return `${request.callId} ${request.from.parameters["tag"] ?? ""} ${request.cseq.number} ${sentBy} ${method}`;
}

export function newBranch(randomText: string): string {
  return `${MAGIC_COOKIE}${randomText}`;
}

/** Timers that double up to a most, as A, E and G do. */
export function repeatDoubling(clock: Clock, firstMs: number, mostMs: number, action: () => void): () => void {
  let waitMs = firstMs;
  let cancel = () => {};
  const arm = () => {
    cancel = clock.after(waitMs, () => {
      waitMs = Math.min(waitMs * 2, mostMs);
      // Armed first: the action may decide to stop.
      arm();
      action();
    });
  };
  arm();
  return () => cancel();
}
