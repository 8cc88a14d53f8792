// Tells whether a file is still as we left it: inode, size and time of the last change.
import { readFileSync, statSync, utimesSync } from "node:fs";

export type Stamp = string;

export function stampOf(file: string): Stamp {
  const { dev, ino, size, mtimeNs } = statSync(file, { bigint: true });
  return [dev, ino, size, mtimeNs].join(":");
}

/**
 * After a change of our own. The system's clock for files may tick only every few milliseconds: a second of another's
 * changes in the same tick would not be seen. So the time is set a second back, and any change from here on moves it.
 */
export function newStampOf(file: string): Stamp {
  const { atime, mtimeMs } = statSync(file);
  utimesSync(file, atime, mtimeMs / 1000 - 1);
  return stampOf(file);
}

/**
 * Null where the system does not tell. Without power the data of a file may outlive the time of its change, so a stamp
 * says nothing after another start of the machine.
 */
export function startOfMachine(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}
