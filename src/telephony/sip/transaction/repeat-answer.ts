// Retransmits our 2xx to INVITE until its ACK arrives, over every transport (RFC 3261, section 13.3.1.4).
import type { Clock } from "../../../core/clock.ts";
import { transactionTimeoutMs, type SipTimers } from "./timers.ts";
import { repeatDoubling } from "./transaction-parts.ts";

/** The returned function stops it when the ACK has arrived. */
export function repeatUntilAcknowledged(
  clock: Clock,
  timers: SipTimers,
  again: () => void,
  givenUp: () => void,
): () => void {
  const stopRepeating = repeatDoubling(clock, timers.t1Ms, timers.t2Ms, again);
  const cancelLimit = clock.after(transactionTimeoutMs(timers), () => {
    stopRepeating();
    givenUp();
  });
  return () => {
    stopRepeating();
    cancelLimit();
  };
}
