// Asynchronous reading of a stored file, sealed or not, for responses and archives. No thread waits for the disk.
import { open, type FileHandle } from "node:fs/promises";
import {
  cipherFor,
  frameAt,
  FRAME_OVERHEAD_BYTES,
  framesIn,
  HEAD_BYTES,
  plainBytesOf,
  readHead,
  SealedFileError,
  type FileKeys,
  type FrameCipher,
  type SealedHead,
} from "./sealed-frames.ts";

/** A file with the keys that open it; null if no file is encrypted. */
export interface StoredPath {
  path: string;
  keys: FileKeys | null;
}

export type ReadingKeys = Pick<FileKeys, "byId"> | null;

export interface StoredFile {
  readonly isSealed: boolean;
  /** Of the plain content. */
  readonly bytes: number;
  /** The content from `from` up to `to`, or to the end of the file. */
  read(from: number, to: number): AsyncGenerator<Uint8Array, void>;
  close(): Promise<void>;
}

const BYTES_PER_READ = 256 * 1024;

/** Rejects with a SealedFileError if it is sealed and cut short, or its key is missing. */
export async function openStored(path: string, keys: ReadingKeys): Promise<StoredFile> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const head = readHead(await bytesOf(handle, 0, HEAD_BYTES));
    if (!head) return new PlainStored(handle, size);
    const file = new SealedStored(handle, head, cipherFor(head, keys), size - HEAD_BYTES);
    await file.checkEnd();
    return file;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

class PlainStored implements StoredFile {
  readonly isSealed = false;
  constructor(
    private readonly handle: FileHandle,
    readonly bytes: number,
  ) {}

  async *read(from: number, to: number): AsyncGenerator<Uint8Array, void> {
    for (let at = from; at < to;) {
      const piece = await bytesOf(this.handle, at, Math.min(BYTES_PER_READ, to - at));
      if (piece.length === 0) return;
      yield piece;
      at += piece.length;
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

class SealedStored implements StoredFile {
  readonly isSealed = true;
  readonly bytes: number;
  readonly #frames: number;
  readonly #sealedFrameBytes: number;

  constructor(
    private readonly handle: FileHandle,
    private readonly head: SealedHead,
    private readonly cipher: FrameCipher,
    sealedBytes: number,
  ) {
    const bytes = plainBytesOf(head, sealedBytes);
    if (bytes === null) throw new SealedFileError("An encrypted file is cut short.");
    this.bytes = bytes;
    this.#frames = framesIn(head, sealedBytes);
    this.#sealedFrameBytes = head.frameBytes + FRAME_OVERHEAD_BYTES;
  }

  /** A file that was cut between two frames is refused before it is read. */
  async checkEnd(): Promise<void> {
    await this.#frameRun(this.#frames - 1, 1);
  }

  async *read(from: number, to: number): AsyncGenerator<Uint8Array, void> {
    const { frameBytes } = this.head;
    const end = Math.min(to, this.bytes);
    const most = Math.max(1, Math.floor(BYTES_PER_READ / frameBytes));
    for (let at = from; at < end;) {
      const first = Math.floor(at / frameBytes);
      const count = Math.min(most, Math.ceil(end / frameBytes) - first);
      const plain = await this.#frameRun(first, count);
      const begin = first * frameBytes;
      yield plain.subarray(at - begin, end - begin);
      at = begin + plain.length;
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  async #frameRun(first: number, count: number): Promise<Buffer> {
    const size = this.#sealedFrameBytes;
    const sealed = await bytesOf(this.handle, frameAt(this.head, first), count * size);
    const opened: Buffer[] = [];
    for (let i = 0; i < count; i++)
      opened.push(
        this.cipher.open(sealed.subarray(i * size, (i + 1) * size), first + i, first + i === this.#frames - 1),
      );
    return opened.length === 1 ? (opened[0] ?? Buffer.alloc(0)) : Buffer.concat(opened);
  }
}

async function bytesOf(handle: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  let done = 0;
  while (done < bytes) {
    const { bytesRead } = await handle.read(buffer, done, bytes - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}
