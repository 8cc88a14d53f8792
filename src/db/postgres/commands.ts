// Runs each command as one SERIALIZABLE transaction on a pooled connection. After a serialization failure it is rolled
// back and retried; from the second attempt on, no other retry runs at the same time.
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

/** Backpressure: beyond this backlog callers are told to retry, instead of memory growing without bound. */
const MOST_WAITING_COMMANDS = 20_000;
const MOST_TRIES = 20;
/** A key violation that persists after this many attempts is caused by the command itself, and is reported. */
const MOST_TRIES_OF_A_BROKEN_KEY = 3;
/** Deadline of a command: a request is answered by then. */
const LONGEST_MS = 10 * SECOND_MS;
/** More attempts are logged. */
const USUAL_TRIES = 5;

export interface CommandsOptions {
  pool: WirePool;
  clock: Clock;
  logger: Logger;
  /** Throws if this process may not write now. */
  assertOurs: () => void;
  /** Counts the changes made here. Without it, other processes are notified by NOTIFY. */
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
      if (attempt === USUAL_TRIES) logger.warn("A command keeps conflicting with other writers.", { tries: attempt });
    }
    return tried.value;
  }

  async #tryOnce<T>(command: Command<T>, attempt: number, untilMs: number): Promise<Try<T>> {
    const { pool, clock, assertOurs, changes } = this.#options;
    assertOurs();
    const wire = await pool.take(untilMs - clock.elapsedMs());
    try {
      // Before BEGIN: a transaction's snapshot is taken when its first statement starts, not when that statement gets
      // its lock.
      if (attempt > 1) await wire.ask("SELECT pg_advisory_lock($1, $2)", REPEAT_LOCK);
      try {
        const use = new Transaction(wire, beginning(untilMs - clock.elapsedMs()), changes === undefined);
        try {
          return await transact(use, command, attempt);
        } finally {
          // Also if the outcome is unknown.
          changes?.changed(use.watched);
        }
      } finally {
        // A connection that breaks now does not undo the commit; the lock is released with it.
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
  // Retried even if the command handled the error: its result may be based on wrong data.
  if (use.firstFault && isRepeated(use.firstFault, attempt)) return afterFailure(use, use.firstFault, attempt);
  return commit(use, value, attempt);
}

async function afterFailure(use: Transaction, error: unknown, attempt: number): Promise<Try<never>> {
  const fault = use.firstFault;
  await use.rollBack();
  if (fault && isRepeated(fault, attempt)) return { isOver: false, fault };
  // An error after the connection was lost is a consequence of that.
  throw fault?.isLost ? fault : error;
}

function isRepeated(fault: DatabaseFault, attempt: number): boolean {
  return isSpoilt(fault) || (isMaybeSpoilt(fault) && attempt < MOST_TRIES_OF_A_BROKEN_KEY);
}

async function commit<T>(use: Transaction, value: T, attempt: number): Promise<Try<T>> {
  // Lost before COMMIT was sent, so the outcome is known.
  if (use.wire.isLost) throw new DatabaseFault("The connection was lost.", null, true);
  try {
    const tag = await use.commit();
    // PostgreSQL turns the COMMIT of a failed transaction into a ROLLBACK without an error.
    if (tag !== "COMMIT") throw new Error("A statement of a command failed and the command ignored the failure.");
    return { isOver: true, value };
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error;
    if (error.isLost) throw new OutcomeUnknown(RETRY_AFTER_SECONDS, error);
    // The error comes from the commit, or from an insert sent with it.
    await use.rollBack();
    if (isRepeated(error, attempt)) return { isOver: false, fault: error };
    throw error;
  }
}

const BEGIN: Statement = { text: "BEGIN ISOLATION LEVEL SERIALIZABLE", values: [] };

/**
 * Shortens the lock timeout by the time already spent waiting. In whole seconds, because these statements stay
 * prepared.
 */
function beginning(leftMs: number): Statement[] {
  const seconds = Math.max(1, Math.floor(leftMs / SECOND_MS));
  if (seconds * SECOND_MS >= LOCK_WITHIN_MS) return [BEGIN];
  return [BEGIN, { text: `SET LOCAL lock_timeout = '${seconds}s'`, values: [] }];
}
