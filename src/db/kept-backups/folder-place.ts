// Backups in a folder. A copy has a temporary name until it was flushed and read back; one rename makes it a backup.
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { assertDiskSpace, eachChunk, flush, writeAll } from "../archive/archive-file.ts";
import { BackupError } from "../archive/fault.ts";
import { parseBackupName } from "./backup-names.ts";
import { giveToFolderOwner } from "../../core/given-owner.ts";
import { newestFirst, type BackupPlace } from "./backup-place.ts";

const PARTIAL = ".partial";

export function createFolderPlace(folder: string): BackupPlace {
  /** The folder is never created: a volume that is not mounted would fill the disk below it. */
  const names = (): string[] => {
    try {
      return readdirSync(folder);
    } catch (error) {
      throw new BackupError(`The folder of the backups cannot be read: ${messageOf(error)}`, { cause: error });
    }
  };
  return {
    where: folder,
    async list() {
      const found = names().flatMap((name) => parseBackupName(name) ?? []);
      return newestFirst(
        found.flatMap((backup) => {
          const bytes = statSync(join(folder, backup.name), { throwIfNoEntry: false })?.size;
          return bytes === undefined ? [] : [{ ...backup, bytes }];
        }),
      );
    },
    async tidy(owner) {
      for (const name of names()) {
        if (!name.endsWith(PARTIAL) || parseBackupName(name.slice(0, -PARTIAL.length))?.owner !== owner) continue;
        rmSync(join(folder, name), { force: true });
      }
    },
    async put({ name, file, bytes, check }) {
      const target = join(folder, name);
      const partial = `${target}${PARTIAL}`;
      if (existsSync(target)) throw new BackupError(`${target} exists already.`);
      try {
        assertDiskSpace(folder, bytes, "The backup");
        copyFlushed(file, partial, bytes);
        giveToFolderOwner(partial);
        check(partial);
        renameSync(partial, target);
        flush(folder);
      } catch (error) {
        rmSync(partial, { force: true });
        throw error;
      }
    },
    async replace(name, file) {
      const partial = join(folder, `${name}${PARTIAL}`);
      try {
        rmSync(partial, { force: true });
        copyFlushed(file, partial, statSync(file).size);
        giveToFolderOwner(partial);
        renameSync(partial, join(folder, name));
        flush(folder);
      } catch (error) {
        rmSync(partial, { force: true });
        throw error;
      }
    },
    async remove(name) {
      rmSync(join(folder, name), { force: true });
      flush(folder);
    },
    fetch: async (name) => join(folder, name),
  };
}

function copyFlushed(file: string, target: string, bytes: number): void {
  const from = openSync(file, "r");
  try {
    const to = openSync(target, "wx", 0o600);
    try {
      eachChunk(from, 0, bytes, (chunk, at) => writeAll(to, chunk, at));
      fsyncSync(to);
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}
