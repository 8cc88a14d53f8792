// The root key for stored secrets: from the configuration, or a file beside the database that only its owner can read.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { explained } from "./open-fault.ts";
import { newRootKey, ROOT_KEY_BYTES } from "../core/secret-box.ts";

export const ROOT_KEY_FILE = "secret.key";

export class RootKeyError extends Error {}

export function loadRootKey(dataDir: string, configured: string): Uint8Array {
  if (configured !== "") return Buffer.from(configured, "base64");
  const file = join(dataDir, ROOT_KEY_FILE);
  const text = explained(dataDir, () => {
    // "wx" makes two processes that start at once agree on one key.
    if (!existsSync(file)) writeOnce(file, newRootKey().toString("base64"));
    return readFileSync(file, "utf8");
  });
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== ROOT_KEY_BYTES) {
    throw new RootKeyError(
      `${file} does not hold ${ROOT_KEY_BYTES} bytes in base64. Put back the file from your backup.`,
    );
  }
  return key;
}

function writeOnce(file: string, text: string): void {
  try {
    writeFileSync(file, `${text}\n`, { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
