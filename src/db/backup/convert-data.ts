// Encrypts or decrypts an existing installation. DATA/data-keys says what is going on, and every file says by its
// content how it is encrypted, so after a kill everything stays readable and the same command continues.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { newDataKey, type DataKey, type DataKeys, type KeyRing } from "../data-keys.ts";
import { DatabaseError } from "../open-fault.ts";
import { forgetUnwritten, readableKeys, ringOf, saveRing } from "../folder-keys.ts";
import type { Place } from "../port.ts";
import { isRestorePending } from "../archive/pending-restore.ts";
import { fileKeyOf, isSameKey, keyOfFile } from "../sqlite/cipher.ts";
import { convertInPlace } from "../sqlite/convert.ts";
import { DATABASE_FILE } from "../sqlite/file.ts";

/** Recordings, captures and sounds. `from` opens what is encrypted; `to` is null for plain files. May be repeated. */
export type ConvertFiles = (
  dataDir: string,
  from: DataKeys | null,
  to: DataKeys | null,
  progress: (step: string) => void,
) => void | Promise<void>;

export interface ConversionOrder {
  /** The data folder must be locked by this process: no server may use it. */
  place: Place;
  to: "encrypt" | "decrypt";
  /** Encrypts again what is encrypted, with a new key. */
  withNewKey: boolean;
  convertFiles: ConvertFiles;
  progress: (step: string) => void;
  /** Called after each step at which a kill is possible; for tests. */
  step?: () => void;
}

/** Returns false if there was nothing to do. */
export async function convertData(order: ConversionOrder): Promise<boolean> {
  const { place, progress, convertFiles, step = () => {} } = order;
  if (isRestorePending(place.dataDir))
    throw new DatabaseError("A restore was cut off. Start Ringward once, which completes it; then run this again.");
  forgetUnwritten(place.dataDir);
  const before = settledRing(place);
  const target = targetOf(order, before);
  if (target === null) return false;
  saveRing(place, target);
  step();
  try {
    convertDatabase(place, target, progress);
  } catch (error) {
    // Nothing was converted yet, so everything is as before. A conversion that was begun earlier stays begun.
    if (before === null || before.converting === null) putBack(place, before, target);
    throw error;
  }
  step();
  const to = target.current ? readableKeys(target) : null;
  await convertFiles(place.dataDir, readableKeys(target), to, progress);
  step();
  saveRing(place, { ...target, converting: null });
  return true;
}

function settledRing(place: Place): KeyRing | null {
  const ring = ringOf(place);
  if (ring === null || ring.openedBy === "only") return ring;
  throw new DatabaseError(
    "A change of the secret key is not finished. Start Ringward once with the new key, or run the change again; then " +
      "run this again.",
  );
}

/** What the folder will be; null if it is that already. */
function targetOf({ to, withNewKey }: ConversionOrder, before: KeyRing | null): KeyRing | null {
  const { current = null, keys = [], sealing = null, converting = null } = before ?? {};
  if (to === "decrypt") {
    if (current === null && converting === null) return null;
    return { current: null, keys, sealing, converting: "decrypt" };
  }
  if (current !== null && converting === null && !withNewKey) return null;
  // A conversion that was cut off continues with its key.
  const key = current !== null && converting === "encrypt" && !withNewKey ? current : newDataKey();
  return { current: key, keys: withFirst(key, keys), sealing, converting: "encrypt" };
}

const withFirst = (first: DataKey, keys: readonly DataKey[]) => [first, ...keys.filter(({ id }) => id !== first.id)];

/** On PostgreSQL there is no file. */
function convertDatabase({ dataDir, database }: Place, target: KeyRing, progress: (step: string) => void): void {
  const file = join(dataDir, DATABASE_FILE);
  if ((database !== undefined && database.url !== "") || !existsSync(file)) return;
  const from = keyOfFile(file, target);
  const to = target.current ? fileKeyOf(target.current.key) : null;
  if (!isSameKey(from, to)) convertInPlace({ file, from, to, progress });
}

/** Keeps the new key: nothing uses it yet, and a key that is lost would be worse than one too many. */
function putBack(place: Place, before: KeyRing | null, target: KeyRing): void {
  try {
    saveRing(place, { ...target, current: before?.current ?? null, converting: null });
  } catch {
    // The disk is full: the file says that the conversion is not finished, which is true.
  }
}
