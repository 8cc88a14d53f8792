// A folder of files that belong to calls: random names, readable by the owner alone.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Ids } from "../core/ids.ts";

export interface PrivateFolder {
  /** A name that nobody can guess and that tells nothing of the call. */
  newName(): string;
  pathOf(name: string): string;
  exists(name: string): boolean;
  bytes(name: string): number;
  /** Gone when this returns; a file that is not there is fine. */
  remove(name: string): void;
  /** What was removed stays so after a power cut. */
  settle(): void;
}

/** Where a file is written before it is whole; left behind by a crash, it goes with the file. */
export const unfinishedOf = (path: string): string => `${path}.unfinished`;

/** `extension` with its dot. The folder is made when it is needed, and again should somebody have cleared it away. */
export function createPrivateFolder(folder: string, extension: string, ids: Ids): PrivateFolder {
  return {
    newName: () => `${ids.secret(18)}${extension}`,
    pathOf(name) {
      if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
      return join(folder, name);
    },
    exists: (name) => existsSync(join(folder, name)),
    bytes: (name) => statSync(join(folder, name)).size,
    remove(name) {
      // Most calls that fail never had one, and looking first is ten times cheaper than removing nothing.
      for (const path of [join(folder, name), unfinishedOf(join(folder, name))]) {
        if (existsSync(path)) rmSync(path, { force: true });
      }
    },
    settle() {
      if (!existsSync(folder)) return;
      const directory = openSync(folder, "r");
      try {
        fsyncSync(directory);
      } finally {
        closeSync(directory);
      }
    },
  };
}
