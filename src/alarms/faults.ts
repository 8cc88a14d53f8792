// Table of the faults that people are told of: how long each must hold, how grave it is, and who learns of it.
import { MINUTE_MS, SECOND_MS } from "../core/clock.ts";
import type { Audience, FaultName, Severity } from "../payloads/alarm.ts";

export interface FaultKind {
  /** It must hold this long before it is told. */
  holdMs: number;
  /** It must have been away this long before it is over. */
  overMs: number;
  /** Severity of each step; the first step is 1. */
  steps: readonly [Severity, ...Severity[]];
  audience: Audience;
}

export const FAULTS: Readonly<Record<FaultName, FaultKind>> = {
  // 1: low, 2: below data.min_free_mb, so nothing is stored.
  disk: { holdMs: 30 * SECOND_MS, overMs: 5 * MINUTE_MS, steps: ["warning", "critical"], audience: "all" },
  database: { holdMs: MINUTE_MS, overMs: 2 * MINUTE_MS, steps: ["critical"], audience: "all" },
  database_slow: { holdMs: MINUTE_MS, overMs: 5 * MINUTE_MS, steps: ["warning"], audience: "all" },
  scheduler: { holdMs: MINUTE_MS, overMs: 2 * MINUTE_MS, steps: ["critical"], audience: "all" },
  line: { holdMs: MINUTE_MS, overMs: 2 * MINUTE_MS, steps: ["critical"], audience: "all" },
  trunk: { holdMs: 2 * MINUTE_MS, overMs: 2 * MINUTE_MS, steps: ["critical"], audience: "organisation" },
  // The worklist lists endpoints five minutes after they became unreachable.
  endpoint: { holdMs: MINUTE_MS, overMs: 2 * MINUTE_MS, steps: ["warning"], audience: "organisation" },
  backup: { holdMs: 5 * MINUTE_MS, overMs: SECOND_MS, steps: ["warning"], audience: "all" },
  clock: { holdMs: MINUTE_MS, overMs: MINUTE_MS, steps: ["critical"], audience: "all" },
  model_server: { holdMs: 5 * MINUTE_MS, overMs: 2 * MINUTE_MS, steps: ["warning"], audience: "organisation" },
  // 21, 7 and 1 days before it expires.
  certificate: {
    holdMs: MINUTE_MS,
    overMs: MINUTE_MS,
    steps: ["warning", "warning", "critical"],
    audience: "all",
  },
};

/** Days before a certificate expires, by step. */
export const CERTIFICATE_DAYS = [21, 7, 1] as const;

export const severityOf = (fault: FaultName, step: number): Severity => {
  const { steps } = FAULTS[fault];
  return steps[step - 1] ?? steps[0];
};
