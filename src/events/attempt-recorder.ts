// Attempts are written down in groups: what has come to an end by the time the writer has its turn shares one command.
// Each caller hears of its own only when it is on disk.
import { isBelieved, type Clock } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import {
  NOTHING_FOLLOWS,
  recordAttempts,
  type Attempt,
  type Ended,
  type Moment,
  type Recorded,
} from "./attempt-record.ts";
import type { DueEvent } from "./delivery-store.ts";

/** About 10 ms of the writer, so that no other write waits long behind one group. */
const MOST_PER_GROUP = 100;
/** After a group of so many the next waits a moment, or until it is large: fewer commits, each of them of more. */
const CROWD = 16;
const LARGE = 48;
const MOMENT_MS = 5;

export interface AttemptRecorder {
  record(event: DueEvent, attempt: Attempt): Promise<Recorded>;
}

interface Waiting extends Ended {
  resolve(recorded: Recorded): void;
  reject(reason: unknown): void;
}

class GroupRecorder implements AttemptRecorder {
  readonly #waiting: Waiting[] = [];
  #isWriting = false;
  /** How many were in the last group. */
  #last = 0;
  #endMoment = () => {};

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  record(event: DueEvent, attempt: Attempt): Promise<Recorded> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, attempt, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
      else if (this.#waiting.length === LARGE) this.#endMoment();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      if (this.#last >= CROWD && this.#waiting.length < LARGE) await this.#moment();
      this.#last = await this.#writeGroup();
    }
    this.#isWriting = false;
  }

  #moment(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.clock.after(MOMENT_MS, resolve);
      this.#endMoment = () => {
        cancel();
        resolve();
      };
    });
  }

  #now(): Moment {
    return { now: this.clock.now(), mayGiveUp: isBelieved(this.clock) };
  }

  /** Answers how many it were. */
  async #writeGroup(): Promise<number> {
    let group: readonly Waiting[] | null = null;
    /**
     * Not before the writer has its turn: what ends until then goes along. A command that is run again has the same
     * group.
     */
    const taken = () => (group ??= this.#waiting.splice(0, MOST_PER_GROUP));
    try {
      const recorded = await this.db.write((tx) => recordAttempts(tx, taken(), this.#now()));
      for (const [i, { resolve }] of taken().entries()) resolve(recorded[i] ?? NOTHING_FOLLOWS);
    } catch (error) {
      // The writer may have refused the command before it ran.
      await this.#writeSingly(taken(), error);
    }
    return taken().length;
  }

  /** One that cannot be written down must not take the others with it. */
  async #writeSingly(group: readonly Waiting[], error: unknown): Promise<void> {
    if (group.length === 1) {
      group[0]?.reject(error);
      return;
    }
    await Promise.all(
      group.map((one) =>
        this.db
          .write((tx) => recordAttempts(tx, [one], this.#now()))
          .then(
            ([recorded]) => one.resolve(recorded ?? NOTHING_FOLLOWS),
            (reason: unknown) => one.reject(reason),
          ),
      ),
    );
  }
}

export const createAttemptRecorder = (db: Database, clock: Clock): AttemptRecorder => new GroupRecorder(db, clock);
