// Settings of the backups that the server makes by itself: their meaning, and what must go together.
import { readFileSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { DAY_MS, HOUR_MS } from "../core/clock.ts";
import type { Config } from "./schema.ts";
import { setPath, tablesOf, type Table } from "./tables.ts";

export type BackupSettings = Config["backup"];

export type BackupPlace = { kind: "folder"; folder: string } | { kind: "s3"; bucket: string; prefix: string };

const S3_PLACE = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[\w.=-]+\/)*[\w.=-]+)\/?)?$/;

/** Null if the server makes no backups. */
export function everyMs({ every }: Pick<BackupSettings, "every">): number | null {
  const [, count, unit] = /^([0-9]+)([hd])$/.exec(every) ?? [];
  return count === undefined ? null : Number(count) * (unit === "d" ? DAY_MS : HOUR_MS);
}

/** Null if none is set. */
export function placeOfBackups({ to }: Pick<BackupSettings, "to">): BackupPlace | null {
  if (to === "") return null;
  const [, bucket, prefix] = S3_PLACE.exec(to) ?? [];
  if (bucket !== undefined) return { kind: "s3", bucket, prefix: prefix === undefined ? "" : `${prefix}/` };
  return { kind: "folder", folder: resolve(to) };
}

/** A secret from a file replaces the one in the settings. */
export function readBackupSecret(settings: Table): string[] {
  const backup = tableAt(settings, "backup");
  const s3 = tableAt(backup, "s3");
  const file = s3["secret_access_key_file"];
  if (typeof file !== "string" || file === "") return [];
  if (s3["secret_access_key"] !== "")
    return ["backup.s3.secret_access_key and backup.s3.secret_access_key_file: give one, not both."];
  try {
    const secret = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    setPath(settings, ["backup", "s3", "secret_access_key"], () => secret);
    return secret === "" ? [`backup.s3.secret_access_key_file: ${file} is empty.`] : [];
  } catch {
    // Reported with the other files that cannot be read.
    return [];
  }
}

/** Values of a wrong type are reported by the schema. */
export function backupFaults(settings: Table): string[] {
  const backup = tableAt(settings, "backup");
  const { every, to } = backup;
  if (typeof every !== "string" || typeof to !== "string") return [];
  const faults: string[] = [];
  if (every !== "" && to === "") faults.push("backup.to: say where the backups of backup.every go.");
  if (every !== "" && tableAt(settings, "database")["url"] !== "")
    faults.push("backup.every: leave it empty with database.url; PostgreSQL is backed up by its own tools.");
  if (to.startsWith("s3:")) faults.push(...s3Faults(to, tableAt(backup, "s3")));
  else if (to !== "" && isInside(String(tableAt(settings, "data")["dir"]), to))
    faults.push("backup.to: must lie outside data.dir, because a backup inside is lost with it.");
  return faults;
}

function s3Faults(to: string, s3: Table): string[] {
  const missing = ["endpoint", "access_key_id", "secret_access_key"].filter((key) => s3[key] === "");
  const faults = missing.map((key) => `backup.s3.${key}: needed for backup.to.`);
  return S3_PLACE.test(to) ? faults : [...faults, 'backup.to: must be "s3://BUCKET" or "s3://BUCKET/PREFIX".'];
}

function isInside(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

function tableAt(table: Table, key: string): Table {
  const value = table[key];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? tablesOf(value) : {};
}
