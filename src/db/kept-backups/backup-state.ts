// backups.json in the data folder: the last good backup, failures since, and the last drill. It is replaced atomically.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createIds } from "../../core/ids.ts";
import { systemClock } from "../../core/clock.ts";
import { giveToFolderOwner } from "../../core/given-owner.ts";

const FILE = "backups.json";

export interface GoodBackup {
  name: string;
  /** Without secrets. */
  where: string;
  madeAt: number;
  bytes: number;
}

export interface BackupState {
  /** Names the backups of this data folder. */
  owner: string;
  /** Since when backups are made by this server; lateness counts from here until the first. */
  since: number;
  lastGood: GoodBackup | null;
  /** Since the last good backup. */
  failures: number;
  failedAt: number | null;
  lastDrill: { name: string; at: number; isSame: boolean } | null;
  /** Of the key file of people beside the backups. */
  keysRevision?: number;
}

/** Null if there is none, or it cannot be read. */
export function readBackupState(dataDir: string): BackupState | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(dataDir, FILE), "utf8"));
    return isState(value) ? value : null;
  } catch {
    return null;
  }
}

export function newBackupState(now: number): BackupState {
  const owner = Buffer.from(createIds(systemClock).secret(6), "base64url").toString("hex");
  return { owner, since: now, lastGood: null, failures: 0, failedAt: null, lastDrill: null };
}

/** Called with the lock of the backups held. */
export function changeBackupState(dataDir: string, now: number, change: Partial<BackupState>): BackupState {
  const state = { ...(readBackupState(dataDir) ?? newBackupState(now)), ...change };
  const file = join(dataDir, FILE);
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flush: true });
  giveToFolderOwner(`${file}.new`);
  renameSync(`${file}.new`, file);
  const folder = openSync(dataDir, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
  return state;
}

const isTime = (value: unknown): boolean => typeof value === "number" && Number.isSafeInteger(value);

function isState(value: unknown): value is BackupState {
  if (typeof value !== "object" || value === null) return false;
  const { owner, since, lastGood, failures, failedAt } = value as Record<string, unknown>;
  const isGood = lastGood === null || (typeof lastGood === "object" && "madeAt" in lastGood && isTime(lastGood.madeAt));
  const isOwner = typeof owner === "string" && /^[0-9a-z]{12}$/.test(owner);
  return isOwner && isTime(since) && isGood && isTime(failures) && (failedAt === null || isTime(failedAt));
}
