// The newest keys of people for a restore: those of the present database, of the key files beside the backup, or of the
// file that a person names.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { BackupError } from "../archive/fault.ts";
import type { Place } from "../port.ts";
import { DATABASE_FILE } from "../sqlite/file.ts";
import { isPersonKeysName, parsePersonKeys, personKeysOf, type PersonKeys } from "./person-keys.ts";

export interface KeysOrder {
  /** The backup. */
  file: string;
  /** The id in the backup. */
  store: string;
  /** Of the present data, and of the root key. */
  place: Place;
  /** Only this process uses the data. */
  isLocked: boolean;
  /** Named by a person: no other is used. */
  given: string | undefined;
}

/** Throws, before anything is written, if there are none. */
export function findPersonKeys(order: KeysOrder): PersonKeys {
  const { file, store, place, given } = order;
  if (given !== undefined) {
    const keys = readKeys(given, place);
    if (keys.store === store) return keys;
    throw new BackupError(`${given} does not belong to ${file}: its keys are those of other backups.`);
  }
  const found = [...presentKeys(order), ...keysBeside(file, place)].filter((keys) => keys.store === store);
  const [newest] = found.toSorted((a, b) => b.revision - a.revision);
  if (newest) return newest;
  throw new BackupError(
    `${file} needs the key file of its people (ringward-${store}.person-keys), which is neither beside it nor in ` +
      `${place.dataDir}. Nothing was changed. Bring the newest one from beside your backups, and name it with ` +
      "--person-keys FILE.",
  );
}

function readKeys(file: string, place: Place): PersonKeys {
  try {
    return parsePersonKeys(readFileSync(file, "utf8"), place, file);
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** A damaged database, which the restore may be replacing, has none. */
function presentKeys({ place, isLocked }: KeysOrder): PersonKeys[] {
  const sides = ["-wal", "-shm"].map((suffix) => join(place.dataDir, DATABASE_FILE + suffix));
  const isInUse = !isLocked || sides.some((side) => existsSync(side));
  try {
    const keys = personKeysOf(place);
    return keys ? [keys] : [];
  } catch {
    return [];
  } finally {
    // A reader makes them and cannot remove them: nothing may be touched before the restore is decided.
    if (!isInUse) for (const side of sides) rmSync(side, { force: true });
  }
}

/** One that the root key does not open is of another appliance. */
function keysBeside(file: string, place: Place): PersonKeys[] {
  const folder = dirname(file);
  return readdirSync(folder)
    .filter(isPersonKeysName)
    .flatMap((name) => {
      try {
        return [readKeys(join(folder, name), place)];
      } catch {
        return [];
      }
    });
}
