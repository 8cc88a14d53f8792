// Folder of call files with random names, readable by its owner only. New files are encrypted if there are keys; plain
// files of before stay readable.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ids } from "../core/ids.ts";
import { openReadable } from "../core/sealed-file.ts";
import type { FileKey, FileKeys } from "../core/sealed-frames.ts";
import { createSealedWriter } from "../core/sealed-writer.ts";
import type { StoredPath } from "../core/stored-file.ts";

export interface PrivateFolder {
  /** An unguessable name that reveals nothing about the call. */
  newName(): string;
  pathOf(name: string): string;
  /** The path with the keys that open it. */
  fileOf(name: string): StoredPath;
  exists(name: string): boolean;
  /** Of the content, without encryption. */
  bytes(name: string): number;
  /** Replaces the file at once. */
  store(name: string, content: Uint8Array): void;
  /** Removed when this returns; a missing file is accepted. */
  remove(name: string): void;
  /** Makes removals durable across a power cut. */
  settle(): void;
  /** Encrypts new files; null: they are plain. */
  readonly newKey: FileKey | null;
  keyOf(id: string): Uint8Array | undefined;
}

/** Temporary path of an incomplete file; left by a crash, it is removed with the file. */
export const unfinishedOf = (path: string): string => `${path}.unfinished`;

export interface FolderOptions {
  folder: string;
  /** With its dot. */
  extension: string;
  ids: Ids;
  keys: FileKeys | null;
}

/** The folder is created when needed, also after it was deleted. */
export function createPrivateFolder({ folder, extension, ids, keys }: FolderOptions): PrivateFolder {
  function pathOf(name: string): string {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    return join(folder, name);
  }
  return {
    newKey: keys?.current ?? null,
    keyOf: (id) => keys?.byId(id),
    newName: () => `${ids.secret(18)}${extension}`,
    pathOf,
    fileOf: (name) => ({ path: pathOf(name), keys }),
    exists: (name) => existsSync(join(folder, name)),
    bytes(name) {
      const file = openReadable(join(folder, name), keys);
      file.close();
      return file.bytes;
    },
    store(name, content) {
      const path = pathOf(name);
      const unfinished = unfinishedOf(path);
      try {
        writeFileSync(unfinished, keys?.current ? sealedCopy(content, keys.current) : content, { mode: 0o600 });
        renameSync(unfinished, path);
      } finally {
        rmSync(unfinished, { force: true });
      }
    },
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

function sealedCopy(content: Uint8Array, key: FileKey): Buffer {
  const writer = createSealedWriter(key);
  const writes = [...writer.write(content, 0), ...writer.finish()];
  const sealed = Buffer.alloc(Math.max(...writes.map(({ bytes, at }) => at + bytes.length)));
  for (const { bytes, at } of writes) sealed.set(bytes, at);
  return sealed;
}
