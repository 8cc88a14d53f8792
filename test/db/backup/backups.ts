// Small data folders and their backups.
import Sqlite from "better-sqlite3";
import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeBackup, type BackupOrder } from "../../../src/db/backup/make-backup.ts";
import { writePersonKeys } from "../../../src/db/backup/person-keys-file.ts";
import { restoreBackup, type RestoreFacts } from "../../../src/db/backup/restore-backup.ts";
import type { Database } from "../../../src/db/database.ts";
import { DATABASE_FILE } from "../../../src/db/sqlite/file.ts";
import { openTempDatabase, tempFolder } from "../../support/temp.ts";

export const note = (db: Database, name: string) =>
  db.write((tx) => tx.insertInto("heartbeats").values({ name, at: 1 }).execute());

export function namesIn(file: string): unknown[] {
  const connection = new Sqlite(file, { readonly: true });
  const names = connection.prepare("SELECT name FROM heartbeats ORDER BY rowid").pluck().all();
  connection.close();
  return names;
}

/** A data folder with a database that is closed. */
export async function folderWith(...names: string[]): Promise<string> {
  const { db, dataDir } = await openTempDatabase();
  // Concurrent commands share a commit.
  await Promise.all(names.map((name) => note(db, name)));
  await db.close();
  return dataDir;
}

/**
 * A finished call per name, with a small recording and a capture. The other rows of a hospital are not needed, so
 * foreign keys are off.
 */
export function addCalls(dataDir: string, names: readonly string[], { finished = true } = {}): void {
  for (const folder of ["recordings", "captures"]) mkdirSync(join(dataDir, folder), { recursive: true, mode: 0o700 });
  const db = new Sqlite(join(dataDir, DATABASE_FILE));
  db.pragma("foreign_keys = OFF");
  for (const name of names) {
    const row: Record<string, string | number> = {};
    for (const column of db.pragma("table_info(calls)") as { name: string; type: string; notnull: number }[])
      if (column.notnull === 1) row[column.name] = column.type === "TEXT" ? "" : 0;
    Object.assign(row, {
      id: `call_${name}`,
      recording_file: `${name}.wav`,
      state: finished ? "completed" : "in_progress",
    });
    if (finished) row["finished_at"] = 1;
    const columns = Object.keys(row);
    db.prepare(`INSERT INTO calls (${columns.join()}) VALUES (${columns.map(() => "?").join()})`).run(
      Object.values(row),
    );
    db.prepare("INSERT INTO call_lines (call_id, trace, capture_file) VALUES (?, '[]', ?)").run(
      `call_${name}`,
      `${name}.pcap`,
    );
    writeFileSync(join(dataDir, "recordings", `${name}.wav`), soundOf(name));
    writeFileSync(join(dataDir, "captures", `${name}.pcap`), `packets of ${name}`);
  }
  db.close();
}

/** 1,280 unique bytes. */
export function soundOf(name: string): Buffer {
  return Buffer.concat(Array.from({ length: 40 }, (_, i) => createHash("sha256").update(`${name} ${i}`).digest()));
}

export function backUp(dataDir: string, more: Partial<BackupOrder> = {}): string {
  const target = more.target ?? join(tempFolder(), "backup.tar");
  makeBackup({
    dataDir,
    target,
    withRecordings: true,
    madeBy: "0.1.0",
    madeAt: "2026-03-01T00:00:00.000Z",
    ...more,
  });
  writePersonKeys({ dataDir, ...(more.security && { security: more.security }) }, dirname(target));
  return target;
}

export const RESTORED_AT = Date.UTC(2026, 2, 2);

export const restoreInto = (dataDir: string, file: string): RestoreFacts =>
  restoreBackup({ file, dataDir, restoredAt: RESTORED_AT, stamp: "now" });

/** Every file below the folder with its content, to check that nothing was touched. */
export function picture(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    const path = join(folder, name);
    if (statSync(path).isFile()) found[name] = createHash("sha256").update(readFileSync(path)).digest("hex");
    else found[name] = "folder";
  }
  return found;
}

export const modeOf = (path: string) => (existsSync(path) ? statSync(path).mode & 0o777 : null);

export async function backupOf(...names: string[]): Promise<string> {
  return backUp(await folderWith(...names));
}

/** As earlier versions wrote them: only the database. */
export async function bareBackupOf(...names: string[]): Promise<string> {
  const file = join(tempFolder(), "backup.db");
  writeFileSync(file, readFileSync(join(await folderWith(...names), DATABASE_FILE)));
  return file;
}

/** The database inside, as `tar -xf` extracts it. */
export function databaseIn(archive: string): string {
  const folder = tempFolder();
  const run = Bun.spawnSync(["tar", "-xf", archive, "-C", folder]);
  expect([run.exitCode, run.stderr.toString()]).toEqual([0, ""]);
  return join(folder, "ringward.db");
}
