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
const MOST_PER_MILLISECOND = 0xffff;
const RANDOM_BYTES = 8;

/** `after`: the newest id of an earlier run. The clock may have been set back since, and later ids sort later all the same. */
export function createIds(
  clock: Clock,
  random: (byteCount: number) => Buffer = pooledBytes(),
  after: string | null = null,
): Ids {
  const tick = createTicks(clock, after);
  const timeText = createTimeText();
  return {
    next(prefix) {
      const { time, count } = tick();
      return `${prefix}_${timeText(time)}${encodeTail(count, random(RANDOM_BYTES))}`;
    },
    uuid: () => uuidV7(clock.now(), random(10)),
    secret: (byteCount) => random(byteCount).toString("base64url"),
  };
}

const POOL_BYTES = 4_096;

/** Asking the system for eight bytes takes as long as for some thousand. Each byte is handed out once. */
function pooledBytes(): (byteCount: number) => Buffer {
  let pool = Buffer.alloc(0);
  let used = 0;
  return (byteCount) => {
    if (byteCount > POOL_BYTES) return randomBytes(byteCount);
    if (used + byteCount > pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    const bytes = Buffer.from(pool.subarray(used, used + byteCount));
    // What was handed out may be a secret.
    pool.fill(0, used, used + byteCount);
    used += byteCount;
    return bytes;
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

/** Most ids are made in the same millisecond as the one before. */
function createTimeText(): (epochMs: number) => string {
  let last = -1;
  let text = "";
  return (epochMs) => {
    if (epochMs !== last) text = encodeTime(epochMs);
    last = epochMs;
    return text;
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

/** Two characters for each ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31));

/** Sixteen bits of the counter and 64 random ones are sixteen characters, exactly. */
function encodeTail(count: number, random: Buffer): string {
  const high = random.readUInt32BE(0);
  const low = random.readUInt32BE(4);
  // 80 bits: ccccccccccccccCC hhhh… llll…, ten at a time.
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

const pair = (bits: number): string => PAIRS[bits & 1023] ?? "";

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
