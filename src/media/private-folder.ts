// Folder of call files with random names, readable by its owner only.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Ids } from "../core/ids.ts";

export interface PrivateFolder {
  /** An unguessable name that reveals nothing about the call. */
  newName(): string;
  pathOf(name: string): string;
  exists(name: string): boolean;
  bytes(name: string): number;
  /** Removed when this returns; a missing file is accepted. */
  remove(name: string): void;
  /** Makes removals durable across a power cut. */
  settle(): void;
}

/** Temporary path of an incomplete file; left by a crash, it is removed with the file. */
export const unfinishedOf = (path: string): string => `${path}.unfinished`;

/** `extension` includes its dot. The folder is created when needed, also after it was deleted. */
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
      // Most failed calls have no file, and checking is ten times cheaper than removing.
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
