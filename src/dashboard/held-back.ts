// Detects a stalled change log. On PostgreSQL a transaction left open by another program blocks the log
// (db/postgres/changes.ts). Pages then reload their data periodically, and the owner gets a warning with the cause.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";

/** Our own transactions last for milliseconds. */
const TOO_LONG_MS = 10 * SECOND_MS;

const WORDS =
  "A transaction that has been open for long holds back the news of changes: pages load anew every 10 seconds. " +
  "Look for it in pg_stat_activity (xact_start).";

export class HeldBack {
  #sinceMs: number | null = null;
  #isTold = false;

  constructor(private readonly deps: { clock: Clock; logger: Logger }) {}

  /** Warning for the health report; null if nothing is blocked. */
  get note(): string | null {
    return this.#isTold ? WORDS : null;
  }

  /**
   * Called after each poll. `isHeldBack`: the poll found changes that cannot be sent yet and made no progress. Returns
   * whether pages should reload their data now.
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

  /** Called when polling stops. */
  forget(): void {
    this.#sinceMs = null;
    this.#isTold = false;
  }
}
