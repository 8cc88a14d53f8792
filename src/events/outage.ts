// Outage on our side (no resolver, no network, no proxy): the endpoint is probed with one delivery at a time and
// growing backoff. The outage is stored on the endpoint; its deliveries stay unchanged and wait.
import { toIso } from "../core/clock.ts";
import type { Endpoint } from "./records.ts";
import { LONGEST_PROBE_PAUSE_MS, probePauseMs } from "./retry-schedule.ts";

export type Outage = Pick<Endpoint, "outage_since" | "outage_reason" | "outage_probes" | "next_probe_at">;

const LONGEST_REASON = 300;

export const NO_OUTAGE: Outage = {
  outage_since: null,
  outage_reason: null,
  outage_probes: 0,
  next_probe_at: null,
};

/** When the endpoint may be probed again. After a clock was set back, the wait is at most the longest pause. */
export function probeDueAt(
  { outage_since, next_probe_at }: Pick<Outage, "outage_since" | "next_probe_at">,
  now: number,
) {
  if (outage_since === null || next_probe_at === null) return now;
  return next_probe_at > now + LONGEST_PROBE_PAUSE_MS ? now : next_probe_at;
}

/** For the dashboard: start, reason and next probe. Null if there is no outage. */
export function outageView(outage: Outage, now: number) {
  if (outage.outage_since === null) return null;
  return {
    since: toIso(outage.outage_since),
    reason: outage.outage_reason ?? "",
    next_probe_at: toIso(probeDueAt(outage, now)),
  };
}

/** The outage after another internal fault; null if the attempt was already in flight when the outage began. */
export function outageAfter(before: Outage, reason: string, now: number): Outage | null {
  if (probeDueAt(before, now) > now) return null;
  const probes = before.outage_probes + 1;
  return {
    outage_since: before.outage_since ?? now,
    outage_reason: reason.slice(0, LONGEST_REASON),
    outage_probes: probes,
    next_probe_at: now + probePauseMs(probes),
  };
}
