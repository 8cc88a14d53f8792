// The swap of a restore, all or nothing whenever the process is killed or the power goes. One change of a name decides:
// up to it the old data stand as they were, and from it on every start carries the swap to its end before it opens
// anything.
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { flush } from "./archive-file.ts";
import { MEMORY_FILE } from "../lineage/folder-memory.ts";
import { DATABASE_ENTRY, FILE_FOLDERS } from "./manifest.ts";

/**
 * Lies in the data folder, so that the swap is a change of names. A start of the server removes what a crash left of
 * it.
 */
export const RESTORE_FOLDER = "restore.partial";
/** The same folder once all in it is whole and on the disk. */
const READY_FOLDER = "restore.ready";
const PLAN_FILE = "plan.json";

const FOLDERS = Object.keys(FILE_FOLDERS);
/** The database comes last: until it is there, nothing of the new data is used. */
const PARTS = [...FOLDERS, MEMORY_FILE, DATABASE_ENTRY];

/** Told after each step that a crash might follow; for tests. */
export type Step = () => void;

export function isRestorePending(dataDir: string): boolean {
  return existsSync(join(dataDir, READY_FOLDER));
}

/** Before the decision: what the names of the old data will end in. */
export function writePlan(staging: string, stamp: string): void {
  writeFileSync(join(staging, PLAN_FILE), JSON.stringify({ stamp }), { mode: 0o600, flush: true });
}

export function asideOf(dataDir: string, part: string, stamp: string): string {
  return join(dataDir, `${part}.before-restore-${stamp}`);
}

/** The decision. What is staged must be flushed. */
export function decideRestore(dataDir: string): void {
  const staging = join(dataDir, RESTORE_FOLDER);
  flush(staging);
  renameSync(staging, join(dataDir, READY_FOLDER));
  flush(dataDir);
}

/**
 * Carries a restore that was decided to its end, from wherever it was cut off. Answers what was set aside, by its new
 * name; null where none is pending. The data folder must be ours alone.
 */
export function finishRestore(dataDir: string, step: Step = () => {}): string[] | null {
  if (!isRestorePending(dataDir)) return null;
  const ready = join(dataDir, READY_FOLDER);
  const { stamp } = JSON.parse(readFileSync(join(ready, PLAN_FILE), "utf8")) as { stamp: string };
  for (const part of PARTS) {
    const staged = join(ready, part);
    // A part that is not staged was never in the backup, or is in its place already.
    if (!existsSync(staged)) continue;
    const present = join(dataDir, part);
    if (part === DATABASE_ENTRY) keepDatabase(present, asideOf(dataDir, part, stamp), step);
    else if (part !== MEMORY_FILE && existsSync(present)) renameSync(present, asideOf(dataDir, part, stamp));
    flush(dataDir);
    step();
    renameSync(staged, present);
    flush(dataDir);
    step();
  }
  // Under its first name again, it means nothing: the removal may be cut off, too.
  const spent = join(dataDir, RESTORE_FOLDER);
  rmSync(spent, { recursive: true, force: true });
  renameSync(ready, spent);
  flush(dataDir);
  step();
  rmSync(spent, { recursive: true, force: true });
  return [DATABASE_ENTRY, ...FOLDERS].map((part) => asideOf(dataDir, part, stamp)).filter((path) => existsSync(path));
}

/** A WAL that is still there belongs to the old database, which could not be opened: it goes along. */
function keepDatabase(present: string, aside: string, step: Step): void {
  if (existsSync(present) && !existsSync(aside)) giveSecondName(present, aside);
  step();
  if (existsSync(`${present}-wal`)) renameSync(`${present}-wal`, `${aside}-wal`);
  rmSync(`${present}-shm`, { force: true });
}

/** A second name rather than a new one: whoever looks in between sees a database. */
function giveSecondName(file: string, second: string): void {
  try {
    linkSync(file, second);
  } catch {
    // Some file systems have no links. Then there is a moment without a database, which the next start ends.
    renameSync(file, second);
  }
}
