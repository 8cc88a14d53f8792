// Each command is one SERIALIZABLE transaction on a connection of a pool: what it read and wrote is as if it had been
// alone. After a serialization failure it is rolled back and tried again, from the second time on with no other
// repeated command beside it.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { OutcomeUnknown } from "../outcome-unknown.ts";
import type { Command, WriteOptions } from "../port.ts";
import { DatabaseFault, isMaybeSpoilt, isSpoilt, RETRY_AFTER_SECONDS, toldOutside } from "./faults.ts";
import { Gate } from "./gate.ts";
import { REPEAT_LOCK } from "./locks.ts";
import type { WirePool } from "./pool.ts";
import type { PostgresChanges } from "./table-changes.ts";
import { Transaction } from "./transaction.ts";
import { LOCK_WITHIN_MS, type Statement } from "./wire.ts";

/** Past this many waiting commands the caller is told to come back, instead of memory growing without end. */
const MOST_WAITING_COMMANDS = 20_000;
const MOST_TRIES = 20;
/** A key that is broken by nobody but the command itself is told after so many. */
const MOST_TRIES_OF_A_BROKEN_KEY = 3;
/** A request is answered by then, whatever its command waits for. */
const LONGEST_MS = 10 * SECOND_MS;
/** More are worth a line in the log. */
const USUAL_TRIES = 5;

export interface CommandsOptions {
  pool: WirePool;
  clock: Clock;
  logger: Logger;
  /** Throws where this process may not write just now. */
  assertOurs: () => void;
  /** Counts what is written here. Without it, other processes are told by NOTIFY. */
  changes?: Pick<PostgresChanges, "changed">;
}

type Try<T> = { isOver: true; value: T } | { isOver: false; fault: DatabaseFault };

export class Commands {
  readonly #options: CommandsOptions;
  readonly #gate: Gate;
  #waiting = 0;
  #commands = 0;
  #repeats = 0;

  constructor(options: CommandsOptions) {
    this.#options = options;
    this.#gate = new Gate(options.clock);
  }

  get stats() {
    return { commits: this.#commands, commands: this.#commands, waiting: this.#waiting, repeats: this.#repeats };
  }

  async write<T>(command: Command<T>, { lane }: WriteOptions = {}): Promise<T> {
    if (this.#waiting >= MOST_WAITING_COMMANDS)
      throw new AppError("UNAVAILABLE", "Too many writes are waiting. Try again.", { retryAfterSeconds: 1 });
    this.#waiting += 1;
    try {
      const run = () => this.#untilItIsOver(command);
      const value = await (lane === undefined ? run() : this.#gate.inLane(lane, run));
      this.#commands += 1;
      return value;
    } catch (error) {
      throw error instanceof DatabaseFault ? toldOutside(error, true) : error;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #untilItIsOver<T>(command: Command<T>): Promise<T> {
    const { clock, logger } = this.#options;
    const untilMs = clock.elapsedMs() + LONGEST_MS;
    await this.#gate.enter(untilMs);
    let tried = await this.#tryOnce(command, 1, untilMs);
    for (let attempt = 2; !tried.isOver; attempt++) {
      if (attempt > MOST_TRIES || clock.elapsedMs() > untilMs) throw tried.fault;
      this.#repeats += 1;
      tried = await this.#gate.repeat(untilMs, () => this.#tryOnce(command, attempt, untilMs));
      if (attempt === USUAL_TRIES) logger.warn("A command meets other writers again and again.", { tries: attempt });
    }
    return tried.value;
  }

  async #tryOnce<T>(command: Command<T>, attempt: number, untilMs: number): Promise<Try<T>> {
    const { pool, clock, assertOurs, changes } = this.#options;
    assertOurs();
    const wire = await pool.take(untilMs - clock.elapsedMs());
    try {
      // Before BEGIN: a transaction sees the database as it was when its first statement began, not when that got its
      // lock.
      if (attempt > 1) await wire.ask("SELECT pg_advisory_lock($1, $2)", REPEAT_LOCK);
      try {
        const use = new Transaction(wire, beginning(untilMs - clock.elapsedMs()), changes === undefined);
        try {
          return await transact(use, command, attempt);
        } finally {
          // Also where the outcome is not known.
          changes?.changed(use.watched);
        }
      } finally {
        // What was committed is not undone by a connection that breaks now; with it the lock goes, too.
        if (attempt > 1) await wire.ask("SELECT pg_advisory_unlock($1, $2)", REPEAT_LOCK).catch(() => wire.end());
      }
    } finally {
      pool.give(wire);
    }
  }
}

async function transact<T>(use: Transaction, command: Command<T>, attempt: number): Promise<Try<T>> {
  let value: T;
  try {
    value = await command(use.tx);
    await use.ended();
    await use.verified();
  } catch (error) {
    await use.ended();
    return await afterFailure(use, error, attempt);
  }
  // Whatever the command made of it: it was told of something that may not be so.
  if (use.firstFault && isRepeated(use.firstFault, attempt)) return afterFailure(use, use.firstFault, attempt);
  return commit(use, value, attempt);
}

async function afterFailure(use: Transaction, error: unknown, attempt: number): Promise<Try<never>> {
  const fault = use.firstFault;
  await use.rollBack();
  if (fault && isRepeated(fault, attempt)) return { isOver: false, fault };
  // What a command throws after its connection was lost comes of that.
  throw fault?.isLost ? fault : error;
}

function isRepeated(fault: DatabaseFault, attempt: number): boolean {
  return isSpoilt(fault) || (isMaybeSpoilt(fault) && attempt < MOST_TRIES_OF_A_BROKEN_KEY);
}

async function commit<T>(use: Transaction, value: T, attempt: number): Promise<Try<T>> {
  // Lost before anything was sent: that is known.
  if (use.wire.isLost) throw new DatabaseFault("The connection was lost.", null, true);
  try {
    const tag = await use.commit();
    // Of a transaction that failed before PostgreSQL makes this, without a word.
    if (tag !== "COMMIT") throw new Error("A statement of a command failed, and the command went on as if it had not.");
    return { isOver: true, value };
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error;
    if (error.isLost) throw new OutcomeUnknown(RETRY_AFTER_SECONDS, error);
    // Of the commit, or of an insert that went with it.
    await use.rollBack();
    if (isRepeated(error, attempt)) return { isOver: false, fault: error };
    throw error;
  }
}

const BEGIN: Statement = { text: "BEGIN ISOLATION LEVEL SERIALIZABLE", values: [] };

/**
 * A command that has waited for its turn waits for locks by so much less. In whole seconds: these statements are kept
 * prepared.
 */
function beginning(leftMs: number): Statement[] {
  const seconds = Math.max(1, Math.floor(leftMs / SECOND_MS));
  if (seconds * SECOND_MS >= LOCK_WITHIN_MS) return [BEGIN];
  return [BEGIN, { text: `SET LOCAL lock_timeout = '${seconds}s'`, values: [] }];
}
