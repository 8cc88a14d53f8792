// Creates a data folder with many scheduled calls, offline: the executable creates its demo hospital, then rows are
// inserted directly, because a million calls through the API would take an hour.
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { newCallRow } from "../../src/calls/call/new-call.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createIds } from "../../src/core/ids.ts";
import type { Agent } from "../../src/agents/records.ts";
import type { Call } from "../../src/calls/call/records.ts";
import { startBinary, tempFolder } from "../../test/support/binary.ts";

const ROWS_PER_COMMIT = 20_000;

/** Removes everything that delays a call (plan, credits, lines, hours), and all retries. */
export const OPEN_ALL = `
  UPDATE organisations SET unlimited_credits = 1, plan = 'enterprise';
  UPDATE agents SET calling_hours = NULL, retry_attempts = 0;
  UPDATE phone_numbers SET concurrent_calls = 100000`;

export interface CallsToMake {
  calls: number;
  /** When the i-th is due. */
  dueAt(i: number): number;
  /** The last four digits select the simulator's behaviour. */
  numberOf(i: number): string;
}

/** The demo hospital only. Returns its folder. */
export async function emptyHospital(): Promise<string> {
  const dataDir = tempFolder();
  await (await startBinary({ dataDir })).stop();
  const db = new Sqlite(join(dataDir, "ringward.db"));
  db.exec(OPEN_ALL);
  db.close();
  return dataDir;
}

export function addCalls(dataDir: string, { calls, dueAt, numberOf }: CallsToMake): void {
  const db = new Sqlite(join(dataDir, "ringward.db"));
  db.pragma("synchronous = OFF");
  db.pragma("cache_size = -200000");
  const agent = db.prepare("SELECT * FROM agents WHERE type = 'outbound' LIMIT 1").get() as Agent;
  const ids = createIds(systemClock);
  const row: Call = newCallRow(
    ids,
    {
      organisationId: agent.organisation_id,
      agent,
      source: "api",
      contactNumber: "",
      contactName: "Test Patient",
      contactEmail: null,
      preferredLanguage: null,
      additionalInfo: { doctor: "Dr. Example", visit: "annual check-up" },
      scheduledAt: 0,
    },
    Date.now(),
  );
  const columns = Object.keys(row);
  const values = columns.map((column) => `@${column}`).join(", ");
  const insert = db.prepare(`INSERT INTO calls (${columns.join(", ")}) VALUES (${values})`);
  const putBack = calls > ROWS_PER_COMMIT ? withoutIndexes(db) : () => {};
  for (let from = 0; from < calls; from += ROWS_PER_COMMIT) {
    db.transaction(() => {
      for (let i = from; i < Math.min(calls, from + ROWS_PER_COMMIT); i++) {
        const at = Math.round(dueAt(i));
        insert.run({ ...row, id: ids.next("call"), contact_number: numberOf(i), scheduled_at: at, next_at: at });
      }
    })();
  }
  putBack();
  // Syncs to disk; otherwise the first fsync of the next process takes seconds.
  db.pragma("synchronous = FULL");
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
}

/**
 * Building indexes at the end, in order, takes a tenth of the time. Returns a function that restores them and the
 * triggers.
 */
function withoutIndexes(db: Sqlite.Database): () => void {
  const schema = db
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'calls' AND type <> 'table' AND sql IS NOT NULL",
    )
    .all() as { type: string; name: string; sql: string }[];
  for (const { type, name } of schema) db.exec(`DROP ${type} "${name}"`);
  return () => db.exec(schema.map(({ sql }) => sql).join(";\n"));
}
