// Encrypted backup: a block of text with its own key, wrapped by the root key, then the archive in sealed frames. The
// root key alone opens it, on any machine.
import { fstatSync, fsyncSync, openSync, closeSync } from "node:fs";
import { newRootKey, createSecretBox, ROOT_KEY_BYTES } from "../../core/secret-box.ts";
import { openReadable, SealedFile, sealInto, type ReadableFile } from "../../core/sealed-file.ts";
import {
  createFrameCipher,
  HEAD_BYTES,
  LONG_FRAME_BYTES,
  readHead,
  SealedFileError,
} from "../../core/sealed-frames.ts";
import { bytesAt, writeAll } from "./archive-file.ts";
import { BackupError } from "./fault.ts";

const BEGINNING = "RINGWARD ENCRYPTED BACKUP 1\n";
/** The text is padded with spaces. */
const TEXT_BYTES = 4096;
const PURPOSE = "backup-key";
const KEY_ID = "backup";

export const isSealedArchive = (beginning: string): boolean => beginning.startsWith(BEGINNING);

/** Writes a new private file, flushed. The archive stays as it is. */
export function sealArchive(
  archive: string,
  target: string,
  rootKey: Uint8Array,
  progress: (doneBytes: number) => void = () => {},
): void {
  const key = newRootKey();
  const wrapped = createSecretBox(rootKey).seal(key.toString("base64"), PURPOSE);
  const from = openReadable(archive, null);
  try {
    const to = openSync(target, "wx", 0o600);
    try {
      writeAll(to, Buffer.from(beginningWith(wrapped)), 0);
      sealInto(to, TEXT_BYTES, from, { keyId: KEY_ID, key, frameBytes: LONG_FRAME_BYTES, progress });
      fsyncSync(to);
    } finally {
      closeSync(to);
    }
  } finally {
    from.close();
  }
}

/** Bytes of the encrypted backup of an archive, for a check of the free space. */
export const sealedArchiveBytes = (archiveBytes: number): number =>
  TEXT_BYTES + HEAD_BYTES + archiveBytes + (Math.floor(archiveBytes / LONG_FRAME_BYTES) + 1) * 32;

/** By any of the keys. The caller closes the descriptor. */
export function openSealedArchive(fd: number, file: string, rootKeys: readonly Uint8Array[]): ReadableFile {
  if (rootKeys.length === 0)
    throw new BackupError(
      `${file} is encrypted, and the secret key that opens it is missing. Put secret.key into the data folder, or set ` +
        "security.root_key.",
    );
  const text = bytesAt(fd, 0, TEXT_BYTES).toString("latin1");
  const [, wrapped = ""] = text.split("\n");
  const isWhole = text === beginningWith(wrapped);
  const [key] = isWhole ? rootKeys.flatMap((rootKey) => unwrapped(wrapped, rootKey) ?? []) : [];
  if (!key)
    throw new BackupError(
      `${file} cannot be opened: it was made with another secret key, or its beginning is damaged.`,
    );
  const head = readHead(bytesAt(fd, TEXT_BYTES, HEAD_BYTES));
  if (!head) throw new BackupError(`${file} is damaged: its beginning was changed.`);
  const cipher = createFrameCipher(head, key);
  try {
    return new SealedFile({ fd, size: fstatSync(fd).size, head, cipher, startAt: TEXT_BYTES });
  } catch (error) {
    if (!(error instanceof SealedFileError)) throw error;
    throw new BackupError(`${file} is damaged: ${error.message}`, { cause: error });
  }
}

const beginningWith = (wrapped: string): string => `${BEGINNING}${wrapped}\n`.padEnd(TEXT_BYTES);

function unwrapped(wrapped: string, rootKey: Uint8Array): Buffer | null {
  try {
    const key = Buffer.from(createSecretBox(rootKey).open(wrapped, PURPOSE), "base64");
    return key.length === ROOT_KEY_BYTES ? key : null;
  } catch {
    return null;
  }
}
