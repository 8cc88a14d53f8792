// Writes SHA256SUMS of a folder and its Ed25519 signature, in the format of src/update/signed-sums.ts.
import { createPrivateKey, sign, type KeyObject } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { sha256Of } from "../../src/update/executable-swap.ts";
import { SIGNATURE_FILE, SUMS_FILE } from "../../src/update/signed-sums.ts";

/** Every file directly in the folder, sorted by name; compatible with `sha256sum --check SHA256SUMS`. */
export function signFolder(folder: string, key: KeyObject): void {
  const names = readdirSync(folder)
    .filter((name) => name !== SUMS_FILE && name !== SIGNATURE_FILE)
    .toSorted();
  const lines = names.map((name) => `${sha256Of(join(folder, name))}  ${name}\n`);
  const text = Buffer.from(lines.join(""));
  writeFileSync(join(folder, SUMS_FILE), text);
  writeFileSync(join(folder, SIGNATURE_FILE), sign(null, text, key));
}

/**
 * A private key in the format of `openssl genpkey -algorithm ed25519`: outside the repository, readable only by its
 * owner.
 */
export function readSigningKey(file: string, root: string): KeyObject {
  if (!relative(root, resolve(file)).startsWith("..")) throw new Error(`Keep ${file} outside the repository.`);
  if ((statSync(file).mode & 0o077) !== 0) throw new Error(`Others may read ${file}. Run: chmod 600 ${file}`);
  const key = createPrivateKey(readFileSync(file, "utf8"));
  if (key.asymmetricKeyType !== "ed25519") throw new Error(`${file} is not an Ed25519 key.`);
  return key;
}
