// The key file of people, written beside backups: private, flushed, and replaced in one step.
import { renameSync } from "node:fs";
import { join } from "node:path";
import { flush } from "../archive/archive-file.ts";
import { writtenBeside, wrappedKeysIn } from "../folder-keys.ts";
import { NO_KEY_SOURCE, rootKeyOf } from "../key-source.ts";
import type { Place } from "../port.ts";
import { personKeysName, personKeysOf, personKeysText } from "./person-keys.ts";

export interface PersonKeysFile {
  name: string;
  text: string;
  revision: number;
}

/**
 * Null if no backup was sealed yet. Sealed by the root key if the backups need it too: a plain backup must not become
 * unreadable when that key is lost.
 */
export function personKeysFile(place: Place, areBackupsEncrypted: boolean): PersonKeysFile | null {
  const keys = personKeysOf(place);
  if (!keys) return null;
  const isSealed = areBackupsEncrypted || wrappedKeysIn(place.dataDir) !== null;
  const rootKey = isSealed ? rootKeyOf(place.dataDir, place.security ?? NO_KEY_SOURCE) : null;
  return { name: personKeysName(keys.store), text: personKeysText(keys, rootKey), revision: keys.revision };
}

/** Returns its path. */
export function writePersonKeys(place: Place, folder: string): string | null {
  const file = personKeysFile(place, false);
  if (!file) return null;
  const path = join(folder, file.name);
  renameSync(writtenBeside(path, file.text), path);
  flush(folder);
  return path;
}
