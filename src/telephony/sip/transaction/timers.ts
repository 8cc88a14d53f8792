// Timers of RFC 3261 (appendix A). Injected, so that tests can shorten or step them.

export interface SipTimers {
  /** Round-trip estimate: delay of the first retransmission. */
  t1Ms: number;
  /** Maximum interval of retransmissions. */
  t2Ms: number;
  /** Maximum lifetime of a message in the network. */
  t4Ms: number;
}

export const RFC_TIMERS: SipTimers = { t1Ms: 500, t2Ms: 4_000, t4Ms: 5_000 };

/** Timers B, F, H, J, L, M: timeout of a transaction. */
export function transactionTimeoutMs(timers: SipTimers): number {
  return 64 * timers.t1Ms;
}

/** Timer D: at least 32 s over UDP, so that every late retransmission of a final response is acknowledged. */
export function refusalLingerMs(timers: SipTimers): number {
  return 64 * timers.t1Ms;
}
