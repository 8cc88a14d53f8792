// A small file system for the data folder that can fill up and turn read-only. It needs root; without root the data is
// in a plain folder and those two faults are left out.
import { cpSync, existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Disk {
  dataDir: string;
  isSmall: boolean;
  /** Leaves this much. */
  fill(leftKb: number): void;
  makeRoom(): void;
  /** False where it is in use. */
  setReadOnly(isReadOnly: boolean): boolean;
  /** Takes the disk away, and leaves a copy of the data in a plain folder. */
  close(): void;
}

const SIZE_MB = 256;
const MOST_AT_ONCE = 16 * 1024 * 1024;

export function makeDisk(folder: string): Disk {
  const place = join(folder, "disk");
  mkdirSync(place, { recursive: true });
  const run = (...command: string[]) => Bun.spawnSync(command, { stdout: "ignore", stderr: "ignore" }).success;
  const isSmall = run("mount", "-t", "tmpfs", "-o", `size=${SIZE_MB}m,mode=0700`, "tmpfs", place);
  const dataDir = join(place, "data");
  const ballast = (index: number) => join(place, `ballast-${index}`);
  let parts = 0;
  return {
    dataDir,
    isSmall,
    fill(leftKb) {
      const { bavail, bsize } = statfsSync(place);
      let left = bavail * bsize - leftKb * 1024;
      try {
        for (; left > 0; left -= MOST_AT_ONCE)
          writeFileSync(ballast(parts++), Buffer.alloc(Math.min(left, MOST_AT_ONCE)));
      } catch (error) {
        // The appliance took some of it meanwhile: full is full.
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      }
    },
    makeRoom() {
      while (parts > 0) rmSync(ballast(--parts), { force: true });
    },
    setReadOnly: (isReadOnly) => isSmall && run("mount", "-o", `remount,${isReadOnly ? "ro" : "rw"}`, place),
    close() {
      this.makeRoom();
      if (!isSmall) return;
      if (existsSync(dataDir)) cpSync(dataDir, join(folder, "data"), { recursive: true });
      run("umount", place);
    },
  };
}
