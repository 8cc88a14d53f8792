// DATA/data-keys of one data folder: reads it with the configured root key, creates it for a new installation, and
// replaces it in one step.
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../config/load.ts";
import { giveToFolderOwner } from "../core/given-owner.ts";
import type { FileKeys } from "../core/sealed-frames.ts";
import { flush } from "./archive/archive-file.ts";
import {
  DATA_KEYS_FILE,
  dataKeysOf,
  newDataKey,
  unwrappedRing,
  wrappedRing,
  type DataKeys,
  type KeyRing,
  type OpenedRing,
} from "./data-keys.ts";
import { isKeyOutside, NO_KEY_SOURCE, rootKeyOf, whereKeyIs } from "./key-source.ts";
import { explained } from "./open-fault.ts";
import type { Place } from "./port.ts";
import { loadRootKey, makeRootKey, RootKeyError } from "./root-key.ts";
import type { Executor } from "./tables.ts";

const sourceOf = ({ security }: Place) => security ?? NO_KEY_SOURCE;

/** The file's text, which is part of a backup; null if there is none. */
export function wrappedKeysIn(dataDir: string): string | null {
  const file = join(dataDir, DATA_KEYS_FILE);
  return explained(dataDir, () => (existsSync(file) ? readFileSync(file, "utf8") : null));
}

/** Null if nothing was ever encrypted here. Throws if the root key is missing or wrong. */
export function ringOf(place: Place): OpenedRing | null {
  const text = wrappedKeysIn(place.dataDir);
  return text === null ? null : openedRing(text, place, join(place.dataDir, DATA_KEYS_FILE));
}

/** The same for the keys inside a backup, by the name of the backup. */
export function openedRing(text: string, place: Place, calledThus: string): OpenedRing {
  return unwrappedRing(text, neededRootKey(place, calledThus), calledThus);
}

/** Opens everything that the folder ever encrypted, even while encryption is off; null if that is nothing. */
export function readableKeys(ring: KeyRing): DataKeys | null {
  return dataKeysOf({ ...ring, current: ring.current ?? ring.keys[0] ?? null });
}

/** For everything that stores files; null while encryption is off. */
export const dataKeysIn = (place: Place): DataKeys | null => dataKeysOf(ringOf(place));

/** The same for files that are read as well: after "ringward decrypt" was cut off, some are still encrypted. */
export function fileKeysIn(place: Place): FileKeys | null {
  const ring = ringOf(place);
  const readable = ring && readableKeys(ring);
  return readable && { current: ring.current, byId: (id) => readable.byId(id) };
}

/** Throws if there is none. */
export function neededRootKey(place: Place, calledThus: string): Uint8Array {
  const key = rootKeyOf(place.dataDir, sourceOf(place));
  if (key) return key;
  throw new RootKeyError(
    `${whereKeyIs(place.dataDir, sourceOf(place))} is missing, and nothing else opens ${calledThus} and the encrypted ` +
      "data. Nothing was changed. Put the key back from where you keep it.",
  );
}

/** Whether a new installation with these settings is encrypted. A key beside the data would protect nothing. */
export function isEncryptionWanted(place: Place): boolean {
  const encrypt = place.security?.encrypt ?? false;
  return encrypt === "auto" ? isKeyOutside(place.dataDir, sourceOf(place)) : encrypt;
}

/** Creates the keys of a new installation, if it is to be encrypted. */
export function settledRing(place: Place, isNew: boolean): KeyRing | null {
  const present = ringOf(place);
  return isNew && !present && isEncryptionWanted(place) ? createRing(place) : present;
}

/** Throws if the settings forbid the data as it is. During a conversion either state is allowed. */
export function refuseOther({ dataDir, security }: Place, ring: KeyRing | null, isEncrypted: boolean): void {
  if (ring !== null && ring.converting !== null) return;
  if (security?.encrypt === false && isEncrypted)
    throw new ConfigError([
      `security.encrypt: is false, but ${dataDir} is encrypted. Run "ringward decrypt", or set it to "auto".`,
    ]);
  if (security?.encrypt === true && !isEncrypted)
    throw new ConfigError([
      `security.encrypt: is true, but ${dataDir} is not encrypted. Run "ringward encrypt", or set it to "auto".`,
    ]);
}

/** For a new installation. Of two at once, both get the keys of the first. */
function createRing(place: Place): KeyRing {
  const { dataDir } = place;
  const rootKey = rootKeyOf(dataDir, sourceOf(place)) ?? makeRootKey(dataDir);
  const current = newDataKey();
  const ring: KeyRing = { current, keys: [current], sealing: null, converting: null };
  const file = join(dataDir, DATA_KEYS_FILE);
  const fresh = writtenBeside(file, wrappedRing(ring, [rootKey]));
  try {
    linkSync(fresh, file);
    flush(dataDir);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  return ringOf(place) ?? ring;
}

/** Replaces the file. A crash leaves the old or the new one. `newRootKey`: both keys open it from here on. */
export function saveRing(place: Place, ring: KeyRing, newRootKey?: Uint8Array): void {
  const { dataDir } = place;
  const rootKey = neededRootKey(place, join(dataDir, DATA_KEYS_FILE));
  replaceRing(dataDir, wrappedRing(ring, newRootKey ? [rootKey, newRootKey] : [rootKey]));
}

export function replaceRing(dataDir: string, text: string): void {
  const file = join(dataDir, DATA_KEYS_FILE);
  renameSync(writtenBeside(file, text), file);
  flush(dataDir);
}

/** Removes files that a process which was killed did not put in place. The caller holds the lock of the keys. */
export function forgetUnwritten(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (/^(data-keys|secret\.key)\.\d+\.new$/.test(name)) rmSync(join(dataDir, name), { force: true });
}

/** Private, flushed, and readable to the server even if root wrote it. */
export function writtenBeside(file: string, text: string): string {
  const fresh = `${file}.${process.pid}.new`;
  const fd = openSync(fresh, "w", 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
  giveToFolderOwner(fresh);
  return fresh;
}

/** The key that seals the stored secrets. After a change of the root key it is the earlier one, itself wrapped. */
export async function loadSealingKey(place: Place, reader: Executor): Promise<Uint8Array> {
  const rootKey = await loadRootKey(place.dataDir, rootKeyOf(place.dataDir, sourceOf(place)), reader);
  return ringOf(place)?.sealing ?? rootKey;
}

/** Null if there is no key yet. */
export function presentSealingKey(place: Place): Uint8Array | null {
  return ringOf(place)?.sealing ?? rootKeyOf(place.dataDir, sourceOf(place));
}
