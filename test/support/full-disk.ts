// Fills a small disk to its last byte.
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Writes the file `ballast`; remove it to make room. */
export function fillDisk(disk: string): void {
  const file = openSync(join(disk, "ballast"), "w");
  for (let size = 64 * 1024; size >= 512; size /= 2) {
    const piece = Buffer.alloc(size);
    try {
      while (writeSync(file, piece) === size);
    } catch {
      // Smaller pieces may fit.
    }
  }
  closeSync(file);
}
