// Lives through a stretch of the past: what staff do at their times, what is due, and every timer of the calls in
// between.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import type { PastClock } from "./past-clock.ts";

export interface Act {
  at: number;
  run(): Promise<void>;
  /** Who has to look at what it makes: whoever dials calls, or whoever makes calls of lists as well. */
  makes?: "calls" | "lists";
}

export interface Span {
  clock: PastClock;
  /** In their order: what makes calls, and who dials them. */
  makers: readonly DueSource[];
  dispatcher: DueSource;
  /** Go on to the end, when no call begins any more. */
  others: readonly DueSource[];
  acts: readonly Act[];
  until: number;
}

/**
 * No call begins so shortly before the end: each is over by then, and nothing is kept in memory from one span to the
 * next.
 */
export const QUIET_MS = 5 * MINUTE_MS;
/**
 * Who is woken is asked, but not again so soon after the last time: the end of each call wakes everybody, and each
 * answer costs a look into the database. Whoever knows a time is asked at that time.
 */
const BEGINNERS_REST_MS = 3 * HOUR_MS;
const OTHERS_REST_MS = 4 * MINUTE_MS;
/** Calls without a time of their own go out this long after they are made; see calls/queue/scheduled-time.ts. */
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
  /** Something may be due earlier than planned: of this source, or of any. */
  wake(source?: DueSource): void;
  live(span: Span): Promise<void>;
}

/** `settled` resolves when the database has done what was asked of it. */
export function createPastLoop(settled: () => Promise<void>): PastLoop {
  let watched: Watched[] = [];
  let now = (): number => 0;

  /** Asks those who are due; answers when the next one is. */
  async function look(mayBegin: boolean): Promise<void> {
    for (const each of watched) {
      if (each.nextAt > now()) continue;
      each.askedAt = now();
      each.nextAt = Infinity;
      const nextAt = each.isBeginner && !mayBegin ? null : await each.source.runDue();
      // At once is a moment later, and not again and again within the same moment.
      each.nextAt = Math.min(each.nextAt, Math.max(nextAt ?? Infinity, now() + 1));
      // What was made may be due at once.
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
        // Everything that is ready has its turn, requests of the outside too.
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
