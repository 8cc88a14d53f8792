// Detects whether a file is unchanged: device, inode, size and modification time.
import { readFileSync, statSync, utimesSync } from "node:fs";

export type Stamp = string;

export function stampOf(file: string): Stamp {
  const { dev, ino, size, mtimeNs } = statSync(file, { bigint: true });
  return [dev, ino, size, mtimeNs].join(":");
}

/**
 * Used after our own change. The file system's clock may tick only every few milliseconds, which could hide another
 * program's change in the same tick. So the time is set back by a second, and any later change moves it.
 */
export function newStampOf(file: string): Stamp {
  const { atime, mtimeMs } = statSync(file);
  utimesSync(file, atime, mtimeMs / 1000 - 1);
  return stampOf(file);
}

/**
 * Null if the system does not report it. On power loss the data of a file may survive its modification time, so a stamp
 * is invalid after a reboot.
 */
export function startOfMachine(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}
