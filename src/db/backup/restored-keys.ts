// Data keys of a restore. The backup brings the keys of its database, wrapped by the root key. Files that stay in the
// folder keep theirs, so the folder gets both, and the restored database gets the key that the folder uses.
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_ENTRY } from "../archive/manifest.ts";
import { DATA_KEYS_FILE, keyIdsIn, wrappedRing, type KeyRing } from "../data-keys.ts";
import { neededRootKey, openedRing, ringOf } from "../folder-keys.ts";
import type { Place } from "../port.ts";
import { RootKeyError } from "../root-key.ts";
import { fileKeyOf, isSameKey, keyOfFile, type FileKey } from "../sqlite/cipher.ts";
import { convertedCopy } from "../sqlite/convert.ts";

export interface RestoredKeys {
  /** Of the folder before the restore. */
  readonly present: KeyRing | null;
  /** Of the database in the backup. */
  readonly backup: KeyRing | null;
  /** Of the folder after the restore, wrapped; null if nothing is encrypted. */
  readonly wrapped: string | null;
  readonly current: FileKey;
}

/** Throws RootKeyError if the root key does not open them, before anything is written. */
export function restoredKeys(order: Place & { file: string }, inBackup: string | undefined): RestoredKeys {
  const calledThus = `the backup ${order.file}`;
  const present = ringOf(order);
  const backup = inBackup === undefined ? null : ringInBackup(inBackup, order, present, calledThus);
  const ring = merged(present, backup);
  return {
    present,
    backup,
    wrapped: ring && wrappedRing(ring, [neededRootKey(order, calledThus)]),
    current: ring?.current ? fileKeyOf(ring.current.key) : null,
  };
}

/** A backup from before a change of the root key opens with the folder's own copies of its keys. */
function ringInBackup(text: string, order: Place, present: KeyRing | null, calledThus: string): KeyRing {
  try {
    return openedRing(text, order, calledThus);
  } catch (error) {
    const own = new Set(present?.keys.map(({ id }) => id));
    const ids = error instanceof RootKeyError && present ? keyIdsIn(text) : [];
    if (!present || ids.length === 0 || !ids.every((id) => own.has(id))) throw error;
    return present;
  }
}

/** The folder stays encrypted or plain as it is; a new folder becomes what the backup was. */
function merged(present: KeyRing | null, backup: KeyRing | null): KeyRing | null {
  if (!present || !backup) return present ?? backup;
  const own = new Set(present.keys.map(({ id }) => id));
  // The secrets in the restored database are sealed as they were in the backup.
  const { sealing } = backup;
  return { ...present, keys: [...present.keys, ...backup.keys.filter(({ id }) => !own.has(id))], sealing };
}

/** Brings the staged database to the folder's key, and stages the data keys. Returns the key. */
export function convertStaged(staging: string, { backup, wrapped, current }: RestoredKeys): FileKey {
  const file = join(staging, DATABASE_ENTRY);
  const key = keyOfFile(file, backup);
  if (!isSameKey(key, current)) {
    const copy = `${file}.new`;
    convertedCopy({ file, copy, from: key, to: current, progress: () => {} });
    renameSync(copy, file);
  }
  if (wrapped !== null) writeFileSync(join(staging, DATA_KEYS_FILE), wrapped, { mode: 0o600, flush: true });
  return current;
}
