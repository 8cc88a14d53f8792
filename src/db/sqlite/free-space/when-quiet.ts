// Debounce: runs work when no commit has happened for a moment.
import type { Clock } from "../../../core/clock.ts";

/** Longer than a large group commit takes. */
const QUIET_MS = 50;

export class WhenQuiet {
  #commits = 0;
  #cancel: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly run: () => void,
  ) {}

  committed(): void {
    this.#commits += 1;
  }

  wanted(): void {
    const before = this.#commits;
    this.#cancel ??= this.clock.after(QUIET_MS, () => {
      this.#cancel = null;
      if (this.#commits === before) this.run();
      else this.wanted();
    });
  }

  notWanted(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
