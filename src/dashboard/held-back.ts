// On PostgreSQL a transaction that another program leaves open holds the log of changes back (db/postgres/changes.ts):
// pages are told to load anew from time to time instead, and a person is told why.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";

/** Ours last for moments. */
const TOO_LONG_MS = 10 * SECOND_MS;

const WORDS =
  "A transaction that has been open for long holds back the news of changes: pages load anew every 10 seconds. " +
  "Look for it in pg_stat_activity (xact_start).";

export class HeldBack {
  #sinceMs: number | null = null;
  #isTold = false;

  constructor(private readonly deps: { clock: Clock; logger: Logger }) {}

  /** For who asks how things are; null where nothing is held back. */
  get note(): string | null {
    return this.#isTold ? WORDS : null;
  }

  /**
   * After each look: whether it found changes that cannot be told, and came no further. Answers whether pages should
   * load anew now.
   */
  seen(isHeldBack: boolean): boolean {
    const { clock, logger } = this.deps;
    if (!isHeldBack) {
      if (this.#isTold) logger.info("Changes are told as they happen again.");
      this.forget();
      return false;
    }
    const nowMs = clock.elapsedMs();
    this.#sinceMs ??= nowMs;
    if (nowMs - this.#sinceMs < TOO_LONG_MS) return false;
    if (!this.#isTold) logger.warn(WORDS);
    this.#isTold = true;
    this.#sinceMs = nowMs;
    return true;
  }

  /** Nobody looks any more. */
  forget(): void {
    this.#sinceMs = null;
    this.#isTold = false;
  }
}
