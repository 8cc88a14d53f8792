// The only source of ids and random bytes. Ids sort by the time they were made and cannot be guessed.
import { randomBytes } from "node:crypto";
import type { Clock } from "./clock.ts";

/** Every kind of record with a prefixed id. The prefix tells a person which table to look in. */
export type IdPrefix =
  | "org"
  | "per"
  | "key"
  | "aud"
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
  | "trk"
  | "mds"
  | "flt"
  | "wrk"
  | "note"
  | "cmp"
  | "cls"
  | "cfd"
  | "rmr"
  | "rmd"
  | "wtl"
  | "wof";

export interface Ids {
  /** `call_` + 26 characters: 48 bits of time, a counter of 16, then 64 random bits. */
  next(prefix: IdPrefix): string;
  /** UUID v7, for calendar, branch and appointment-type ids. */
  uuid(): string;
  /** Random text for secrets: unpadded base64url of `byteCount` random bytes. */
  secret(byteCount: number): string;
}

/** Crockford's alphabet in lower case: no i, l, o, u, so that an id read aloud survives the telephone. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 10;
const COUNTER_BYTES = 2;
const MOST_PER_MILLISECOND = 0xffff;
const RANDOM_BYTES = 8;

/** `after`: the newest id of an earlier run. The clock may have been set back since, and later ids sort later all the same. */
export function createIds(
  clock: Clock,
  random: (byteCount: number) => Buffer = randomBytes,
  after: string | null = null,
): Ids {
  const tick = createTicks(clock, after);
  return {
    next(prefix) {
      const { time, count } = tick();
      const tail = Buffer.alloc(COUNTER_BYTES + RANDOM_BYTES);
      tail.writeUInt16BE(count, 0);
      random(RANDOM_BYTES).copy(tail, COUNTER_BYTES);
      return `${prefix}_${encodeTime(time)}${encodeBits(tail)}`;
    },
    uuid: () => uuidV7(clock.now(), random(10)),
    secret: (byteCount) => random(byteCount).toString("base64url"),
  };
}

/** Later ids sort later even within a millisecond and when the clock is set back: deliveries are kept in order by it. */
function createTicks(clock: Clock, after: string | null): () => { time: number; count: number } {
  // How many there were in that millisecond is not asked: it is taken for full.
  let time = after === null ? 0 : timeOf(after);
  let count = after === null ? 0 : MOST_PER_MILLISECOND;
  return () => {
    const now = Math.max(0, Math.floor(clock.now()));
    if (now > time) {
      time = now;
      count = 0;
    } else if (++count > MOST_PER_MILLISECOND) {
      time += 1;
      count = 0;
    }
    return { time, count };
  };
}

function encodeTime(epochMs: number): string {
  let rest = epochMs;
  let text = "";
  for (let i = 0; i < TIME_CHARACTERS; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** The time that a prefixed id was made with. */
function timeOf(id: string): number {
  const digits = id.slice(id.indexOf("_") + 1).slice(0, TIME_CHARACTERS);
  let time = 0;
  for (const digit of digits) time = time * 32 + Math.max(0, ALPHABET.indexOf(digit));
  return time;
}

/** Ten bytes are sixteen groups of five bits, exactly. */
function encodeBits(bytes: Buffer): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((held >> bits) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return text;
}

/** Any version: branch and service ids come from the hospital's own system. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/** For what a protocol wants random but not secret, such as where a sequence starts. */
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
