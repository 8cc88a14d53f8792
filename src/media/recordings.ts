// Recordings on disk: random names in a folder of their own, readable by the owner alone.
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Ids } from "../core/ids.ts";

export interface Recordings {
  /** A name that nobody can guess and that tells nothing of the call. */
  newName(): string;
  pathOf(name: string): string;
  exists(name: string): boolean;
  bytes(name: string): number;
  /** Gone when this returns; a file that is not there is fine. */
  remove(name: string): void;
}

export function createRecordings(dataDir: string, ids: Ids): Recordings {
  const folder = join(dataDir, "recordings");
  let made = false;
  return {
    newName: () => `${ids.secret(18)}.wav`,
    pathOf(name) {
      if (!made) mkdirSync(folder, { recursive: true, mode: 0o700 });
      made = true;
      return join(folder, name);
    },
    exists: (name) => existsSync(join(folder, name)),
    bytes: (name) => statSync(join(folder, name)).size,
    remove(name) {
      // Most calls that fail never had one, and looking first is ten times cheaper than removing nothing.
      const path = join(folder, name);
      if (existsSync(path)) rmSync(path, { force: true });
    },
  };
}
