// Counts running work and lets callers wait until none remains.
import { othersFirst } from "../core/clock.ts";

export class UnderWay {
  #count = 0;
  #waiting: (() => void)[] = [];

  async during<T>(run: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await run();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const resume of this.#waiting.splice(0)) resume();
    }
  }

  /** Resolves when no work is running, and the last caller has received its answer and started nothing more. */
  async none(): Promise<void> {
    await othersFirst();
    while (this.#count > 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      await othersFirst();
    }
  }
}
