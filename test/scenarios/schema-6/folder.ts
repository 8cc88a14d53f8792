// A data folder as left by Ringward with schema 6: rows.sql in the schema of the first six migrations, its encryption
// key, and a recording for each call that has one. The original recordings are replaced by one second of distinct noise
// each.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { mulawWavHeader } from "../../../src/audio/wav.ts";
import { APPLICATION_ID } from "../../../src/db/sqlite/connection.ts";
import { MIGRATIONS } from "../../../src/db/migrations.ts";

export const OLD_SCHEMA = 6;
export const OLD_KEY = "rw_live_01m7p8a35y00065spberc29gpt_1iwpWxb_DI44ZCmb0n5AQhHgJ-MSYUWudJAas54nT0A";

const ROOT_KEY = "2ILIYWEeF4wFsjB7xt2CL9pO7Omc/oUVn4y1uDzoRXo=";
const MONTH_MS = 30 * 86_400_000;
const BYTES_PER_RECORDING = 16_000;

export type Row = Readonly<Record<string, string | number | null>>;

/** Adds `copies` of each finished call, so that an upgrade takes long enough. */
export function layOutOldFolder(dataDir: string, copies = 0): void {
  const db = new Sqlite(join(dataDir, "ringward.db"));
  db.pragma("journal_mode = WAL");
  db.pragma("foreign_keys = OFF");
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.transaction(() => {
    for (const { version, sql } of MIGRATIONS) if (version <= OLD_SCHEMA) db.exec(sql);
    db.exec(readFileSync(join(import.meta.dir, "rows.sql"), "utf8"));
    // Pending calls are never due during the test.
    db.exec(`UPDATE calls SET scheduled_at = ${Date.now() + MONTH_MS}, next_at = ${Date.now() + MONTH_MS}
      WHERE state = 'scheduled'`);
    copyCalls(db, copies);
    db.pragma(`user_version = ${OLD_SCHEMA}`);
  })();
  const recordings = db.prepare("SELECT recording_file FROM calls WHERE recording_file IS NOT NULL").pluck().all();
  db.close();
  writeFileSync(join(dataDir, "secret.key"), `${ROOT_KEY}\n`, { mode: 0o600 });
  mkdirSync(join(dataDir, "recordings"), { mode: 0o700 });
  for (const name of new Set(recordings as string[]))
    writeFileSync(join(dataDir, "recordings", name), recordingOf(name), { mode: 0o600 });
}

function copyCalls(db: Sqlite.Database, copies: number): void {
  if (copies === 0) return;
  const columns = (db.pragma("table_info(calls)") as { name: string }[]).map(({ name }) => name);
  const chosen = columns.map((name) => (name === "id" ? "id || '-' || n" : name === "recording_file" ? "NULL" : name));
  db.exec(`WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${copies})
    INSERT INTO calls (${columns.join(", ")}) SELECT ${chosen.join(", ")} FROM calls, counted
    WHERE finished_at IS NOT NULL`);
}

/** Different for every name. */
export function recordingOf(name: string): Buffer {
  const sound = Buffer.alloc(BYTES_PER_RECORDING);
  for (let i = 0; i < sound.length; i++) sound[i] = (i * 31 + name.charCodeAt(i % name.length)) % 256;
  return Buffer.concat([mulawWavHeader({ channels: 2, frames: BYTES_PER_RECORDING / 2 }), sound]);
}

/** Every row of the tables of schema 6, by table and first column. */
export function rowsOf(file: string): Map<string, Row> {
  const db = new Sqlite(file, { readonly: true });
  try {
    const old = new Sqlite(":memory:");
    for (const { version, sql } of MIGRATIONS) if (version <= OLD_SCHEMA) old.exec(sql);
    const tables = old.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
    old.close();
    const rows = new Map<string, Row>();
    for (const table of tables) {
      const columns = (db.pragma(`table_info(${table})`) as { name: string; pk: number }[]).filter(({ pk }) => pk > 0);
      for (const row of db.prepare(`SELECT * FROM ${table}`).all() as Row[])
        rows.set(`${table} ${columns.map(({ name }) => row[name]).join(" ")}`, row);
    }
    return rows;
  } finally {
    db.close();
  }
}
