// Seals a file while it grows, without input or output of its own: returns what to write where. Every write leaves a
// file of whole frames whose last is not marked as the last, so a reader refuses it until it is finished or salvaged.
import {
  createFrameCipher,
  frameAt,
  FRAME_OVERHEAD_BYTES,
  framesIn,
  HEAD_BYTES,
  newHead,
  readHead,
  type FileKey,
  type FrameCipher,
  type SealedHead,
} from "./sealed-frames.ts";

/** One second of a recording: the most that a write that is cut off can spoil. */
export const SHORT_FRAME_BYTES = 16 * 1024;

export interface SealedWrite {
  bytes: Uint8Array;
  at: number;
}

export interface SealedWriter {
  /** Appends at the end, or changes bytes of the first frame. */
  write(bytes: Uint8Array, at: number): SealedWrite[];
  /** Marks the last frame. */
  finish(): SealedWrite[];
}

export function createSealedWriter({ id, key }: FileKey): SealedWriter {
  const head = newHead(id, SHORT_FRAME_BYTES);
  return new GrowingFile(head, createFrameCipher(head, key));
}

class GrowingFile implements SealedWriter {
  /** Kept, because the header of a recording is written again at its end. */
  readonly #first = Buffer.alloc(SHORT_FRAME_BYTES);
  readonly #tail = Buffer.alloc(SHORT_FRAME_BYTES);
  #tailBytes = 0;
  #tailIndex = 0;
  #hasHead = false;

  constructor(
    private readonly head: SealedHead,
    private readonly cipher: FrameCipher,
  ) {}

  write(bytes: Uint8Array, at: number): SealedWrite[] {
    const length = this.#tailIndex * SHORT_FRAME_BYTES + this.#tailBytes;
    if (at === length) return [...this.#begun(), ...this.#append(bytes)];
    if (at + bytes.length > Math.min(length, SHORT_FRAME_BYTES))
      throw new RangeError("A sealed file grows at its end; only its first frame can be changed.");
    this.#first.set(bytes, at);
    if (this.#tailIndex > 0) return [this.#frame(0, this.#first, false)];
    this.#tail.set(bytes, at);
    return [this.#frame(0, this.#tail.subarray(0, this.#tailBytes), false)];
  }

  finish(): SealedWrite[] {
    return [...this.#begun(), this.#frame(this.#tailIndex, this.#tail.subarray(0, this.#tailBytes), true)];
  }

  #begun(): SealedWrite[] {
    if (this.#hasHead) return [];
    this.#hasHead = true;
    return [{ bytes: this.head.bytes, at: 0 }];
  }

  /** A full frame stays the tail until more follows, because it may be the last. */
  #append(bytes: Uint8Array): SealedWrite[] {
    const frames: SealedWrite[] = [];
    for (let done = 0; done < bytes.length;) {
      if (this.#tailBytes === SHORT_FRAME_BYTES) {
        this.#tailIndex++;
        this.#tailBytes = 0;
      }
      const piece = bytes.subarray(done, done + SHORT_FRAME_BYTES - this.#tailBytes);
      this.#tail.set(piece, this.#tailBytes);
      if (this.#tailIndex === 0) this.#first.set(piece, this.#tailBytes);
      this.#tailBytes += piece.length;
      done += piece.length;
      frames.push(this.#frame(this.#tailIndex, this.#tail.subarray(0, this.#tailBytes), false));
    }
    // They follow each other: one write for all.
    const [first] = frames;
    return first ? [{ bytes: Buffer.concat(frames.map((frame) => frame.bytes)), at: first.at }] : [];
  }

  #frame(index: number, plain: Uint8Array, isLast: boolean): SealedWrite {
    return { bytes: this.cipher.seal(plain, index, isLast), at: frameAt(this.head, index) };
  }
}

/** A file that was cut off while it grew. */
export interface CutOffFile {
  readonly bytes: number;
  /** Empty if the write of the first frame was cut off. */
  readonly first: Buffer;
  /** What to write, and the length of the file, to end it with this first frame. */
  ended(first: Buffer): { writes: SealedWrite[]; fileBytes: number };
}

/**
 * Finds the last frame that was written whole; only that write, or the one that changed the first frame, can have been
 * cut off. Null if nothing is left. `read` returns fewer bytes at the end of the file.
 */
export function salvageSealed(
  fileBytes: number,
  keyOf: (id: string) => Uint8Array | undefined,
  read: (at: number, bytes: number) => Buffer,
): CutOffFile | null {
  const head = readHead(read(0, HEAD_BYTES));
  const key = head && keyOf(head.keyId);
  if (!head || !key) return null;
  const cipher = createFrameCipher(head, key);
  const sealed = (index: number) => read(frameAt(head, index), head.frameBytes + FRAME_OVERHEAD_BYTES);
  const opened = (index: number) => openedFrame(cipher, sealed(index), index);
  let index = framesIn(head, fileBytes - HEAD_BYTES) - 1;
  let last = index < 0 ? null : opened(index);
  if (last === null && index > 0) last = opened(--index);
  if (last === null) return null;
  const tail = last;
  const first = index === 0 ? tail : (opened(0) ?? Buffer.alloc(0));
  return {
    bytes: index * head.frameBytes + tail.length,
    first,
    ended(changed) {
      const end = { bytes: cipher.seal(index === 0 ? changed : tail, index, true), at: frameAt(head, index) };
      const begin = { bytes: cipher.seal(changed, 0, false), at: frameAt(head, 0) };
      return { writes: index === 0 ? [end] : [begin, end], fileBytes: end.at + end.bytes.length };
    },
  };
}

function openedFrame(cipher: FrameCipher, sealed: Buffer, index: number): Buffer | null {
  for (const isLast of [false, true])
    try {
      return cipher.open(sealed, index, isLast);
    } catch {
      // The other mark, or a frame that was not written whole.
    }
  return null;
}
