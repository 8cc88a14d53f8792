// One pacer for all calls. Each call gets a tick every 20 ms; calls are spread over four phases of 5 ms. Deadlines are
// computed from one base, so a late tick shortens the next wait instead of slowing the stream.
import { monotonicMs, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { FRAME_MS } from "./rtp.ts";

const STEP_MS = 5;
const PHASES = FRAME_MS / STEP_MS;
/** At most three frames are caught up after a stall; a longer burst would overflow the peer's jitter buffer. */
const MOST_CATCH_UP_STEPS = 3 * PHASES;
/** The last 10 s. */
const LAGS_KEPT = 2_000;
/** A frame this late still fits into any peer's jitter buffer. */
const ON_TIME_MS = 5;

export interface Paced {
  /** `frame` counts units of 20 ms from an arbitrary start; a jump by more than one means that frames were dropped. */
  tick(frame: number): void;
}

export interface Pacer {
  /** The returned function removes it. */
  add(paced: Paced): () => void;
  /** Lag of the last call in a tick, 99th percentile of the last 10 s. */
  lagP99Ms(): number;
  /** Frames served since the start, and those served within 5 ms of their time. */
  readonly served: { frames: number; onTime: number };
  stop(): void;
}

export interface PacerDeps {
  clock: Pick<Clock, "after">;
  logger: Logger;
  nowMs?: () => number;
}

export function createPacer({ clock, logger, nowMs = monotonicMs }: PacerDeps): Pacer {
  const phases = Array.from({ length: PHASES }, () => new Set<Paced>());
  const lags = new Float64Array(LAGS_KEPT);
  const served = { frames: 0, onTime: 0 };
  const baseMs = nowMs();
  let lagCount = 0;
  let step = 0;
  let cancelTimer: (() => void) | null = null;

  const isIdle = () => phases.every((phase) => phase.size === 0);

  function schedule(): void {
    // Timers use whole milliseconds; rounded down, they would fire early and need to be set again.
    const waitMs = Math.max(0, Math.ceil(baseMs + step * STEP_MS - nowMs()));
    cancelTimer = clock.after(waitMs, run);
  }

  function run(): void {
    cancelTimer = null;
    const dueStep = Math.floor((nowMs() - baseMs) / STEP_MS);
    step = Math.max(step, dueStep - MOST_CATCH_UP_STEPS + 1);
    for (; step <= dueStep; step++) serve(step);
    if (!isIdle()) schedule();
  }

  function serve(now: number): void {
    const phase = phases[now % PHASES] ?? [];
    const frame = Math.floor(now / PHASES);
    let count = 0;
    for (const paced of phase) {
      count++;
      try {
        paced.tick(frame);
      } catch (error) {
        logger.error("a call's media tick failed", { error: error instanceof Error ? error.message : String(error) });
      }
    }
    const lagMs = nowMs() - (baseMs + now * STEP_MS);
    lags[lagCount++ % LAGS_KEPT] = lagMs;
    served.frames += count;
    if (lagMs <= ON_TIME_MS) served.onTime += count;
  }

  return {
    add(paced) {
      const wasIdle = isIdle();
      const phase = phases.reduce((emptiest, candidate) => (candidate.size < emptiest.size ? candidate : emptiest));
      phase.add(paced);
      if (wasIdle && !cancelTimer) {
        step = Math.floor((nowMs() - baseMs) / STEP_MS) + 1;
        lagCount = 0;
        schedule();
      }
      return () => void phase.delete(paced);
    },
    lagP99Ms() {
      if (isIdle()) return 0; // Lag of past calls must not block new ones.
      const known = lags.subarray(0, Math.min(lagCount, LAGS_KEPT)).toSorted();
      return known[Math.floor(known.length * 0.99)] ?? 0;
    },
    served,
    stop() {
      cancelTimer?.();
      cancelTimer = null;
      for (const phase of phases) phase.clear();
    },
  };
}
