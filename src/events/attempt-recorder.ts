// Attempts are written down in groups: what has come to an end by the time the writer has its turn shares one command. Each caller
// hears of its own only when it is on disk.
import type { Clock } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import { recordAttempt, type Attempt, type EndpointsRead, type Recorded } from "./attempt-record.ts";

/** About 10 ms of the writer, so that no other write waits long behind one group. */
const MOST_PER_GROUP = 100;

export interface AttemptRecorder {
  record(deliveryId: string, attempt: Attempt): Promise<Recorded>;
}

interface Waiting {
  deliveryId: string;
  attempt: Attempt;
  resolve(recorded: Recorded): void;
  reject(reason: unknown): void;
}

class GroupRecorder implements AttemptRecorder {
  readonly #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  record(deliveryId: string, attempt: Attempt): Promise<Recorded> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ deliveryId, attempt, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) await this.#writeGroup();
    this.#isWriting = false;
  }

  async #writeGroup(): Promise<void> {
    let group: Waiting[] = [];
    try {
      const recorded = await this.db.write((tx) => {
        // Not before: what ends until the writer comes to this command goes with it.
        group = this.#waiting.splice(0, MOST_PER_GROUP);
        return this.#recordAll(tx, group);
      });
      for (const [i, { resolve }] of group.entries()) resolve(recorded[i] ?? { consequence: null, nextAt: null });
    } catch (error) {
      // The writer may have refused the command before it ran.
      if (group.length === 0) group = this.#waiting.splice(0, MOST_PER_GROUP);
      await this.#writeSingly(group, error);
    }
  }

  async #recordAll(tx: Tx, group: readonly Waiting[]): Promise<Recorded[]> {
    const now = this.clock.now();
    const read: EndpointsRead = new Map();
    const recorded: Recorded[] = [];
    for (const { deliveryId, attempt } of group) recorded.push(await recordAttempt(tx, deliveryId, attempt, now, read));
    return recorded;
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
          .write((tx) => this.#recordAll(tx, [one]))
          .then(
            ([recorded]) => one.resolve(recorded ?? { consequence: null, nextAt: null }),
            (reason: unknown) => one.reject(reason),
          ),
      ),
    );
  }
}

export const createAttemptRecorder = (db: Database, clock: Clock): AttemptRecorder => new GroupRecorder(db, clock);
