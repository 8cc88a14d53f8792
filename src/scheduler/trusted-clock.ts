// Watches the clock for whatever erases by age: it notes in the database until when the clock was believed, says when it is
// not, and hands out the time only while it is. The rule is in core/trusted-time.ts.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, toIso, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import { beginTrustedTime, clockVerdict, confirmClock, observeClock, type TrustedTime } from "../core/trusted-time.ts";
import type { Database } from "../db/database.ts";
import { saveAnchor, saveBelieved, saveDoubted, storedClock, type StoredClock } from "./clock-store.ts";

export interface TrustedClock extends DueSource {
  /** The time, or null while the clock is not to be believed. Ask right before erasing, and judge age by the answer. */
  trustedNow(): number | null;
  /** For a person, while the clock is doubted. */
  note(): string | null;
}

/** A restart loses at most this much of what was known. */
const SAVE_EVERY_MS = MINUTE_MS;
const LOOK_EVERY_MS = 30 * SECOND_MS;

export function createTrustedClock(deps: {
  db: Database;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}): TrustedClock {
  const { db, clock, logger } = deps;
  /** Undefined until the database was asked what an earlier run knew. */
  let state: TrustedTime | undefined;
  let believedAt: number | null = null;
  let savedAtElapsedMs = -Infinity;
  let wasDoubted = false;

  const reading = () => ({ wallMs: clock.now(), elapsedMs: clock.elapsedMs() });

  function look(): TrustedTime | undefined {
    if (!state) return undefined;
    state = observeClock(state, reading());
    const verdict = clockVerdict(state);
    const isDoubted = !verdict.isTrusted && verdict.isDoubted;
    if (isDoubted && !wasDoubted) warnOfJump(logger, verdict);
    if (wasDoubted && !isDoubted) logger.info("The clock is not doubted any more.", { shows: toIso(clock.now()) });
    wasDoubted = isDoubted;
    return state;
  }

  async function begin(): Promise<void> {
    const stored = await storedClock(db.reader);
    const { believedAt: at, isGuessed } = stored;
    if (isGuessed && at !== null) await db.write((tx) => saveAnchor(tx, at));
    const now = reading();
    believedAt = at;
    state = beginTrustedTime(now, at, steadyBefore(stored, now.wallMs));
  }

  async function heedConfirmation(known: TrustedTime): Promise<void> {
    if (clockVerdict(known).isTrusted) return;
    const stored = await storedClock(db.reader);
    if (stored.believedAt === null || stored.believedAt === believedAt) return;
    believedAt = stored.believedAt;
    state = confirmClock(known, believedAt);
    look();
  }

  async function save(known: TrustedTime): Promise<void> {
    if (known.last.elapsedMs - savedAtElapsedMs < SAVE_EVERY_MS) return;
    const verdict = clockVerdict(known);
    if (!verdict.isTrusted && !verdict.isDoubted) return;
    // Before the write: one that fails is not tried again at once.
    savedAtElapsedMs = known.last.elapsedMs;
    const { wallMs } = known.last;
    if (!verdict.isTrusted) {
      await db.write((tx) => saveDoubted(tx, wallMs, known.steadyMs));
      return;
    }
    await db.write((tx) => saveBelieved(tx, wallMs));
    believedAt = wallMs;
  }

  deps.metrics.gauge("ringward_clock_trusted", "1 while the wall clock is believed, so that old data is erased.", () =>
    state && clockVerdict(state).isTrusted ? 1 : 0,
  );

  return {
    name: "clock",
    async runDue() {
      if (!state) await begin();
      const known = look();
      if (known) await heedConfirmation(known);
      if (state) await save(state);
      return clock.now() + LOOK_EVERY_MS;
    },
    trustedNow() {
      const known = look();
      return known && clockVerdict(known).isTrusted ? known.last.wallMs : null;
    },
    note() {
      const known = look();
      const verdict = known && clockVerdict(known);
      if (!verdict || verdict.isTrusted || !verdict.isDoubted) return null;
      return doubtWords(verdict);
    },
  };
}

function warnOfJump(logger: Logger, { aheadMs, waitMs }: { aheadMs: number; waitMs: number }): void {
  logger.warn(
    "The clock has jumped. Nothing is erased by age until it is right again, steady for long, or confirmed.",
    { ahead_seconds: Math.round(aheadMs / SECOND_MS), wait_seconds: Math.round(waitMs / SECOND_MS) },
  );
}

/** A clock that goes on where it was left, a night off included, keeps what it has proved. */
function steadyBefore({ doubt }: StoredClock, now: number): number {
  return doubt && now >= doubt.at && now - doubt.at <= DAY_MS ? doubt.steadyMs : 0;
}

export function doubtWords({ aheadMs, waitMs }: { aheadMs: number; waitMs: number }): string {
  const by = spanWords(Math.abs(aheadMs));
  return (
    `The clock shows ${by} ${aheadMs > 0 ? "more" : "less"} than expected. Nothing is erased by age until it has been steady ` +
    `for another ${spanWords(waitMs)}. If it is right, run "ringward clock confirm"; if not, set it right (NTP).`
  );
}

function spanWords(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.round(ms / DAY_MS)} days`;
  if (ms >= 2 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} hours`;
  return `${Math.max(1, Math.round(ms / MINUTE_MS))} min`;
}
