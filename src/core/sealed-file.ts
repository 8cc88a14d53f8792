// Sealed files on disk: reading at any offset, and copies that are sealed or opened. See sealed-frames.ts.
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import {
  cipherFor,
  createFrameCipher,
  frameAt,
  FRAME_OVERHEAD_BYTES,
  framesIn,
  HEAD_BYTES,
  newHead,
  plainBytesOf,
  readHead,
  SealedFileError,
  type FileKeys,
  type FrameCipher,
  type SealedHead,
} from "./sealed-frames.ts";

/** A file's content at any offset; the same for sealed and plain files. */
export interface ReadableFile {
  readonly bytes: number;
  /** Fills the buffer from `at`; returns the number of bytes, fewer only at the end of the file. */
  readInto(buffer: Uint8Array, at: number): number;
  close(): void;
}

/** Opens a file, sealed or not. Throws a SealedFileError if it is sealed and cut short, or its key is missing. */
export function openReadable(path: string, keys: Pick<FileKeys, "byId"> | null): ReadableFile {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const head = readHead(bytesOf(fd, 0, HEAD_BYTES));
    if (head) return new SealedFile({ fd, size, head, cipher: cipherFor(head, keys), startAt: 0 });
    return plainFile(fd, size);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

export const isSealedFile = (path: string): boolean => {
  const fd = openSync(path, "r");
  try {
    return readHead(bytesOf(fd, 0, HEAD_BYTES)) !== null;
  } finally {
    closeSync(fd);
  }
};

function plainFile(fd: number, size: number): ReadableFile {
  return {
    bytes: size,
    readInto: (buffer, at) => fill(fd, buffer, at),
    close: () => closeSync(fd),
  };
}

export interface SealedParts {
  fd: number;
  /** Of the whole file. */
  size: number;
  head: SealedHead;
  cipher: FrameCipher;
  /** Offset of the header in the file. */
  startAt: number;
}

/** The last frame is checked at once, so a file that was cut between two frames is refused before it is read. */
export class SealedFile implements ReadableFile {
  readonly bytes: number;
  readonly #frames: number;
  #kept: { index: number; plain: Buffer } | null = null;

  constructor(private readonly parts: SealedParts) {
    const sealedBytes = parts.size - parts.startAt - HEAD_BYTES;
    const bytes = plainBytesOf(parts.head, sealedBytes);
    if (bytes === null) throw new SealedFileError("An encrypted file is cut short.");
    this.bytes = bytes;
    this.#frames = framesIn(parts.head, sealedBytes);
    this.#frame(this.#frames - 1);
  }

  readInto(buffer: Uint8Array, at: number): number {
    const { frameBytes } = this.parts.head;
    const wanted = Math.max(0, Math.min(buffer.length, this.bytes - at));
    for (let done = 0; done < wanted;) {
      const index = Math.floor((at + done) / frameBytes);
      const within = at + done - index * frameBytes;
      const piece = this.#frame(index).subarray(within, within + wanted - done);
      buffer.set(piece, done);
      done += piece.length;
    }
    return wanted;
  }

  close(): void {
    closeSync(this.parts.fd);
  }

  /** Players read in small steps: the newest frame is kept. */
  #frame(index: number): Buffer {
    if (this.#kept?.index === index) return this.#kept.plain;
    const { fd, head, cipher, startAt } = this.parts;
    const sealed = bytesOf(fd, startAt + frameAt(head, index), head.frameBytes + FRAME_OVERHEAD_BYTES);
    const plain = cipher.open(sealed, index, index === this.#frames - 1);
    this.#kept = { index, plain };
    return plain;
  }
}

/** Appends a sealed copy of `from` to the file `to`, which is at `startAt`. Returns the offset behind it. */
export function sealInto(
  to: number,
  startAt: number,
  from: ReadableFile,
  sealing: { keyId: string; key: Uint8Array; frameBytes: number; progress?: (doneBytes: number) => void },
): number {
  const head = newHead(sealing.keyId, sealing.frameBytes);
  const cipher = createFrameCipher(head, sealing.key);
  const plain = Buffer.alloc(head.frameBytes);
  const frames = Math.max(1, Math.ceil(from.bytes / head.frameBytes));
  let at = startAt + writeAll(to, head.bytes, startAt);
  for (let index = 0; index < frames; index++) {
    const count = from.readInto(plain, index * head.frameBytes);
    if (index * head.frameBytes + count !== Math.min(from.bytes, (index + 1) * head.frameBytes))
      throw new SealedFileError("A file became shorter while it was read.");
    at += writeAll(to, cipher.seal(plain.subarray(0, count), index, index === frames - 1), at);
    sealing.progress?.(index * head.frameBytes + count);
  }
  return at;
}

export function writeAll(fd: number, bytes: Uint8Array, at: number): number {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, at + done);
  return bytes.length;
}

function bytesOf(fd: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, fill(fd, buffer, at));
}

function fill(fd: number, buffer: Uint8Array, at: number): number {
  let done = 0;
  while (done < buffer.length) {
    const count = readSync(fd, buffer, done, buffer.length - done, at + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}
