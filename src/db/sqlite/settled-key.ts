// Which key the database file of a folder has, or gets if it is new.
import { statSync } from "node:fs";
import { refuseOther, ringOf, settledRing } from "../folder-keys.ts";
import type { Place } from "../port.ts";
import { fileKeyOf, keyOfFile, type FileKey } from "./cipher.ts";

/** Null for a plain file. Throws RootKeyError if the file is encrypted and cannot be opened. */
export const presentFileKey = (place: Place, file: string): FileKey => keyOfFile(file, ringOf(place));

/** Creates the data keys of a new installation. Throws if the settings forbid the file as it is. */
export function settledFileKey(place: Place, file: string): FileKey {
  const isNew = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
  const ring = settledRing(place, isNew);
  const dataKey = ring?.current?.key;
  const key = isNew ? (dataKey ? fileKeyOf(dataKey) : null) : keyOfFile(file, ring);
  refuseOther(place, ring, key !== null);
  return key;
}
