// MLLP framing: VT, message, FS, CR. Bytes between frames are skipped, and CR after FS may be missing.

export const START = 0x0b;
export const END = 0x1c;
const RETURN = 0x0d;

export function framed(message: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(START), message, Buffer.of(END, RETURN)]);
}

export type Received =
  | { kind: "message"; bytes: Buffer }
  /** Longer than allowed: the beginning, for an answer. It is reported once the frame has ended. */
  | { kind: "too_long"; head: Buffer };

export interface Framing {
  /** The frames that these bytes complete, at most so many. The others wait for the next call. */
  take(bytes: Uint8Array, most?: number): Received[];
  /** Whether bytes wait that may complete a frame. */
  readonly hasMore: boolean;
  /** Whether a frame has begun and not ended. */
  readonly isInside: boolean;
  /** Bytes of the frame that has not ended, including those that were not kept. */
  readonly size: number;
  /** Bytes since the last frame that belong to none. */
  readonly skipped: number;
}

/** Enough for the MSH segment. */
const HEAD_BYTES = 2_048;
/** A frame that began anew without an end: the sender was interrupted, and what came before is not a message. */
const RESTART = Buffer.from([START, ...Buffer.from("MSH")]);

const NOTHING: Buffer = Buffer.alloc(0);

class MllpFraming implements Framing {
  isInside = false;
  size = 0;
  skipped = 0;
  #parts: Buffer[] = [];
  #rest: Buffer = NOTHING;

  constructor(private readonly mostBytes: number) {}

  get hasMore(): boolean {
    return this.#rest.length > 0;
  }

  take(bytes: Uint8Array, most = Number.POSITIVE_INFINITY): Received[] {
    const received: Received[] = [];
    const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let rest = this.#rest.length === 0 ? given : this.#rest;
    if (rest !== given && given.length > 0) rest = Buffer.concat([rest, given]);
    while (rest.length > 0 && received.length < most) {
      if (!this.isInside) {
        const start = rest.indexOf(START);
        this.skipped += start === -1 ? rest.length : start;
        if (start === -1) {
          rest = NOTHING;
          break;
        }
        this.isInside = true;
        rest = rest.subarray(start + 1);
        continue;
      }
      const end = rest.indexOf(END);
      this.#keep(end === -1 ? rest : rest.subarray(0, end));
      if (end === -1) {
        rest = NOTHING;
        break;
      }
      received.push(this.#complete());
      rest = rest.subarray(end + 1);
    }
    // Copied, because the runtime may use the buffer again.
    this.#rest = rest.length > 0 && rest.buffer === bytes.buffer ? Buffer.from(rest) : rest;
    return received;
  }

  #keep(bytes: Buffer): void {
    const room = this.mostBytes - this.size;
    // Copied, because the runtime may use the buffer again.
    if (room > 0 && bytes.length > 0) this.#parts.push(Buffer.from(bytes.subarray(0, room)));
    this.size += bytes.length;
  }

  #complete(): Received {
    const kept = Buffer.concat(this.#parts);
    const isTooLong = this.size > this.mostBytes;
    this.isInside = false;
    this.size = this.skipped = 0;
    this.#parts = [];
    if (isTooLong) return { kind: "too_long", head: kept.subarray(0, HEAD_BYTES) };
    const restart = kept.lastIndexOf(RESTART);
    return { kind: "message", bytes: restart === -1 ? kept : kept.subarray(restart + 1) };
  }
}

export const createFraming = (mostBytes: number): Framing => new MllpFraming(mostBytes);
