// Ranges of stored files for responses: one read for each range, because players ask for many of the same file. The
// layout and the derived key of recent files are kept.
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { othersFirst } from "./clock.ts";
import { lazily } from "./lazily.ts";
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

export interface SealedLayout {
  /** Of the plain content. */
  readonly bytes: number;
  readonly head: SealedHead;
  readonly cipher: FrameCipher;
  readonly frames: number;
}

interface Known {
  /** The file itself: another one of the same name has another. */
  readonly mark: string;
  /** Null for a plain file. */
  readonly layout: SealedLayout | null;
}

const MOST_KNOWN = 256;
/** For each set of keys, so that none opens what another may. */
const known = new WeakMap<FileKeys, Map<string, Known>>();

/** Null if the file is plain. Throws a SealedFileError if it is cut short, or its key is missing. */
export function layoutOf(path: string, keys: FileKeys): SealedLayout | null {
  const { ino, size, mtimeMs } = statSync(path);
  const mark = `${ino} ${size} ${mtimeMs}`;
  const files = known.get(keys) ?? new Map<string, Known>();
  known.set(keys, files);
  const kept = files.get(path);
  files.delete(path);
  const found = kept?.mark === mark ? kept : { mark, layout: readLayout(path, size, keys) };
  files.set(path, found);
  const [oldest] = files.keys();
  if (files.size > MOST_KNOWN && oldest !== undefined) files.delete(oldest);
  return found.layout;
}

function readLayout(path: string, size: number, keys: FileKeys): SealedLayout | null {
  const fd = openSync(path, "r");
  try {
    const head = readHead(bytesOf(fd, 0, HEAD_BYTES));
    if (!head) return null;
    const bytes = plainBytesOf(head, size - HEAD_BYTES);
    if (bytes === null) throw new SealedFileError("An encrypted file is cut short.");
    const layout = { bytes, head, cipher: cipherFor(head, keys), frames: framesIn(head, size - HEAD_BYTES) };
    // A file that was cut between two frames is refused before it is read.
    readStep(fd, layout, Math.max(0, bytes - 1), new Uint8Array(Math.min(1, bytes)));
    return layout;
  } finally {
    closeSync(fd);
  }
}

/** Read and opened at once: less than the way to another thread and back costs, and never long for this thread. */
const STEP_BYTES = 512 * 1024;

/** The content from `from` up to `to`, both within the file. Other work goes on between its parts. */
export async function readRange(
  path: string,
  layout: SealedLayout,
  from: number,
  to: number,
): Promise<Uint8Array<ArrayBuffer>> {
  // Every byte of it is filled, or this throws.
  const content = Buffer.allocUnsafeSlow(to - from);
  const fd = openSync(path, "r");
  try {
    for (let done = 0; done < content.length; done += STEP_BYTES) {
      if (done > 0) await othersFirst();
      readStep(fd, layout, from + done, content.subarray(done, done + STEP_BYTES));
    }
    return content;
  } finally {
    closeSync(fd);
  }
}

function readStep(fd: number, { head, cipher, frames }: SealedLayout, from: number, content: Uint8Array): void {
  const { frameBytes } = head;
  const to = from + content.length;
  const first = Math.floor(from / frameBytes);
  const end = Math.max(first + 1, Math.ceil(to / frameBytes));
  const sealed = bytesOf(fd, frameAt(head, first), frameAt(head, end));
  const sealedFrameBytes = frameBytes + FRAME_OVERHEAD_BYTES;
  for (let index = first; index < end; index++) {
    const at = (index - first) * sealedFrameBytes;
    const plain = cipher.open(sealed.subarray(at, at + sealedFrameBytes), index, index === frames - 1);
    const begin = index * frameBytes;
    content.set(plain.subarray(Math.max(0, from - begin), Math.max(0, to - begin)), Math.max(0, begin - from));
  }
}

/** One for all, because each is used before anything else runs. */
const scratch = lazily(() => Buffer.allocUnsafeSlow(2 * STEP_BYTES));

function bytesOf(fd: number, from: number, to: number): Buffer {
  const wanted = to - from;
  const buffer = wanted <= 2 * STEP_BYTES ? scratch().subarray(0, wanted) : Buffer.allocUnsafeSlow(wanted);
  let done = 0;
  for (let count = 1; count > 0 && done < buffer.length; done += count)
    count = readSync(fd, buffer, done, buffer.length - done, from + done);
  return buffer.subarray(0, done);
}
