// The root key for stored secrets: from the configuration, or a file beside the database that only its owner can read.
// A key is made for a database that needs none yet. Where one is missing that something was sealed with, only a person
// can say that it is lost.
import { chownSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRootKey, ROOT_KEY_BYTES } from "../core/secret-box.ts";
import { explained, explanationOf } from "./open-fault.ts";
import { isAnyShut, shutSecrets, shutWords, type SealedCounts } from "./sealed-secrets.ts";
import type { Executor } from "./tables.ts";

export const ROOT_KEY_FILE = "secret.key";

export class RootKeyError extends Error {}

/** `reader` is of the database that the key is for. */
export async function loadRootKey(dataDir: string, configured: string, reader: Executor): Promise<Uint8Array> {
  const present = presentRootKey(dataDir, configured);
  if (present) return present;
  try {
    const shut = await shutSecrets(reader, null);
    // Another process may have made key and secrets since we looked.
    if (isAnyShut(shut) && !existsSync(join(dataDir, ROOT_KEY_FILE)))
      throw new RootKeyError(missingKeyWords(dataDir, shut));
    return makeRootKey(dataDir);
  } catch (error) {
    throw explanationOf(dataDir, error);
  }
}

/** Null where there is none yet, or none any more. */
export function presentRootKey(dataDir: string, configured: string): Uint8Array | null {
  if (configured !== "") return Buffer.from(configured, "base64");
  const file = join(dataDir, ROOT_KEY_FILE);
  const text = explained(dataDir, () => (existsSync(file) ? readFileSync(file, "utf8") : null));
  if (text === null) return null;
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === ROOT_KEY_BYTES) return key;
  throw new RootKeyError(
    `${file} does not hold ${ROOT_KEY_BYTES} bytes in base64. Put back the file from your backup.`,
  );
}

/** Never in the place of one that is there. */
export function makeRootKey(dataDir: string): Uint8Array {
  // "wx" makes two processes that start at once agree on one key.
  const file = join(dataDir, ROOT_KEY_FILE);
  writeOnce(file, newRootKey().toString("base64"));
  // Made by root, it must still be readable to the server, which is not root.
  if (process.getuid?.() === 0) chownSync(file, statSync(dataDir).uid, statSync(dataDir).gid);
  const made = presentRootKey(dataDir, "");
  if (!made) throw new RootKeyError(`${file} was taken away while it was being made.`);
  return made;
}

export function missingKeyWords(dataDir: string, shut: SealedCounts): string {
  return (
    `${join(dataDir, ROOT_KEY_FILE)} is missing, and ${shutWords(shut)} open with nothing else. Put the file back from ` +
    'where you keep it (or set security.root_key). If it is lost, "ringward key new" makes another and says what to renew.'
  );
}

export function wrongKeyWords(shut: SealedCounts): string {
  return (
    `The secret key is not the one that ${shutWords(shut)} were sealed with. Put the right one back. If it is lost, ` +
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
