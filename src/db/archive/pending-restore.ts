// Atomic swap of a restore, safe against kill and power loss. A single rename is the commit point: before it the old
// data are untouched, and after it every start completes the swap before it opens anything.
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DATA_KEYS_FILE } from "../data-keys.ts";
import { flush } from "./archive-file.ts";
import { MEMORY_FILE } from "../lineage/folder-memory.ts";
import { DATABASE_ENTRY, FILE_FOLDERS } from "./manifest.ts";

/** Located in the data folder, so the swap consists of renames. A server start removes the remains of a crash. */
export const RESTORE_FOLDER = "restore.partial";
/** The same folder, when its content is complete and flushed. */
const READY_FOLDER = "restore.ready";
const PLAN_FILE = "plan.json";

const FOLDERS = Object.keys(FILE_FOLDERS);
/** The database is last: until it is in place, none of the new data is used. */
const PARTS = [...FOLDERS, MEMORY_FILE, DATA_KEYS_FILE, DATABASE_ENTRY];
/** Replaced without being kept: the new data keys include the old ones. */
const NOT_KEPT = [MEMORY_FILE, DATA_KEYS_FILE];

/** Called after each step at which a crash is possible; for tests. */
export type Step = () => void;

export function isRestorePending(dataDir: string): boolean {
  return existsSync(join(dataDir, READY_FOLDER));
}

/** Written before the commit point: the suffix for the names of the old data. */
export function writePlan(staging: string, stamp: string): void {
  writeFileSync(join(staging, PLAN_FILE), JSON.stringify({ stamp }), { mode: 0o600, flush: true });
}

export function asideOf(dataDir: string, part: string, stamp: string): string {
  return join(dataDir, `${part}.before-restore-${stamp}`);
}

/** The commit point. The staged files must be flushed. */
export function decideRestore(dataDir: string): void {
  const staging = join(dataDir, RESTORE_FOLDER);
  flush(staging);
  renameSync(staging, join(dataDir, READY_FOLDER));
  flush(dataDir);
}

/**
 * Completes a committed restore from where it was interrupted. Returns the new names of the old data; null if no
 * restore is pending. The data folder must be locked by this process.
 */
export function finishRestore(dataDir: string, step: Step = () => {}): string[] | null {
  if (!isRestorePending(dataDir)) return null;
  const ready = join(dataDir, READY_FOLDER);
  const { stamp } = JSON.parse(readFileSync(join(ready, PLAN_FILE), "utf8")) as { stamp: string };
  for (const part of PARTS) {
    const staged = join(ready, part);
    // A part that is not staged was not in the backup, or is already in place.
    if (!existsSync(staged)) continue;
    const present = join(dataDir, part);
    if (part === DATABASE_ENTRY) keepDatabase(present, asideOf(dataDir, part, stamp), step);
    else if (!NOT_KEPT.includes(part) && existsSync(present)) renameSync(present, asideOf(dataDir, part, stamp));
    flush(dataDir);
    step();
    renameSync(staged, present);
    flush(dataDir);
    step();
  }
  // Renamed back first, because the removal may be interrupted, too.
  const spent = join(dataDir, RESTORE_FOLDER);
  rmSync(spent, { recursive: true, force: true });
  renameSync(ready, spent);
  flush(dataDir);
  step();
  rmSync(spent, { recursive: true, force: true });
  return [DATABASE_ENTRY, ...FOLDERS].map((part) => asideOf(dataDir, part, stamp)).filter((path) => existsSync(path));
}

/** A remaining WAL belongs to the old database, which could not be opened; it is moved along with it. */
function keepDatabase(present: string, aside: string, step: Step): void {
  if (existsSync(present) && !existsSync(aside)) giveSecondName(present, aside);
  step();
  if (existsSync(`${present}-wal`)) renameSync(`${present}-wal`, `${aside}-wal`);
  for (const suffix of ["-shm", "-wipe"]) rmSync(`${present}${suffix}`, { force: true });
}

/** A hard link instead of a rename, so a database exists at every moment. */
function giveSecondName(file: string, second: string): void {
  try {
    linkSync(file, second);
  } catch {
    // Some file systems have no hard links. Then there is a moment without a database; after a crash the next start
    // completes the swap.
    renameSync(file, second);
  }
}
