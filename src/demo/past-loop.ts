// Simulates a span of the past: staff actions at their times, due work, and every timer of the calls in between.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import type { PastClock } from "./past-clock.ts";

export interface Act {
  at: number;
  run(): Promise<void>;
  /** Created work to check afterwards: calls for the dispatcher, or lists for the campaign loop too. */
  makes?: "calls" | "lists";
}

export interface Span {
  clock: PastClock;
  /** In order: sources that create calls, then the dispatcher. */
  makers: readonly DueSource[];
  dispatcher: DueSource;
  /** Sources that run to the end, after the last call has begun. */
  others: readonly DueSource[];
  acts: readonly Act[];
  until: number;
}

/**
 * No call begins within this time before the end, so each is over by then and no state stays in memory between spans.
 */
export const QUIET_MS = 5 * MINUTE_MS;
/**
 * A woken source is polled, but not again within this time: the end of each call wakes all sources, and each poll costs
 * a query. A source with a due time is polled at that time.
 */
const BEGINNERS_REST_MS = 3 * HOUR_MS;
const OTHERS_REST_MS = 4 * MINUTE_MS;
/** Calls without scheduled_time are dialled this long after creation; see calls/queue/scheduled-time.ts. */
const CALLS_GO_OUT_AFTER_MS = 16 * SECOND_MS;

interface Watched {
  source: DueSource;
  restMs: number;
  isMaker: boolean;
  isBeginner: boolean;
  nextAt: number;
  askedAt: number;
}

export interface PastLoop {
  /** Work may be due earlier than planned: of this source, or of any. */
  wake(source?: DueSource): void;
  live(span: Span): Promise<void>;
}

/** `settled` resolves when all pending database work is done. */
export function createPastLoop(settled: () => Promise<void>): PastLoop {
  let watched: Watched[] = [];
  let now = (): number => 0;

  /** Polls the due sources and stores when each is due next. */
  async function look(mayBegin: boolean): Promise<void> {
    for (const each of watched) {
      if (each.nextAt > now()) continue;
      each.askedAt = now();
      each.nextAt = Infinity;
      const nextAt = each.isBeginner && !mayBegin ? null : await each.source.runDue();
      // At least one moment later, to prevent an endless loop within the same moment.
      each.nextAt = Math.min(each.nextAt, Math.max(nextAt ?? Infinity, now() + 1));
      // Created calls may be due immediately.
      if (each.isMaker) for (const other of watched) if (other.isBeginner && !other.isMaker) other.nextAt = now();
    }
  }

  async function act(what: Act | undefined): Promise<void> {
    await what?.run();
    if (what?.makes === undefined) return;
    for (const each of watched) {
      if (each.isMaker && what.makes === "lists") each.nextAt = now();
      if (!each.isMaker && each.isBeginner) each.nextAt = Math.min(each.nextAt, now() + CALLS_GO_OUT_AFTER_MS);
    }
  }

  const lookAt = () => Math.min(...watched.map(({ nextAt }) => nextAt));

  return {
    wake(source) {
      for (const each of watched) {
        if (source !== undefined && each.source !== source) continue;
        each.nextAt = Math.min(each.nextAt, Math.max(now(), each.askedAt + each.restMs));
      }
    },

    async live({ clock, makers, dispatcher, others, acts, until }) {
      now = clock.now;
      const watch = (source: DueSource, restMs: number, isBeginner: boolean): Watched => ({
        source,
        restMs,
        isMaker: makers.includes(source),
        isBeginner,
        nextAt: clock.now(),
        askedAt: -Infinity,
      });
      watched = [
        ...makers.map((source) => watch(source, BEGINNERS_REST_MS, true)),
        watch(dispatcher, BEGINNERS_REST_MS, true),
        ...others.map((source) => watch(source, OTHERS_REST_MS, false)),
      ];
      const todo = acts.filter(({ at }) => at < until - QUIET_MS).toSorted((a, b) => a.at - b.at);
      for (;;) {
        // Runs everything that is ready, including external requests.
        await settled();
        if (lookAt() <= clock.now()) await look(clock.now() < until - QUIET_MS);
        else if (todo[0] && todo[0].at <= clock.now()) await act(todo.shift());
        else if (!clock.fireOne()) {
          const next = Math.min(clock.nextTimerAt(), lookAt(), todo[0]?.at ?? Infinity);
          if (next >= until) break;
          clock.moveTo(next);
        }
      }
      clock.moveTo(until);
    },
  };
}
