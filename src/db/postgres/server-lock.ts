// One server per database: an advisory lock on a dedicated connection. If that connection is lost, nothing is written
// until the lock is held again. If another server holds it by then, this one stops.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { AppError, messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { DatabaseFault, RETRY_AFTER_SECONDS } from "./faults.ts";
import { SERVER_LOCK } from "./locks.ts";
import { CHANNEL, type PostgresChanges } from "./table-changes.ts";
import type { Wire } from "./wire.ts";

const TRY_AGAIN_MS = SECOND_MS;
/**
 * PostgreSQL ends the session of an unreachable server after 14 s (keepalives, see wire.ts), and another server may
 * then take the lock. This server must notice before that: it queries every 3 s and waits 6 s for the answer.
 */
const ASK_EVERY_MS = 3 * SECOND_MS;
export const LOCK_ANSWER_WITHIN_MS = 6 * SECOND_MS;

export interface ServerLockOptions {
  open: (notified: () => void) => Promise<Wire>;
  /**
   * Application name of our connections: another holder of the lock with this name is a former session of ours that
   * PostgreSQL has not ended yet.
   */
  name: string;
  clock: Clock;
  logger: Logger;
  /** Called when another server uses the database. */
  taken: () => void;
  /** Other processes report their changes on this connection, which is always open. */
  changes: Pick<PostgresChanges, "listening" | "changedElsewhere">;
}

export class ServerLock {
  readonly #options: ServerLockOptions;
  #wire: Wire | null = null;
  #cancel: () => void = () => {};
  #cancelAsk: () => void = () => {};
  #isReleased = false;

  private constructor(options: ServerLockOptions) {
    this.#options = options;
  }

  /** Null if another server holds it. */
  static async take(options: ServerLockOptions): Promise<ServerLock | null> {
    const lock = new ServerLock(options);
    return (await lock.#take()) ? lock : null;
  }

  get isHeld(): boolean {
    return this.#wire !== null;
  }

  assertHeld(): void {
    if (this.#wire) return;
    throw new AppError("UNAVAILABLE", "The database cannot be reached now. Nothing was changed; try again.", {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  release(): void {
    this.#isReleased = true;
    this.#cancel();
    this.#cancelAsk();
    this.#wire?.end();
    this.#wire = null;
  }

  async #take(): Promise<boolean> {
    const { open, changes } = this.#options;
    const wire = await open(() => changes.changedElsewhere());
    let isOurs = false;
    try {
      isOurs = (await tryServerLock(wire)) || (await this.#takeFromGhost(wire));
      if (isOurs) await wire.query(`LISTEN ${CHANNEL}`);
    } finally {
      if (!isOurs) wire.end();
    }
    if (!isOurs) return false;
    this.#wire = wire;
    changes.listening(true);
    void wire.lost.then(() => this.#lost());
    this.#askLater(wire);
    return true;
  }

  #askLater(wire: Wire): void {
    this.#cancelAsk = this.#options.clock.after(ASK_EVERY_MS, () => {
      wire.query("SELECT 1").then(
        () => this.#wire === wire && this.#askLater(wire),
        () => wire.end(),
      );
    });
  }

  async #takeFromGhost(wire: Wire): Promise<boolean> {
    const { rows } = await wire.query(
      "SELECT pg_terminate_backend(a.pid, 2000) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid " +
        "WHERE l.locktype = 'advisory' AND l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) " +
        "AND l.classid = $1 AND l.objid = $2 AND a.application_name = $3 AND a.pid <> pg_backend_pid()",
      [...SERVER_LOCK, this.#options.name],
    );
    if (rows.length === 0) return false;
    if (await tryServerLock(wire)) return true;
    // It is still our own session, which PostgreSQL has not ended yet: no other server is using the database.
    throw new DatabaseFault("An earlier session of this server still holds the lock.", "55P03", false);
  }

  #lost(): void {
    this.#wire = null;
    this.#options.changes.listening(false);
    if (this.#isReleased) return;
    this.#options.logger.warn("The connection to the database was lost; writes resume when it is restored.");
    this.#tryLater();
  }

  #tryLater(): void {
    this.#cancel = this.#options.clock.after(TRY_AGAIN_MS, () => void this.#again());
  }

  async #again(): Promise<void> {
    const { logger, taken } = this.#options;
    const isOurs = await this.#take().catch((error: unknown) => {
      logger.debug("The database cannot be reached yet.", { error: messageOf(error) });
      return null;
    });
    if (this.#isReleased) this.release();
    else if (isOurs === true) logger.info("The database is back.");
    else if (isOurs === null) this.#tryLater();
    else {
      logger.error("Another server is using this database; stopping.");
      taken();
    }
  }
}

/** Whether a server holds it; checked without taking it. */
export async function isServerLockHeld(wire: Wire): Promise<boolean> {
  const { rows } = await wire.query(
    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = $1 AND objid = $2 " +
      "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    SERVER_LOCK,
  );
  return rows.length > 0;
}

/** Held until the connection ends. */
export async function tryServerLock(wire: Wire): Promise<boolean> {
  const { rows } = await wire.query("SELECT pg_try_advisory_lock($1, $2) AS taken", SERVER_LOCK);
  return (rows[0] as { taken: boolean }).taken;
}
