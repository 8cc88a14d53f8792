// State of the free space in the database file, stored in a file next to it between runs. It applies to one version of
// the database file; for any other, or after a reboot of the machine, it is ignored. It is never fsynced, and losing it
// costs one scan of the whole file.
import { readFileSync, writeFileSync } from "node:fs";
import { startOfMachine, type Stamp } from "./file-stamp.ts";

export interface CleanMark {
  stamp: Stamp;
  /** Pages with leftovers in their free space; all others are clean. */
  dirtyPages: readonly number[];
}

interface Kept extends CleanMark {
  machine: string;
}

const nameOf = (databaseFile: string) => `${databaseFile}-clean`;

export function readMark(databaseFile: string): CleanMark | null {
  const machine = startOfMachine();
  try {
    const kept: unknown = JSON.parse(readFileSync(nameOf(databaseFile), "utf8"));
    return machine !== null && isKept(kept) && kept.machine === machine ? kept : null;
  } catch {
    // Missing or truncated.
    return null;
  }
}

export function writeMark(databaseFile: string, { stamp, dirtyPages }: CleanMark): void {
  const machine = startOfMachine();
  if (machine === null) return;
  const kept: Kept = { machine, stamp, dirtyPages };
  writeFileSync(nameOf(databaseFile), JSON.stringify(kept), { mode: 0o600 });
}

function isKept(value: unknown): value is Kept {
  const { machine, stamp, dirtyPages } = (value ?? {}) as Partial<Record<keyof Kept, unknown>>;
  return (
    typeof machine === "string" &&
    typeof stamp === "string" &&
    Array.isArray(dirtyPages) &&
    dirtyPages.every((page) => Number.isInteger(page) && page > 0)
  );
}
