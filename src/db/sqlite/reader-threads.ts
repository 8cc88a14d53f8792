// Threads for heavy reads of SQLite, each with its own read-only connection. A thread is started by the first read that
// finds none idle, and kept.
import Sqlite from "better-sqlite3";
import type { QueryResult } from "kysely";
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { AppError } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { within } from "../../core/within.ts";
import type { HeavyStatement } from "../heavy-reads.ts";
import type { FileKey } from "./cipher.ts";
import { told } from "./direct-dialect.ts";
import type { FromReadWorker, ReadWorker } from "../read-protocol.ts";
import { unavailable } from "./unavailable.ts";

export interface ReaderThreadsOptions {
  file: string;
  key?: FileKey;
  start: () => ReadWorker;
  clock: Clock;
  logger: Logger;
  /** Called with every error of a statement. */
  failed?: (error: unknown) => void;
}

/**
 * This SQLite binding cannot interrupt a statement. A read that takes longer is abandoned: its thread ends with the
 * statement, and the next read gets a new thread.
 */
export const LONGEST_READ_MS = 10 * SECOND_MS;
/** Abandoned threads that are still reading. Each occupies a core, so no more are started meanwhile. */
const MOST_GIVEN_UP = 2;
const LONGEST_CLOSE_MS = SECOND_MS;

interface Thread {
  readonly worker: ReadWorker;
  heard: (message: FromReadWorker) => void;
  ended: (reason: string) => void;
}

const ignore = () => {};

export class ReaderThreads {
  readonly #options: ReaderThreadsOptions;
  readonly #idle: Thread[] = [];
  #givenUp = 0;

  constructor(options: ReaderThreadsOptions) {
    this.#options = options;
  }

  /** Runs one statement on an idle thread. The queue limits the concurrent statements to the number of threads. */
  async run<Row>({ sql, parameters }: HeavyStatement): Promise<QueryResult<Row>> {
    const thread = this.#idle.pop() ?? this.#started();
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult<Row>>();
    thread.heard = (message) => {
      this.#idle.push(thread);
      if (message.type === "rows") resolve({ rows: message.rows as Row[] });
      else if (message.type === "fault") {
        const fault = faultOf(message);
        this.#options.failed?.(fault);
        reject(message.isOpening ? cannotOpen(fault) : told(fault));
      }
    };
    thread.ended = (reason) => {
      this.#options.logger.error("A reader thread ended.", { reason });
      reject(unavailable("This search was interrupted. Try again."));
    };
    const cancel = this.#options.clock.after(LONGEST_READ_MS, () => {
      this.#giveUp(thread);
      reject(unavailable("This search took too long. Narrow it down and try again."));
    });
    thread.worker.post({ type: "ask", sql, parameters });
    return promise.finally(cancel);
  }

  /** Closes the connections of idle threads. No further reads are allowed. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((thread) => this.#end(thread)));
  }

  #started(): Thread {
    if (this.#givenUp >= MOST_GIVEN_UP) throw unavailable("Earlier searches take too long. Try again in a minute.");
    const { start, file, key = null } = this.#options;
    const worker = start();
    const thread: Thread = { worker, heard: ignore, ended: ignore };
    worker.onMessage((message) => thread.heard(message));
    worker.onEnd((reason) => {
      const at = this.#idle.indexOf(thread);
      if (at !== -1) this.#idle.splice(at, 1);
      thread.ended(reason);
    });
    worker.post({ type: "open", file, key });
    return thread;
  }

  #giveUp(thread: Thread): void {
    this.#options.logger.warn("A heavy read was given up.", { after_ms: LONGEST_READ_MS });
    this.#givenUp += 1;
    thread.heard = ignore;
    thread.ended = () => void (this.#givenUp -= 1);
    thread.worker.terminate();
  }

  async #end(thread: Thread): Promise<void> {
    thread.ended = ignore;
    await within(
      this.#options.clock,
      LONGEST_CLOSE_MS,
      () =>
        new Promise<void>((resolve) => {
          thread.heard = () => resolve();
          thread.worker.post({ type: "close" });
        }),
      undefined,
    );
    thread.worker.terminate();
  }
}

function faultOf({ code, message }: { code: string | null; message: string }): unknown {
  return code === null ? new Error(message) : new Sqlite.SqliteError(message, code);
}

/** A thread started while the disk is full or read-only cannot open the file. The serving thread opened it earlier. */
const cannotOpen = (cause: unknown): AppError => unavailable("The database cannot be searched now. Try again.", cause);
