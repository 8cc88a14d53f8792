// Format of sealed files: a header, then frames of AES-256-GCM that can be read at any offset. Each file has its own
// key, derived from a data key and a random salt. Each frame has a random nonce, so a frame may be written again. The
// associated data is the header, the number of the frame and whether it is the last, so a changed, moved, removed or
// cut frame is detected. An older version of the same frame of the same file is not.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export interface FileKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** Structurally the data keys of the database. */
export interface FileKeys {
  /** Encrypts new files; null: they are plain. */
  readonly current: FileKey | null;
  /** Older keys, too. */
  byId(id: string): Uint8Array | undefined;
}

/** Content that was changed, cut short or sealed with a key that is not there. */
export class SealedFileError extends Error {}

export interface SealedHead {
  readonly keyId: string;
  /** Bytes of plain text in each frame except the last. */
  readonly frameBytes: number;
  readonly bytes: Buffer;
}

const MAGIC = Buffer.from("RWSEALED\x01\0\0\0", "latin1");
const FRAME_BYTES_AT = 12;
const KEY_ID_AT = 16;
const KEY_ID_BYTES = 16;
const SALT_AT = 32;
const SALT_BYTES = 32;
export const HEAD_BYTES = SALT_AT + SALT_BYTES;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Added to each frame. */
export const FRAME_OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES;
/** For files that are written at once. */
export const LONG_FRAME_BYTES = 64 * 1024;
const LEAST_FRAME_BYTES = 1024;
const MOST_FRAME_BYTES = 1024 * 1024;

export function newHead(keyId: string, frameBytes: number): SealedHead {
  if (!/^[0-9a-z-]{1,16}$/.test(keyId)) throw new RangeError("The id of a key must have 1 to 16 characters.");
  const bytes = Buffer.alloc(HEAD_BYTES);
  MAGIC.copy(bytes);
  bytes.writeUInt32LE(frameBytes, FRAME_BYTES_AT);
  bytes.write(keyId, KEY_ID_AT, "latin1");
  randomBytes(SALT_BYTES).copy(bytes, SALT_AT);
  return { keyId, frameBytes, bytes };
}

/** Null if the file is not sealed. */
export function readHead(bytes: Uint8Array): SealedHead | null {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES));
  if (head.length < HEAD_BYTES || !head.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  const frameBytes = head.readUInt32LE(FRAME_BYTES_AT);
  if (frameBytes < LEAST_FRAME_BYTES || frameBytes > MOST_FRAME_BYTES) return null;
  const keyId = head.toString("latin1", KEY_ID_AT, KEY_ID_AT + KEY_ID_BYTES).replace(/\0+$/, "");
  return { keyId, frameBytes, bytes: head };
}

/** Number of frames in a file with this much behind its header; the last may be short. */
export const framesIn = ({ frameBytes }: SealedHead, sealedBytes: number): number =>
  Math.ceil(Math.max(0, sealedBytes) / (frameBytes + FRAME_OVERHEAD_BYTES));

/** Bytes of plain text; null if no file can have this length. */
export function plainBytesOf(head: SealedHead, sealedBytes: number): number | null {
  const plain = sealedBytes - framesIn(head, sealedBytes) * FRAME_OVERHEAD_BYTES;
  const last = sealedBytes % (head.frameBytes + FRAME_OVERHEAD_BYTES);
  return sealedBytes <= 0 || (last !== 0 && last < FRAME_OVERHEAD_BYTES) ? null : plain;
}

/** Offset of a frame from the beginning of the header. */
export const frameAt = ({ frameBytes }: SealedHead, index: number): number =>
  HEAD_BYTES + index * (frameBytes + FRAME_OVERHEAD_BYTES);

export interface FrameCipher {
  seal(plain: Uint8Array, index: number, isLast: boolean): Buffer;
  /** Throws a SealedFileError. */
  open(sealed: Uint8Array, index: number, isLast: boolean): Buffer;
}

export function createFrameCipher(head: SealedHead, key: Uint8Array): FrameCipher {
  const fileKey = Buffer.from(hkdfSync("sha256", key, head.bytes.subarray(SALT_AT), "ringward sealed file", 32));
  const context = Buffer.concat([head.bytes, Buffer.alloc(9)]);
  const contextOf = (index: number, isLast: boolean) => {
    context.writeBigUInt64LE(BigInt(index), HEAD_BYTES);
    context.writeUInt8(isLast ? 1 : 0, HEAD_BYTES + 8);
    return context;
  };
  return {
    seal(plain, index, isLast) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", fileKey, nonce).setAAD(contextOf(index, isLast));
      const body = cipher.update(plain);
      return Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, index, isLast) {
      if (sealed.length < FRAME_OVERHEAD_BYTES) throw cutShort();
      const end = sealed.length - TAG_BYTES;
      const decipher = createDecipheriv("aes-256-gcm", fileKey, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(contextOf(index, isLast))
        .setAuthTag(sealed.subarray(end));
      const plain = decipher.update(sealed.subarray(NONCE_BYTES, end));
      try {
        decipher.final();
      } catch {
        throw new SealedFileError(`An encrypted file was changed or cut short (frame ${index}).`);
      }
      return plain;
    },
  };
}

const cutShort = () => new SealedFileError("An encrypted file is cut short.");

/** Throws if no key of this id is there. */
export function cipherFor(head: SealedHead, keys: Pick<FileKeys, "byId"> | null): FrameCipher {
  const key = keys?.byId(head.keyId);
  if (!key) throw new SealedFileError(`The key ${head.keyId} of an encrypted file is missing.`);
  return createFrameCipher(head, key);
}
