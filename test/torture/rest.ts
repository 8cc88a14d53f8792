// After the faults: waits until every call has ended and every event is delivered. Hours pass at once if the clock can
// be moved; otherwise work planned for later stays waiting.
import { rest } from "../support/pace.ts";
import type { Load } from "./load.ts";
import type { Outside } from "./outside.ts";
import { unsettled } from "./read-stored.ts";
import type { StoredRows } from "./stored-rows.ts";
import type { Tortured } from "./tortured.ts";

export interface RestDeps {
  tortured: Tortured;
  outside: Outside | null;
  load: Load;
  rows: StoredRows;
  /** At the receiver, so far. */
  arrivals: () => number;
  progress: (line: string) => void;
}

/** The receiver's certificate ends a day after its making. */
const LATEST_CLOCK_MS = 22 * 3_600_000;
const LOOK_MS = 50;
/**
 * What does not move for so long waits for its time. A busy machine is only asked too early, and nothing is lost by
 * that.
 */
const STILL_MS = 700;
const LEAST_JUMP_MS = 60_000;
const DEADLINE_MS = 180_000;

/** False where something is left. */
export async function comeToRest({ tortured, outside, load, rows, arrivals, progress }: RestDeps): Promise<boolean> {
  const startedMs = performance.now();
  let last = "";
  let movedMs = startedMs;
  while (performance.now() - startedMs < DEADLINE_MS && !tortured.hasCrashed()) {
    const { calls, deliveries, nextAt } = unsettled(rows);
    if (calls === 0 && deliveries === 0) return true;
    progress(`coming to rest: ${calls} calls and ${deliveries} deliveries to go`);
    const state = `${calls} ${deliveries} ${arrivals()}`;
    if (state !== last) movedMs = performance.now();
    last = state;
    if (performance.now() - movedMs > STILL_MS) {
      movedMs = performance.now();
      if (!outside) return false;
      const dueInMs = (nextAt ?? 0) - (Date.now() + outside.clockMs()) + 1_000;
      const clockMs = outside.clockMs() + Math.max(LEAST_JUMP_MS, dueInMs);
      if (calls === 0 && clockMs > LATEST_CLOCK_MS) return false;
      outside.setClock(Math.min(clockMs, LATEST_CLOCK_MS));
      await tortured.confirmClock();
      await load.nudge();
    }
    await rest(LOOK_MS);
  }
  return false;
}
