// A backup is older than now: calls that were due since may have been made already, and events delivered, by the
// appliance it was taken from. They are held inside the restored database, before anything can use it, until a person
// decides.
import Sqlite from "better-sqlite3";
import type { Connection } from "../sqlite/connection.ts";

export const RESTORED_HOLD = "restored_from_backup";

/** Why an endpoint is off. */
export const MAYBE_DELIVERED =
  "The database was put back to an older state: what waits here may have been delivered already. " +
  "Switch it on to send it, or to give it up.";

/** The end of the year 9999: the dispatcher's time for a call that no time makes due. */
export const UNTIL_RELEASED_MS = 253_402_300_799_000;

/** Answers how many calls are held now. */
export function holdDueCalls(databaseFile: string, restoredAt: number): number {
  const connection = new Sqlite(databaseFile, { fileMustExist: true });
  try {
    // One file, without a WAL beside it, is what the restore puts in place.
    connection.pragma("journal_mode = DELETE");
    connection.pragma("synchronous = FULL");
    // Who waited for a place is not to be left in the free space of the file.
    connection.pragma("secure_delete = ON");
    pauseCampaignsIn(connection, restoredAt);
    forgetOpeningsIn(connection);
    holdDeliveriesIn(connection, restoredAt);
    return holdDueIn(connection, restoredAt);
  } finally {
    connection.close();
  }
}

/** Whom they have called since, nobody knows: a person looks before they go on. */
export function pauseCampaignsIn(connection: Connection, restoredAt: number): void {
  const campaigns = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'campaigns'").get();
  if (campaigns === undefined) return;
  connection
    .prepare(
      "UPDATE campaigns SET state = 'paused', look_at = NULL, updated_at = ? WHERE state IN ('ready', 'running')",
    )
    .run(restoredAt);
}

/**
 * Whether a place that had opened is still free, and who was asked since, nobody knows: nobody is called about it by
 * itself.
 */
export function forgetOpeningsIn(connection: Connection): void {
  const openings = connection
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'waiting_openings'")
    .get();
  if (openings !== undefined) connection.prepare("DELETE FROM waiting_openings").run();
}

/**
 * The endpoint is switched off, as after too many failures: whoever switches it on again chooses what becomes of them.
 */
export function holdDeliveriesIn(connection: Connection, restoredAt: number): void {
  const endpoints = connection
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'webhook_endpoints'")
    .get();
  if (endpoints === undefined) return;
  connection
    .prepare(
      "UPDATE webhook_endpoints SET enabled = 0, disabled_reason = ?, updated_at = ? WHERE enabled = 1 AND EXISTS " +
        "(SELECT 1 FROM deliveries WHERE endpoint_id = webhook_endpoints.id AND state = 'pending')",
    )
    .run(MAYBE_DELIVERED, restoredAt);
}

/** Queued calls were due before the backup was made, whatever they waited for. */
export function holdDueIn(connection: Connection, restoredAt: number): number {
  const calls = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'calls'").get();
  if (calls === undefined) return 0;
  takeBackReminders(connection, restoredAt);
  return connection
    .prepare(
      "UPDATE calls SET state = 'queued', hold_reason = ?, next_at = ?, updated_at = ? " +
        "WHERE state = 'queued' OR (state = 'scheduled' AND next_at <= ?)",
    )
    .run(RESTORED_HOLD, UNTIL_RELEASED_MS, restoredAt, restoredAt).changes;
}

/** Whoever was due since may have been reminded already; they are listed, and can be reminded by hand. */
function takeBackReminders(connection: Connection, restoredAt: number): void {
  const reminders = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'reminders'").get();
  if (reminders === undefined) return;
  connection
    .prepare(
      "UPDATE reminders SET state = 'cancelled', outcome = 'restored', next_at = NULL, updated_at = ? " +
        "WHERE state = 'pending' AND next_at <= ?",
    )
    .run(restoredAt, restoredAt);
}
