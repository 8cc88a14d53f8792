// The appliance's clock: the machine's clock while it is trusted, otherwise the last trusted time plus elapsed time. It
// stores the trusted time in the database, reports distrust, and allows erasing old data only while the clock is
// trusted. The rule is in core/trusted-time.ts.
import { MINUTE_MS, SECOND_MS, toIso, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import {
  clockVerdict,
  confirmClock,
  continuedTime,
  keptTime,
  observeClock,
  SETTLING_MS,
  STEP_TOLERANCE_MS,
  type ClockReading,
  type ClockVerdict,
  type TrustedTime,
} from "../core/trusted-time.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import {
  forgetContinued,
  forgetSetBack,
  saveBelieved,
  saveContinued,
  saveDoubted,
  saveKept,
  storedClock,
  type SetForward,
} from "./clock-store.ts";
import { clockNotes, type ClockNotes } from "./clock-words.ts";
import { timeFrom } from "./stored-time.ts";

export interface TrustedClockDeps {
  db: Database;
  /** The machine's clock. */
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  /** Called when calls may go out again. */
  believed?: () => void;
  /** The time went back: replans work that was planned on the wrong clock, in the transaction that clears the mark. */
  replan?: (tx: Tx, now: number) => Promise<void>;
  /** The time went forward: shifts times recorded during the distrust, in the transaction that clears the mark. */
  moveForward?: (tx: Tx, step: SetForward) => Promise<void>;
}

/** A restart loses at most this much of the state. */
const SAVE_EVERY_MS = MINUTE_MS;
const LOOK_EVERY_MS = 30 * SECOND_MS;

export class TrustedClock implements DueSource {
  readonly name = "clock";
  /** For all code that plans, dials or judges ages. */
  readonly clock: Clock;
  /** Undefined until the stored state of an earlier run is read. */
  #state: TrustedTime | undefined;
  #verdict: ClockVerdict | undefined;
  #believedAt: number | null = null;
  #isSetBack = false;
  /** When the current distrust began, by elapsed time; null while the clock is trusted. */
  #continuedSince: number | null = null;
  /** No calls go out until the recorded times are shifted: by the new time they would be overdue. */
  #setForward: SetForward | null = null;
  /** Both clocks of the process at the last check. */
  #lookedAt: ClockReading = { wallMs: 0, elapsedMs: 0 };
  #savedAtElapsedMs = -Infinity;
  /** Uptime of the machine minus that of the process: bridges a failed read of the uptime. */
  #uptimeAheadMs = 0;

  constructor(private readonly deps: TrustedClockDeps) {
    const { clock, metrics } = deps;
    this.clock = {
      now: () => this.#now(),
      elapsedMs: () => clock.elapsedMs(),
      after: (delayMs, callback) => clock.after(delayMs, callback),
      doubtedMs: () => this.#doubtedMs(),
      uptime: () => clock.uptime?.() ?? null,
    };
    metrics.gauge("ringward_clock_trusted", "1 while the wall clock is believed, so that old data is erased.", () =>
      this.#verdict?.isTrusted ? 1 : 0,
    );
    metrics.gauge("ringward_clock_dials", "1 while the wall clock is believed, so that calls go out.", () =>
      this.#verdict?.mayDial ? 1 : 0,
    );
  }

