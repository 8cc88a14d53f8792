// Group commit: commands that arrive together share one transaction and one fsync, each in a savepoint of its own.
// An answer is given only after the commit. Measured on two cores: about 2,000 single commits a second, 8,600 and more grouped.
import { SECOND_MS, systemClock, type Clock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import { guarded, kyselyOn, waitNowhere, type Connection } from "./connection.ts";
import { isBusy } from "./direct-dialect.ts";
import type { Tx } from "./tables.ts";

/** A command talks to the database alone: while it runs, every other write waits. */
export type Command<T> = (tx: Tx) => Promise<T>;

export interface Writer {
  write<T>(command: Command<T>): Promise<T>;
  /** Resolves when everything handed in so far is on disk or refused. */
  drain(): Promise<void>;
  readonly stats: { readonly commits: number; readonly commands: number; readonly waiting: number };
}

interface Pending {
  run: Command<unknown>;
  sinceMs: number;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

type Outcome = { ok: true; value: unknown } | { ok: false; reason: unknown };

/** Bounds how long the first command of a batch waits for the last. */
const MOST_COMMANDS_PER_COMMIT = 256;
/** Past this many waiting commands the caller is told to come back, instead of memory growing without end. */
const MOST_WAITING_COMMANDS = 20_000;
/** How long a command waits for another process (a CLI command, somebody's sqlite3) to let go of the database. */
const LONGEST_LOCK_WAIT_MS = 5 * SECOND_MS;
const TRY_LOCK_EVERY_MS = 10;
/** A command that writes for a moment is nothing to speak of. */
const TELL_LOCK_AFTER_MS = SECOND_MS;

export function createWriter(connection: Connection, logger: Logger, clock: Clock = systemClock): Writer {
  // SQLite would wait by holding up the whole thread: every request, every read. Here only the writes wait.
  if (connection.open) waitNowhere(connection);
  const queue: Pending[] = [];
  let lockedOutSinceMs: number | undefined;
  let isLockTold = false;
  let running: Promise<void> | undefined;
  let commits = 0;
  let commands = 0;

  const database = kyselyOn(connection);

  async function runAll(): Promise<void> {
    while (queue.length > 0) {
      // Lets the requests of this turn of the event loop join the batch.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = () => queue.splice(0, MOST_COMMANDS_PER_COMMIT);
      try {
        connection.exec("BEGIN IMMEDIATE");
      } catch (error) {
        if (isBusy(error)) await waitForLock();
        else abandon(batch(), error);
        continue;
      }
      hasLock();
      await runBatch(batch());
    }
    running = undefined;
  }

  async function waitForLock(): Promise<void> {
    lockedOutSinceMs ??= clock.elapsedMs();
    await new Promise<void>((resolve) => void clock.after(TRY_LOCK_EVERY_MS, resolve));
    const nowMs = clock.elapsedMs();
    if (!isLockTold && nowMs - lockedOutSinceMs >= TELL_LOCK_AFTER_MS) {
      isLockTold = true;
      logger.warn("Another program holds the database; writes wait for it.");
    }
    const firstPatient = queue.findIndex(({ sinceMs }) => nowMs - sinceMs < LONGEST_LOCK_WAIT_MS);
    for (const { reject } of queue.splice(0, firstPatient === -1 ? queue.length : firstPatient))
      reject(unavailable("Another program holds the database. Nothing was changed; try again."));
  }

  function hasLock(): void {
    if (isLockTold) logger.info("The database can be written again.");
    isLockTold = false;
    lockedOutSinceMs = undefined;
  }

  async function runBatch(batch: Pending[]): Promise<void> {
    const outcomes: Outcome[] = [];
    try {
      for (const pending of batch) outcomes.push(await runInSavepoint(pending.run));
      connection.exec("COMMIT");
    } catch (error) {
      abandon(batch, error);
      return;
    }
    commits += 1;
    commands += batch.length;
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.ok) batch[i]?.resolve(outcome.value);
      else batch[i]?.reject(outcome.reason);
    }
  }

  async function runInSavepoint(run: Command<unknown>): Promise<Outcome> {
    let ended = false;
    const tx = guarded(database, () => {
      if (ended || !connection.inTransaction) throw new Error("A transaction was used after its command had ended.");
    }) as Tx;
    connection.exec("SAVEPOINT command");
    try {
      const value = await run(tx);
      ended = true;
      connection.exec("RELEASE command");
      return { ok: true, value };
    } catch (reason) {
      ended = true;
      // A full disk or an I/O error makes SQLite give up the whole transaction: then nobody's work is kept.
      if (!connection.inTransaction) throw reason;
      connection.exec("ROLLBACK TO command; RELEASE command");
      return { ok: false, reason };
    }
  }

  function abandon(batch: Pending[], error: unknown): void {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    logger.error("A commit failed and its commands were rolled back.", {
      error: messageOf(error),
      commands: batch.length,
    });
    const refusal = unavailable("The database could not store this now. Nothing was changed; try again.", error);
    for (const pending of batch) pending.reject(refusal);
  }

  return {
    write<T>(command: Command<T>): Promise<T> {
      if (queue.length >= MOST_WAITING_COMMANDS) {
        return Promise.reject(unavailable("Too many writes are waiting. Try again."));
      }
      return new Promise<T>((resolve, reject) => {
        queue.push({ run: command, sinceMs: clock.elapsedMs(), resolve, reject });
        running ??= runAll();
      });
    },
    async drain() {
      while (running) await running;
    },
    get stats() {
      return { commits, commands, waiting: queue.length };
    },
  };
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError("UNAVAILABLE", message, { retryAfterSeconds: 1, cause });
}
