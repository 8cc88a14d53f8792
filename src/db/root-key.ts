// Root key for stored secrets: from the configuration, or a file next to the database that only its owner can read. A
// key is generated only for a database without secrets. If the key of existing secrets is missing, only a person can
// declare it lost.
import { existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { giveToFolderOwner } from "../core/given-owner.ts";
import { newRootKey, ROOT_KEY_BYTES } from "../core/secret-box.ts";
import { explained, explanationOf } from "./open-fault.ts";
import { isAnyShut, shutSecrets, shutWords, type SealedCounts } from "./sealed-secrets.ts";
import type { Executor } from "./tables.ts";

export const ROOT_KEY_FILE = "secret.key";

export class RootKeyError extends Error {}

/** `reader` belongs to the key's database. */
export async function loadRootKey(
  dataDir: string,
  configured: Uint8Array | null,
  reader: Executor,
): Promise<Uint8Array> {
  const present = presentRootKey(dataDir, configured);
  if (present) return present;
  try {
    const shut = await shutSecrets(reader, null);
    // Another process may have created the key and secrets since the check.
    if (isAnyShut(shut) && !existsSync(join(dataDir, ROOT_KEY_FILE)))
      throw new RootKeyError(missingKeyWords(dataDir, shut));
    return makeRootKey(dataDir);
  } catch (error) {
    throw explanationOf(dataDir, error);
  }
}

/** Null if there is none. */
export function presentRootKey(dataDir: string, configured: Uint8Array | null): Uint8Array | null {
  if (configured) return configured;
  const file = join(dataDir, ROOT_KEY_FILE);
  const text = explained(dataDir, () => (existsSync(file) ? readFileSync(file, "utf8") : null));
  if (text === null) return null;
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === ROOT_KEY_BYTES) return key;
  throw new RootKeyError(
    `${file} does not hold ${ROOT_KEY_BYTES} bytes in base64. Put back the file from your backup.`,
  );
}

const EARLIER = `${ROOT_KEY_FILE}.until-`;

interface EarlierKey {
  file: string;
  key: Uint8Array;
}

/** Keys that "ringward key change" replaced. They open earlier backups. */
export function earlierRootKeys(dataDir: string): EarlierKey[] {
  const names = explained(dataDir, () => (existsSync(dataDir) ? readdirSync(dataDir) : []));
  return names
    .filter((name) => name.startsWith(EARLIER))
    .map((name) => join(dataDir, name))
    .map((file) => ({ file, key: Buffer.from(readFileSync(file, "utf8").trim(), "base64") }))
    .filter(({ key }) => key.length === ROOT_KEY_BYTES);
}

/** Gives DATA/secret.key a second name, under which it stays when it is replaced. Returns the path. */
export function keepRootKey(dataDir: string, key: Uint8Array, until: string): string {
  // Of a change that was cut off.
  const present = earlierRootKeys(dataDir).find((earlier) => Buffer.from(key).equals(earlier.key));
  if (present) return present.file;
  const kept = join(dataDir, `${EARLIER}${until.replaceAll(/[:.]/g, "-")}`);
  linkSync(join(dataDir, ROOT_KEY_FILE), kept);
  return kept;
}

/** Never overwrites an existing key. */
export function makeRootKey(dataDir: string): Uint8Array {
  // "wx" makes two concurrent starts agree on one key.
  const file = join(dataDir, ROOT_KEY_FILE);
  writeOnce(file, newRootKey().toString("base64"));
  giveToFolderOwner(file);
  const made = presentRootKey(dataDir, null);
  if (!made) throw new RootKeyError(`${file} was taken away while it was being made.`);
  return made;
}

export function missingKeyWords(dataDir: string, shut: SealedCounts): string {
  return (
    `${join(dataDir, ROOT_KEY_FILE)} is missing, and nothing else opens ${shutWords(shut)}. Put the file back from ` +
    'where you keep it (or name it in the settings: security.root_key, key_file or key_command). If it is lost, "ringward key new" makes another and says what to renew.'
  );
}

export function wrongKeyWords(shut: SealedCounts): string {
  return (
    `The secret key is not the one that sealed ${shutWords(shut)}. Put the right one back. If it is lost, ` +
    '"ringward key accept" takes this one instead and says what to renew.'
  );
}

function writeOnce(file: string, text: string): void {
  try {
    writeFileSync(file, `${text}\n`, { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
