// Reliable provisional responses (RFC 3262): reads their RSeq, and sends our ringing reliably if the caller requires
// it.
import type { CallContext } from "./call-context.ts";
import type { SipMessage, SipRequest, SipResponse } from "../message/message.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { transactionTimeoutMs } from "../transaction/timers.ts";
import { repeatDoubling } from "../transaction/transaction-parts.ts";

export const RELIABLE = "100rel";

export function demandsReliability(message: SipMessage): boolean {
  return message.headers.all("require").some((option) => option.toLowerCase() === RELIABLE);
}

/** Its RSeq, if it must be confirmed. */
export function reliableNumberOf(response: SipResponse): number | null {
  const number = response.headers.get("rseq") ?? "";
  return demandsReliability(response) && /^\d{1,10}$/.test(number) ? Number(number) : null;
}

export interface ReliableRinging {
  /** Whether this PRACK confirms the response; stops retransmission. A second PRACK is not accepted. */
  confirmedBy(prack: SipRequest): boolean;
  /** The call has its final response. A PRACK may still arrive. */
  stop(): void;
}

/** RSeq of our only reliable response. */
export const OUR_NUMBER = 1;

/** `ringing` carries OUR_NUMBER. It is retransmitted over every transport, like a 2xx (section 3). */
export function ringReliably(
  { clock, timers, send }: CallContext,
  invite: ServerTransaction,
  ringing: SipResponse,
  neverConfirmed: () => void,
): ReliableRinging {
  let isConfirmed = false;
  const stopRepeating = repeatDoubling(clock, timers.t1Ms, Number.POSITIVE_INFINITY, () => send(ringing, invite.flow));
  const stop = () => {
    stopRepeating();
    cancelLimit();
  };
  const cancelLimit = clock.after(transactionTimeoutMs(timers), () => {
    stop();
    neverConfirmed();
  });
  invite.respond(ringing);
  return {
    stop,
    confirmedBy(prack) {
      const [number, cseq, method] = (prack.headers.get("rack") ?? "").trim().split(/\s+/);
      const isOurs =
        Number(number) === OUR_NUMBER && Number(cseq) === invite.request.cseq.number && method === "INVITE";
      if (!isOurs || isConfirmed) return false;
      isConfirmed = true;
      stop();
      return true;
    },
  };
}
