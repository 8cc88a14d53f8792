// Group commit of delivery attempts: all attempts that finish before the writer's next turn share one command. Each
// caller is notified after its own attempt is on disk.
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

/** About 10 ms of writer time, so other writes do not wait long behind one group. */
const MOST_PER_GROUP = 100;
/** After a group of this size the next one waits briefly, or until it is large: fewer and larger commits. */
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
  /** Size of the last group. */
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

  /** Returns the size of the group. */
  async #writeGroup(): Promise<number> {
    let group: readonly Waiting[] | null = null;
    /**
     * Taken only at the writer's turn, so attempts that finish before it are included. A retried command keeps its
     * group.
     */
    const taken = () => (group ??= this.#waiting.splice(0, MOST_PER_GROUP));
    try {
      const recorded = await this.db.write((tx) => recordAttempts(tx, taken(), this.#now()));
      for (const [i, { resolve }] of taken().entries()) resolve(recorded[i] ?? NOTHING_FOLLOWS);
    } catch (error) {
      // The writer may have rejected the command before it ran.
      await this.#writeSingly(taken(), error);
    }
    return taken().length;
  }

  /** One attempt that cannot be stored must not fail the others. */
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
