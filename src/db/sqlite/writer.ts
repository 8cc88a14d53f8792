// Group commit: concurrent commands share one transaction and one fsync. If one fails after a write, all are rolled
// back and retried, each in its own savepoint. Commands are answered once the commit is on disk (see
// durable-commits.ts). Measured on two cores: about 2,000 single commits a second, 8,600 and more grouped.
import { SECOND_MS, systemClock, type Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { OutcomeUnknown } from "../outcome-unknown.ts";
import type { Command, DatabaseStats } from "../port.ts";
import type { Tx } from "../tables.ts";
import { guarded, kyselyOn, waitNowhere, type Connection } from "./connection.ts";
import { isBusy } from "./direct-dialect.ts";
import type { Durability } from "./durable-commits.ts";
import { LockWait } from "./lock-wait.ts";
import type { TableChanges } from "./table-changes.ts";
import { diskFailed, RETRY_AFTER_SECONDS, unavailable } from "./unavailable.ts";

export interface Writer {
  write<T>(command: Command<T>): Promise<T>;
  /** Runs while no command does and every commit is on disk. It must not wait for a command. */
  between<T>(run: () => T | Promise<T>): Promise<T>;
  /** Resolves when everything committed so far is on disk; rejects if that is unknown. */
  durable(): Promise<void>;
  /** Resolves when everything submitted so far is on disk or rejected. */
  drain(): Promise<void>;
  readonly stats: Pick<DatabaseStats, "commits" | "commands" | "waiting" | "repeats" | "lockWaitMs">;
}

interface Pending {
  run: Command<unknown>;
  /** Runs in its own savepoint, because another command of its batch failed. */
  isApart: boolean;
  sinceMs: number;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

type Outcome = { ok: true; value: unknown } | { ok: false; reason: unknown };

/** Bounds how long the first command of a batch waits for the last. */
const MOST_COMMANDS_PER_COMMIT = 256;
/** Backpressure: beyond this backlog callers are told to retry, instead of memory growing without bound. */
const MOST_WAITING_COMMANDS = 20_000;
/** How long a command waits for another process (a CLI command, a sqlite3 shell) to release the database. */
const LONGEST_LOCK_WAIT_MS = 5 * SECOND_MS;

export function createWriter(
  connection: Connection,
  logger: Logger,
  clock: Clock = systemClock,
  changes?: TableChanges,
  /** Called after each commit, when all commands are answered. */
  committed: () => void = () => {},
  /** Called with every error of a statement. */
  failed?: (error: unknown) => void,
  /** Without it COMMIT itself waits for the disk. */
  durability: Durability | null = null,
): Writer {
  return new GroupCommit(connection, logger, clock, changes, committed, failed, durability);
}

class GroupCommit implements Writer {
  readonly #connection: Connection;
  #prepared: ReturnType<typeof stepsOn> | undefined;
  readonly #database: ReturnType<typeof kyselyOn>;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #lock: LockWait;
  readonly #changes: TableChanges | undefined;
  readonly #committed: () => void;
  readonly #durability: Durability | null;
  readonly #queue: Pending[] = [];
  readonly #betweens: (() => Promise<void>)[] = [];
  /** The fsync of the last commit, while it runs. Rejects if the disk failed. */
  #flushing: Promise<void> | null = null;
  /** The disk failed after a commit: it is unknown how much of it would survive a power loss. */
  #isInDoubt = false;
  #running: Promise<void> | undefined;
  #commits = 0;
  #commands = 0;
  /** Counts write statements, whether or not they changed a row. */
  #writes = 0;
  #repeats = 0;

  constructor(
    connection: Connection,
    logger: Logger,
    clock: Clock,
    changes: TableChanges | undefined,
    committed: () => void,
    failed: ((error: unknown) => void) | undefined,
    durability: Durability | null,
  ) {
    // SQLite would wait by blocking the whole thread: every request, every read. Here only the writes wait.
    if (connection.open) waitNowhere(connection);
    this.#connection = connection;
    this.#changes = changes;
    this.#committed = committed;
    this.#durability = durability;
    this.#database = kyselyOn(connection, {
      failed,
      wrote: (sql, parameters) => {
        this.#writes += 1;
        changes?.wrote(sql, parameters);
      },
    });
    this.#logger = logger;
    this.#clock = clock;
    this.#lock = new LockWait(clock, logger);
  }

  /** Prepared on first use, so the writer gets the error of an unusable database. */
  get #steps(): ReturnType<typeof stepsOn> {
    return (this.#prepared ??= stepsOn(this.#connection));
  }

  get stats(): Writer["stats"] {
    return {
      commits: this.#commits,
      commands: this.#commands,
      waiting: this.#queue.length,
      repeats: this.#repeats,
      lockWaitMs: this.#lock.waitedMs,
    };
  }

  write<T>(command: Command<T>): Promise<T> {
    if (this.#queue.length >= MOST_WAITING_COMMANDS) {
      return Promise.reject(unavailable("Too many writes are waiting. Try again."));
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run: command, isApart: false, sinceMs: this.#clock.elapsedMs(), resolve, reject });
      this.#running ??= this.#runAll();
    });
  }

  between<T>(run: () => T | Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#betweens.push(() => Promise.try(run).then(resolve, reject));
      this.#running ??= this.#runAll();
    });
  }

  async durable(): Promise<void> {
    await this.#flushing?.catch(() => {});
    if (this.#isInDoubt) throw diskFailed();
  }

  async drain(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #runAll(): Promise<void> {
    while (this.#queue.length > 0 || this.#betweens.length > 0) {
      const between = this.#betweens.shift();
      if (between) {
        await between();
        continue;
      }
      // Lets the requests of this event loop turn join the batch.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#isInDoubt && !(await this.#isCertainAgain())) {
        for (const pending of this.#nextBatch()) pending.reject(diskFailed());
        continue;
      }
      try {
        this.#steps.begin.run();
      } catch (error) {
        if (isBusy(error)) await this.#waitForLock();
        else this.#abandon(this.#nextBatch(), error);
        continue;
      }
      this.#lock.taken();
      this.#changes?.begun();
      await this.#runBatch(this.#nextBatch());
    }
    this.#running = undefined;
  }

  #nextBatch(): Pending[] {
    return this.#queue.splice(0, MOST_COMMANDS_PER_COMMIT);
  }

  async #waitForLock(): Promise<void> {
    await this.#lock.wait();
    const nowMs = this.#clock.elapsedMs();
    const firstPatient = this.#queue.findIndex(({ sinceMs }) => nowMs - sinceMs < LONGEST_LOCK_WAIT_MS);
    for (const { reject } of this.#queue.splice(0, firstPatient === -1 ? this.#queue.length : firstPatient))
      reject(unavailable("Another program holds the database. Nothing was changed; try again."));
  }

  async #runBatch(batch: Pending[]): Promise<void> {
    let outcomes: Outcome[] | null;
    const writesBefore = this.#writes;
    let durability: Durability | null = null;
    try {
      outcomes = await (batch.some(({ isApart }) => isApart) ? this.#runApart(batch) : this.#runTogether(batch));
      if (this.#writes > writesBefore) durability = this.#durability;
      if (outcomes) this.#commit(durability);
      else this.#steps.rollback.run();
    } catch (error) {
      this.#abandon(batch, error);
      return;
    }
    if (!outcomes) this.#putBack(batch);
    else if (!durability || (await this.#isFlushed(batch, durability))) this.#answer(batch, outcomes);
  }

  #commit(durability: Durability | null): void {
    try {
      durability?.hold();
      this.#steps.commit.run();
    } catch (error) {
      durability?.release();
      throw error;
    }
  }

  /** The next batch starts after the fsync, so no command depends on data that may be lost. */
  async #isFlushed(batch: readonly Pending[], durability: Durability): Promise<boolean> {
    try {
      this.#flushing = durability.flush();
      await this.#flushing;
      durability.release();
      return true;
    } catch (error) {
      this.#isInDoubt = true;
      this.#logger.error("The disk failed after a commit. Writes are stopped until the state is verified.", {
        error: messageOf(error),
        commands: batch.length,
      });
      const refusal = new OutcomeUnknown(RETRY_AFTER_SECONDS, error, "The disk failed");
      for (const pending of batch) pending.reject(refusal);
      return false;
    } finally {
      this.#flushing = null;
    }
  }

  async #isCertainAgain(): Promise<boolean> {
    try {
      await this.#durability?.flushAgain();
      this.#durability?.release();
    } catch (error) {
      this.#logger.error("The disk still fails. Writes remain stopped.", { error: messageOf(error) });
      return false;
    }
    this.#isInDoubt = false;
    this.#attempt("Noting a commit failed.", () => this.#changes?.committed());
    this.#logger.info("The disk works again, and every commit is stored.");
    return true;
  }

  /**
   * Without savepoints: inside one, SQLite copies every page before its first change. Null if a command failed after a
   * write, because its writes cannot be undone separately.
   */
  async #runTogether(batch: Pending[]): Promise<Outcome[] | null> {
    const outcomes: Outcome[] = [];
    for (const { run } of batch) {
      const writesBefore = this.#writes;
      const outcome = await this.#outcomeOf(run);
      if (!outcome.ok && this.#writes > writesBefore) return null;
      outcomes.push(outcome);
    }
    return outcomes;
  }

  /** Each in its own savepoint. */
  async #runApart(batch: Pending[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const { run } of batch) {
      this.#steps.save.run();
      const outcome = await this.#outcomeOf(run);
      if (!outcome.ok) this.#steps.backToSave.run();
      this.#steps.release.run();
      outcomes.push(outcome);
    }
    return outcomes;
  }

  #answer(batch: Pending[], outcomes: readonly Outcome[]): void {
    this.#attempt("Noting a commit failed.", () => this.#changes?.committed());
    this.#commits += 1;
    this.#commands += batch.length;
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.ok) batch[i]?.resolve(outcome.value);
      else batch[i]?.reject(outcome.reason);
    }
    this.#attempt("The work after a commit failed.", this.#committed);
  }

  /** Errors after a commit neither revoke its acknowledgement nor stop the next command. */
  #attempt(failure: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#logger.error(failure, { error: messageOf(error) });
    }
  }

  /** To the front, because they came first. A command may run more than once: see port.ts. */
  #putBack(batch: Pending[]): void {
    this.#changes?.rolledBack();
    this.#repeats += batch.length;
    for (const pending of batch) pending.isApart = true;
    this.#queue.unshift(...batch);
  }

  async #outcomeOf(run: Command<unknown>): Promise<Outcome> {
    const connection = this.#connection;
    let ended = false;
    const isUsable = () => !ended && connection.inTransaction;
    const tx = guarded(this.#database, isUsable, this.#changes?.unwritten) as Tx;
    try {
      return { ok: true, value: await run(tx) };
    } catch (reason) {
      // On a full disk or an I/O error SQLite rolls back the whole transaction: then all commands fail.
      if (!connection.inTransaction) throw reason;
      return { ok: false, reason };
    } finally {
      ended = true;
    }
  }

  #abandon(batch: Pending[], error: unknown): void {
    // If this fails, the next BEGIN fails too, and leads here again.
    this.#attempt("A rollback failed.", () => {
      if (this.#connection.inTransaction) this.#connection.exec("ROLLBACK");
      this.#changes?.rolledBack();
    });
    this.#logger.error("A commit failed and its commands were rolled back.", {
      error: messageOf(error),
      commands: batch.length,
    });
    const refusal = unavailable("The database could not store this now. Nothing was changed; try again.", error);
    for (const pending of batch) pending.reject(refusal);
  }
}

/** Prepared once, because every command runs them. */
function stepsOn(connection: Connection) {
  return {
    begin: connection.prepare("BEGIN IMMEDIATE"),
    save: connection.prepare("SAVEPOINT command"),
    backToSave: connection.prepare("ROLLBACK TO command"),
    release: connection.prepare("RELEASE command"),
    rollback: connection.prepare("ROLLBACK"),
    commit: connection.prepare("COMMIT"),
  };
}
