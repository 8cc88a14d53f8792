// lineage.json in the data folder: the latest count of each database that was served from here. It is written after the
// database has committed, so it is never ahead of it. It is replaced atomically, so a crash or a full disk leaves the
// old version.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

export const MEMORY_FILE = "lineage.json";

export interface SeenDatabase {
  line: string;
  beat: number;
  /** Wall-clock time, for display and to know until when calls may have been made. */
  at: number;
}

export interface FolderMemory {
  /** A random id, created by the first server; empty until then. */
  folder: string;
  /** The most recently served database is last. */
  databases: readonly SeenDatabase[];
  /** Set by a restore until the next server start. */
  restoredAt: number | null;
}

/** Beyond this number, the oldest are forgotten. */
const MOST_KEPT = 16;

/** Null if the file is missing or unreadable. */
export function readMemory(dataDir: string): FolderMemory | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(dataDir, MEMORY_FILE), "utf8"));
    return isMemory(value) ? value : null;
  } catch {
    return null;
  }
}

export function withSeen(memory: FolderMemory, seen: SeenDatabase): FolderMemory {
  const others = memory.databases.filter(({ line }) => line !== seen.line);
  return { folder: memory.folder, databases: [...others.slice(1 - MOST_KEPT), seen], restoredAt: null };
}

/** Flushed before the rename. Runs off the main thread. */
export async function writeMemory(dataDir: string, memory: FolderMemory): Promise<void> {
  const file = join(dataDir, MEMORY_FILE);
  const fresh = `${file}.new`;
  try {
    const handle = await open(fresh, "w", 0o600);
    try {
      await handle.writeFile(textOf(memory));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {});
    throw error;
  }
}

/** For a restore: writes into its staging folder. */
export function stageRestored(dataDir: string, staging: string, restoredAt: number): void {
  const memory = readMemory(dataDir) ?? { folder: "", databases: [] };
  const file = join(staging, MEMORY_FILE);
  rmSync(file, { force: true });
  writeFileSync(file, textOf({ ...memory, restoredAt }), { mode: 0o600, flush: true });
}

const textOf = (memory: FolderMemory): string => `${JSON.stringify(memory, null, 2)}\n`;

function isMemory(value: unknown): value is FolderMemory {
  if (typeof value !== "object" || value === null) return false;
  const { folder, databases, restoredAt } = value as Record<string, unknown>;
  const isTime = restoredAt === null || Number.isSafeInteger(restoredAt);
  return typeof folder === "string" && Array.isArray(databases) && databases.every(isSeen) && isTime;
}

function isSeen(value: unknown): value is SeenDatabase {
  if (typeof value !== "object" || value === null) return false;
  const { line, beat, at } = value as Record<string, unknown>;
  return typeof line === "string" && Number.isSafeInteger(beat) && Number.isSafeInteger(at);
}
