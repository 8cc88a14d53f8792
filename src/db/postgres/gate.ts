// Admission of commands, with a deadline for each. A command that hit a serialization failure is retried before new
// ones start, one at a time, so concurrent commands cannot make it fail repeatedly. Commands of one lane run one after
// the other.
import type { Clock } from "../../core/clock.ts";
import { DatabaseFault } from "./faults.ts";

interface Waiter {
  admit(): void;
}

const busy = () => new DatabaseFault("Other commands did not end in time.", "55P03", false);

export class Gate {
  readonly #clock: Clock;
  #repeating = 0;
  readonly #opened: Waiter[] = [];
  readonly #repeats = new Lane();
  readonly #lanes = new Map<string, Lane>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when a command may make its first attempt; rejects at `untilMs` of the clock's elapsed time. */
  async enter(untilMs: number): Promise<void> {
    while (this.#repeating > 0) await this.#wait(this.#opened, untilMs);
  }

  /** Runs while no other command is retried. */
  async repeat<T>(untilMs: number, run: () => Promise<T>): Promise<T> {
    this.#repeating += 1;
    try {
      return await this.#alone(this.#repeats, untilMs, run);
    } finally {
      this.#repeating -= 1;
      if (this.#repeating === 0) for (const waiter of this.#opened.splice(0)) waiter.admit();
    }
  }

  /**
   * Runs while no other command of this lane does. No request waits for these, so they have no deadline before their
   * turn.
   */
  inLane<T>(name: string, run: () => Promise<T>): Promise<T> {
    let lane = this.#lanes.get(name);
    if (!lane) this.#lanes.set(name, (lane = new Lane()));
    return this.#alone(lane, null, run);
  }

  async #alone<T>(lane: Lane, untilMs: number | null, run: () => Promise<T>): Promise<T> {
    if (lane.isTaken) await this.#wait(lane.waiting, untilMs);
    lane.isTaken = true;
    try {
      return await run();
    } finally {
      const next = lane.waiting.shift();
      if (next) next.admit();
      else lane.isTaken = false;
    }
  }

  #wait(waiting: Waiter[], untilMs: number | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = {
        admit() {
          cancel();
          resolve();
        },
      };
      const late = () => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(busy());
      };
      const cancel = untilMs === null ? () => {} : this.#clock.after(untilMs - this.#clock.elapsedMs(), late);
      waiting.push(waiter);
    });
  }
}

class Lane {
  /** Stays true while it is handed from one command to the next. */
  isTaken = false;
  readonly waiting: Waiter[] = [];
}
