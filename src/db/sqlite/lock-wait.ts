// Waits while another program holds the database, and logs a long wait.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";

const TRY_EVERY_MS = 10;
/** A short write by a command is not worth a log line. */
const TELL_AFTER_MS = SECOND_MS;

export class LockWait {
  readonly #clock: Clock;
  readonly #logger: Logger;
  #sinceMs: number | undefined;
  #isTold = false;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Current wait; 0 if there is none. */
  get waitedMs(): number {
    return this.#sinceMs === undefined ? 0 : this.#clock.elapsedMs() - this.#sinceMs;
  }

  /** Waits until the next attempt. */
  async wait(): Promise<void> {
    this.#sinceMs ??= this.#clock.elapsedMs();
    await new Promise<void>((resolve) => void this.#clock.after(TRY_EVERY_MS, resolve));
    if (this.#isTold || this.#clock.elapsedMs() - this.#sinceMs < TELL_AFTER_MS) return;
    this.#isTold = true;
    this.#logger.warn("Another program has locked the database; writes are waiting.");
  }

  /** The lock was acquired. */
  taken(): void {
    if (this.#isTold) this.#logger.info("The database can be written again.");
    this.#isTold = false;
    this.#sinceMs = undefined;
  }
}
