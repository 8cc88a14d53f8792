// Encryption of the SQLite file: pages in the format of SQLCipher 4 (AES-256-CBC, a random IV at every write of a page)
// without its HMAC. Decided by measurement: the HMAC doubles the CPU time of a commit, and so does ChaCha20-Poly1305,
// which would cost more than a tenth of the speed. AEGIS is as fast as this, but the runtime does not have it, and the
// wipe of free space reads pages outside SQLite.
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type Sqlite from "better-sqlite3";
import { decryptBlocks, encryptBlocks, IV_BYTES } from "../../core/aes-cbc.ts";
import { createSecretBox } from "../../core/secret-box.ts";
import type { KeyRing } from "../data-keys.ts";
import { RootKeyError } from "../root-key.ts";

/** The key of one database file, derived from a data key; null for a plain file. */
export type FileKey = Uint8Array | null;

export const PAGE_BYTES = 4_096;
const PLAIN_BEGINNING = "SQLite format 3\0";
const SALT_BYTES = 16;
/** Encrypted bytes of a page: the IV is at its end. */
const BODY_BYTES = PAGE_BYTES - IV_BYTES;
/** Distinct byte values in a page. Ciphertext has nearly all 256; a page of SQLite with its schema has about 100. */
const FEWEST_IN_CIPHERTEXT = 248;

export const fileKeyOf = (dataKey: Uint8Array): Uint8Array => createSecretBox(dataKey).deriveKey("database");

/** Called before the first statement. The key is in no SQL that could be logged. */
export function unlock(connection: Sqlite.Database, key: FileKey): void {
  if (key === null) return;
  chooseCipher(connection);
  connection.pragma(`key = ${keyText(key)}`);
}

/** Without a key: for files that this connection attaches. */
export function chooseCipher(connection: Sqlite.Database): void {
  connection.pragma("cipher = 'sqlcipher'");
  connection.pragma("legacy = 4");
  connection.pragma("hmac_use = 0");
}

/** A raw key: nothing is derived from it. */
export const keyText = (key: FileKey): string => (key === null ? "''" : `"x'${Buffer.from(key).toString("hex")}'"`);

export const isSameKey = (a: FileKey, b: FileKey): boolean =>
  a === null || b === null ? a === b : Buffer.from(a).equals(Buffer.from(b));

/** The key that opens the file. Null for a plain file, and for one that is damaged. */
export function keyOfFile(file: string, ring: KeyRing | null, calledThus = file): FileKey {
  const page = firstPage(file);
  if (page === null || page.toString("latin1", 0, SALT_BYTES) === PLAIN_BEGINNING) return null;
  for (const { key } of ring?.keys ?? []) {
    const fileKey = fileKeyOf(key);
    if (opens(page, fileKey)) return fileKey;
  }
  if (new Set(page).size < FEWEST_IN_CIPHERTEXT) return null;
  throw new RootKeyError(
    ring === null
      ? `${calledThus} is encrypted, and its data-keys file is missing. Nothing was changed. Put the file back from your ` +
          "backup; nothing else opens the data."
      : `${calledThus} is encrypted with a key that is not in the data-keys file. Nothing was changed. Put back the ` +
          "data-keys file that belongs to it.",
  );
}

/** Null for an empty or missing file. */
function firstPage(file: string): Buffer | null {
  if (!existsSync(file)) return null;
  const fd = openSync(file, "r");
  try {
    const page = Buffer.alloc(PAGE_BYTES);
    return readSync(fd, page, 0, PAGE_BYTES, 0) === 0 ? null : page;
  } finally {
    closeSync(fd);
  }
}

/** Constant bytes of the file header: the page size, the IV at the end of each page, and the payload fractions. */
function opens(page: Buffer, key: Uint8Array): boolean {
  const header = decryptBlocks(key, page.subarray(BODY_BYTES), page.subarray(SALT_BYTES, 2 * SALT_BYTES));
  const isPage = header.readUInt16BE(0) === PAGE_BYTES && header[4] === IV_BYTES;
  return isPage && header[5] === 64 && header[6] === 32 && header[7] === 32;
}

/** Pages as SQLite sees them, for the wipe of free space. */
export interface PageCipher {
  /** The plain page. */
  open(bytes: Buffer, at: number, pageNumber: number): Buffer;
  /** `encrypted`: the page as it was in the file. */
  seal(page: Buffer, encrypted: Buffer, pageNumber: number): Buffer;
}

export function pageCipher(key: Uint8Array): PageCipher {
  const startOf = (pageNumber: number) => (pageNumber === 1 ? SALT_BYTES : 0);
  return {
    open(bytes, at, pageNumber) {
      const start = startOf(pageNumber);
      const iv = bytes.subarray(at + BODY_BYTES, at + PAGE_BYTES);
      const body = decryptBlocks(key, iv, bytes.subarray(at + start, at + BODY_BYTES));
      return Buffer.concat([Buffer.alloc(start), body, iv]);
    },
    seal(page, encrypted, pageNumber) {
      const start = startOf(pageNumber);
      const { iv, bytes } = encryptBlocks(key, page.subarray(start, BODY_BYTES));
      return Buffer.concat([encrypted.subarray(0, start), bytes, iv]);
    },
  };
}
