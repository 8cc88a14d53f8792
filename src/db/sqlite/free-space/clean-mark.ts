// What is known of the free space in the database file, kept in a file beside it from one run to the next. It speaks of
// one version of the database file: of any other, or after the machine was started anew, it says nothing. So it is
// never flushed to the disk nor taken back, and to lose it costs one look through the whole file.
import { readFileSync, writeFileSync } from "node:fs";
import { startOfMachine, type Stamp } from "./file-stamp.ts";

export interface CleanMark {
  stamp: Stamp;
  /** Those with something left in their free space; all others are clean. */
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
    // There is none, or it was cut off.
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