  /** Runs before anything is dialled or planned. Reads the database once. */
  async begin(): Promise<void> {
    if (this.#state) return;
    const { db, clock } = this.deps;
    const stored = await storedClock(db.reader);
    const uptime = clock.uptime?.() ?? null;
    const reading = this.#reading();
    // Other heartbeats are written by a clock that may be wrong, so the initial state is stored before them.
    if (stored.kept === null) {
      const earlier = stored.believedAt ?? stored.lastSignAt;
      await db.write((tx) => saveKept(tx, earlier ?? reading.wallMs, earlier === null ? uptime : null));
    }
    this.#believedAt = stored.believedAt;
    this.#isSetBack = stored.isSetBack;
    this.#continuedSince = stored.continuedSince;
    if (stored.setForwardMs !== null) {
      const to = stored.believedAt ?? reading.wallMs;
      this.#setForward = { since: stored.continuedSince, to, byMs: stored.setForwardMs };
    }
    this.#take(timeFrom(stored, reading, uptime));
  }

  async runDue(): Promise<number> {
    await this.begin();
    this.#look();
    await this.#heedConfirmation();
    if (this.#setForward) await this.#moveForward(this.#setForward);
    if (this.#isSetBack) await this.#replan();
    await this.#save();
    return this.clock.now() + LOOK_EVERY_MS;
  }

  /** The time, or null while the clock is not trusted. Call it right before erasing, and judge age by the result. */
  readonly trustedNow = (): number | null => {
    this.#look();
    return this.#state && this.#verdict?.isTrusted ? this.#state.last.wallMs : null;
  };

  /** Messages for people, while work waits for the clock. */
  notes(): ClockNotes {
    this.#look();
    return this.#verdict ? clockNotes(this.#verdict) : { clock: null, retention: null };
  }

  #now(): number {
    const wallMs = this.deps.clock.now();
    if (!this.#state) return wallMs;
    // Fast path: called many times per request, usually without a change since the last check, which reads a file.
    if (!this.#verdict?.isDoubted && !this.#hasStepped(wallMs)) return wallMs;
    this.#look();
    return keptTime(this.#state);
  }

  #doubtedMs(): number | null {
    // Called for every displayed call.
    if (!this.#verdict?.mayDial || this.#hasStepped(this.deps.clock.now())) this.#look();
    return !this.#state || (this.#verdict?.mayDial && !this.#setForward) ? null : this.#state.last.wallMs;
  }

  #hasStepped(wallMs: number): boolean {
    const passedMs = this.deps.clock.elapsedMs() - this.#lookedAt.elapsedMs;
    return Math.abs(wallMs - this.#lookedAt.wallMs - passedMs) > STEP_TOLERANCE_MS;
  }

  #reading(): ClockReading {
    const { clock } = this.deps;
    const elapsedMs = clock.elapsedMs();
    const uptimeMs = clock.uptime?.()?.ms ?? elapsedMs + this.#uptimeAheadMs;
    this.#uptimeAheadMs = uptimeMs - elapsedMs;
    return { wallMs: clock.now(), elapsedMs: Math.round(uptimeMs) };
  }

  #look(): void {
    if (this.#state) this.#take(observeClock(this.#state, this.#reading()));
  }

  /** Also logs changes, and wakes waiting work. */
  #take(state: TrustedTime): void {
    const { clock, logger, believed } = this.deps;
    const before = this.#verdict;
    const verdict = clockVerdict(state);
    const isBelievedAgain = before?.isDoubted === true && !verdict.isDoubted;
    if (isBelievedAgain && this.#state) {
      this.#noteStep(state.last.wallMs, state.last.wallMs - continuedTime(this.#state, state.last));
    }
    if (!verdict.isDoubted) this.#continuedSince = null;
    else if (this.#continuedSince === null) {
      this.#continuedSince = keptTime(state);
      // Forces a save, because a restart needs it.
      this.#savedAtElapsedMs = -Infinity;
    }
    this.#state = state;
    this.#verdict = verdict;
    this.#lookedAt = { wallMs: clock.now(), elapsedMs: clock.elapsedMs() };
    if (verdict.isDoubted && !before?.isDoubted) warnOfJump(logger, verdict);
    if (isBelievedAgain) {
      logger.info("The clock is trusted again.", { shows: toIso(state.last.wallMs) });
    }
    if (before && !before.mayDial && verdict.mayDial) believed?.();
  }

  #noteStep(to: number, byMs: number): void {
    if (byMs < -STEP_TOLERANCE_MS) this.#isSetBack = true;
    if (byMs > STEP_TOLERANCE_MS) this.#setForward = { since: this.#continuedSince, to, byMs: Math.round(byMs) };
  }

  async #heedConfirmation(): Promise<void> {
    const state = this.#state;
    if (!state || this.#verdict?.isTrusted) return;
    const { believedAt, isSetBack } = await storedClock(this.deps.db.reader);
    if (believedAt === null || believedAt === this.#believedAt) return;
    this.#believedAt = believedAt;
    this.#isSetBack ||= isSetBack;
    this.#take(confirmClock(state, believedAt));
  }

  async #replan(): Promise<void> {
    const { db, logger, replan, believed } = this.deps;
    if (!this.#verdict?.mayDial) return;
    const now = this.clock.now();
    await db.write(async (tx) => {
      await replan?.(tx, now);
      await forgetSetBack(tx);
    });
    this.#isSetBack = false;
    logger.info("The clock moved back; work planned on the wrong clock was rescheduled.", { shows: toIso(now) });
    believed?.();
  }

  async #moveForward(step: SetForward): Promise<void> {
    const { db, logger, moveForward } = this.deps;
    await db.write(async (tx) => {
      await moveForward?.(tx, step);
      await forgetContinued(tx);
    });
    this.#setForward = null;
    logger.info("The clock moved forward; work requested meanwhile was moved with it.", {
      by_seconds: Math.round(step.byMs / SECOND_MS),
    });
  }

  async #save(): Promise<void> {
    const { db, clock } = this.deps;
    if (!this.#state || !this.#verdict || clock.elapsedMs() - this.#savedAtElapsedMs < SAVE_EVERY_MS) return;
    // Set before the write, so a failed write is not retried immediately.
    this.#savedAtElapsedMs = clock.elapsedMs();
    const { steadyMs, last } = this.#state;
    const { isTrusted, mayDial, waitMs } = this.#verdict;
    const uptime = clock.uptime?.() ?? null;
    const continuedSince = this.#continuedSince;
    await db.write(async (tx) => {
      await (continuedSince === null ? forgetContinued(tx) : saveContinued(tx, continuedSince));
      if (isTrusted) return saveBelieved(tx, last.wallMs, uptime);
      if (mayDial) await saveKept(tx, last.wallMs, uptime);
      if (waitMs > SETTLING_MS) await saveDoubted(tx, last.wallMs, steadyMs);
    });
    if (isTrusted) this.#believedAt = last.wallMs;
  }
}

export const createTrustedClock = (deps: TrustedClockDeps): TrustedClock => new TrustedClock(deps);

function warnOfJump(logger: Logger, { aheadMs, waitMs }: ClockVerdict): void {
  logger.warn(
    "The clock has jumped. No call goes out and nothing is erased until it is right again, steady for long, or confirmed.",
    { ahead_seconds: Math.round(aheadMs / SECOND_MS), wait_seconds: Math.round(waitMs / SECOND_MS) },
  );
}
