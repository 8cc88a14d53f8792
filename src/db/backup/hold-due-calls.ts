// Holds work in a restored database. A backup is older than now: the appliance it came from may already have made calls
// and delivered events that were due since. They are held before the database is used, until a person decides.
import Sqlite from "better-sqlite3";
import { unlock, type FileKey } from "../sqlite/cipher.ts";
import type { Connection } from "../sqlite/connection.ts";

export const RESTORED_HOLD = "restored_from_backup";

/**
 * Tables whose rows a restore changes in number: openings are withdrawn, triggers note what was held, and the keys of
 * people come from their own file.
 */
export const CHANGED_BY_RESTORE: readonly string[] = [
  "changes",
  "waiting_openings",
  "person_keys",
  "person_key_stores",
  "erasures_to_repeat",
];

/** The reason shown for a disabled endpoint. */
export const MAYBE_DELIVERED =
  "The database was put back to an older state: what waits here may have been delivered already. " +
  "Enable it to send or discard them.";

/** The end of the year 9999: the due time of a call that never becomes due by itself. */
export const UNTIL_RELEASED_MS = 253_402_300_799_000;

/** Returns the number of held calls. */
export function holdDueCalls(databaseFile: string, restoredAt: number, key: FileKey = null): number {
  const connection = new Sqlite(databaseFile, { fileMustExist: true });
  unlock(connection, key);
  try {
    // The restore puts a single file in place, without a WAL.
    connection.pragma("journal_mode = DELETE");
    connection.pragma("synchronous = FULL");
    // Waiting-list entries must not remain in the free space of the file.
    connection.pragma("secure_delete = ON");
    pauseCampaignsIn(connection, restoredAt);
    forgetOpeningsIn(connection);
    holdDeliveriesIn(connection, restoredAt);
    return holdDueIn(connection, restoredAt);
  } finally {
    connection.close();
  }
}

/** It is unknown whom they have called since: a person checks before they continue. */
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
 * It is unknown whether an opened slot is still free and who was asked since, so no calls are made about it
 * automatically.
 */
export function forgetOpeningsIn(connection: Connection): void {
  const openings = connection
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'waiting_openings'")
    .get();
  if (openings !== undefined) connection.prepare("DELETE FROM waiting_openings").run();
}

/**
 * Disables the endpoint, as after too many failures: enabling it again includes the choice of what happens to the
 * pending deliveries.
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

/** Queued calls were due before the backup was made, regardless of their hold reason. */
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

/** People due since may already have been reminded; they are listed, and can be reminded manually. */
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
