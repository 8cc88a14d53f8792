// RFC 3261's timers (appendix A). Injected, so that a test can shrink or step them.

export interface SipTimers {
  /** Round-trip estimate: the first retransmission waits this long. */
  t1Ms: number;
  /** The longest wait between retransmissions. */
  t2Ms: number;
  /** How long a message may stay in the network. */
  t4Ms: number;
}

export const RFC_TIMERS: SipTimers = { t1Ms: 500, t2Ms: 4_000, t4Ms: 5_000 };

/** Timers B, F, H, J, L, M: when a transaction is given up. */
export function transactionTimeoutMs(timers: SipTimers): number {
  return 64 * timers.t1Ms;
}

/** Timer D: at least 32 s over UDP, so that every late copy of a refusal is acknowledged. */
export function refusalLingerMs(timers: SipTimers): number {
  return 64 * timers.t1Ms;
}
