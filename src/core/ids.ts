// The only source of ids and random bytes. Ids sort by creation time and are unguessable.
import { randomBytes } from "node:crypto";
import type { Clock } from "./clock.ts";

/** Every kind of record with a prefixed id. The prefix identifies the table. */
export type IdPrefix =
  | "org"
  | "per"
  | "key"
  | "aud"
  | "aub"
  | "aux"
  | "req"
  | "call"
  | "agt"
  | "num"
  | "apt"
  | "evt"
  | "whe"
  | "dlv"
  | "crd"
  | "hld"
  | "rth"
  | "trk"
  | "mds"
  | "flt"
  | "wrk"
  | "note"
  | "gone"
  | "cmp"
  | "cls"
  | "cfd"
  | "rmr"
  | "rmd"
  | "wtl"
  | "wof"
  | "cns"
  | "cnc"
  | "dnc"
  | "qst"
  | "src"
  | "hlm"
  | "sfl"
  | "alm"
  | "mail"
  | "otp"
  | "pky";

export interface Ids {
  /** `call_` + 26 characters: 48 bits of time, a 16-bit counter, then 64 random bits. */
  next(prefix: IdPrefix): string;
  /** UUID v7, for calendar, branch and appointment-type ids. */
  uuid(): string;
  /** Random text for secrets: unpadded base64url of `byteCount` random bytes. */
  secret(byteCount: number): string;
}

/** Crockford's alphabet in lower case, without i, l, o and u, so an id can be read aloud. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 10;
const MOST_PER_MILLISECOND = 0xffff;

/** `after`: the newest id of an earlier run. New ids sort after it even if the clock was set back since. */
export function createIds(
  clock: Clock,
  random: (byteCount: number) => Buffer = randomBytes,
  after: string | null = null,
): Ids {
  const ticks = new Ticks(clock, after);
  const pool = new RandomPool(random);
  return {
    next(prefix) {
      ticks.next();
      return `${prefix}_${ticks.timeText}${encodeTail(ticks.count, pool.uint32(), pool.uint32())}`;
    },
    uuid: () => uuidV7(clock.now(), pool.bytes(10)),
    secret: (byteCount) => pool.bytes(byteCount).toString("base64url"),
  };
}

const POOL_BYTES = 4_096;

/** Buffers random bytes: reading eight from the system takes as long as about a thousand. Each byte is used once. */
class RandomPool {
  #pool: Buffer = Buffer.alloc(0);
  #used = 0;

  constructor(private readonly random: (byteCount: number) => Buffer) {}

  uint32(): number {
    const at = this.#take(4);
    const word = this.#pool.readUInt32BE(at);
    this.#pool.writeUInt32BE(0, at);
    return word;
  }

  bytes(byteCount: number): Buffer {
    if (byteCount > POOL_BYTES) return this.random(byteCount);
    const at = this.#take(byteCount);
    const bytes = Buffer.from(this.#pool.subarray(at, at + byteCount));
    // The bytes may be used as a secret.
    this.#pool.fill(0, at, at + byteCount);
    return bytes;
  }

  /** Returns the offset of the bytes. */
  #take(byteCount: number): number {
    if (this.#used + byteCount > this.#pool.length) {
      this.#pool = this.random(POOL_BYTES);
      this.#used = 0;
    }
    const at = this.#used;
    this.#used += byteCount;
    return at;
  }
}

/**
 * Monotonic: later ids sort later even within a millisecond and after the clock is set back. The order of deliveries
 * depends on it.
 */
class Ticks {
  #time: number;
  /** Cached until the time changes. */
  timeText = "";
  count: number;

  constructor(
    private readonly clock: Clock,
    after: string | null,
  ) {
    this.#time = after === null ? -1 : timeOf(after);
    // The number of ids in that millisecond is unknown, so it counts as full.
    this.count = MOST_PER_MILLISECOND;
  }

  next(): void {
    const now = Math.max(0, Math.floor(this.clock.now()));
    if (now > this.#time) this.#begin(now);
    else if (this.count < MOST_PER_MILLISECOND) this.count += 1;
    else this.#begin(this.#time + 1);
  }

  #begin(time: number): void {
    this.#time = time;
    this.count = 0;
    this.timeText = encodeTime(time);
  }
}

/** Two characters for each ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31));

const pair = (bits: number): string => PAIRS[bits & 1023] ?? "";

/** Fifty bits, of which a time uses 48. Bitwise operators are limited to 32. */
function encodeTime(epochMs: number): string {
  const high = Math.floor(epochMs / 2 ** 30);
  const low = epochMs % 2 ** 30;
  return pair(high >>> 10) + pair(high) + pair(low >>> 20) + pair(low >>> 10) + pair(low);
}

/** The creation time in a prefixed id. */
function timeOf(id: string): number {
  const digits = id.slice(id.indexOf("_") + 1).slice(0, TIME_CHARACTERS);
  let time = 0;
  for (const digit of digits) time = time * 32 + Math.max(0, ALPHABET.indexOf(digit));
  return time;
}

/** The 16-bit counter and 64 random bits are exactly sixteen characters. */
function encodeTail(count: number, high: number, low: number): string {
  // 80 bits: cccccccccccccccc hhhh… llll…, ten at a time.
  return (
    pair(count >>> 6) +
    pair(((count & 0x3f) << 4) | (high >>> 28)) +
    pair(high >>> 18) +
    pair(high >>> 8) +
    pair(((high & 0xff) << 2) | (low >>> 30)) +
    pair(low >>> 20) +
    pair(low >>> 10) +
    pair(low)
  );
}

/** Any UUID version: branch and service ids come from the hospital's own system. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/** For protocol values that are random but not secret, such as initial sequence numbers. */
export function randomUint32(): number {
  return randomBytes(4).readUInt32BE(0);
}

/** RFC 9562, section 5.7: 48 bits of time, version 7, variant 10, the rest random. */
function uuidV7(epochMs: number, random: Buffer): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, Math.floor(epochMs)), 0, 6);
  random.copy(bytes, 6, 0, 10);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
