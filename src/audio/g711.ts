// ITU-T G.711 encoder and decoder for both laws: one byte per sample at 8 kHz, 16-bit linear.

/** SDP names of A-law and µ-law. */
export type G711Law = "PCMA" | "PCMU";

export const G711_SAMPLE_RATE_HZ = 8_000;
export const G711_SILENCE: Readonly<Record<G711Law, number>> = { PCMA: 0xd5, PCMU: 0xff };

interface LawTables {
  /** Index: the sample as unsigned 16-bit, `sample & 0xffff`. */
  encode: Uint8Array;
  decode: Int16Array;
}

const tables = new Map<G711Law, LawTables>();
const transcodings = new Map<string, Uint8Array>();

/** Built on first use, because commands without calls load this file too. */
function tablesOf(law: G711Law): LawTables {
  const known = tables.get(law);
  if (known) return known;
  const [encodeSample, decodeByte] = law === "PCMA" ? [toAlaw, fromAlaw] : [toMulaw, fromMulaw];
  const made = { encode: new Uint8Array(65_536), decode: new Int16Array(256) };
  for (let sample = -32_768; sample < 32_768; sample++) made.encode[sample & 0xffff] = encodeSample(sample);
  for (let byte = 0; byte < 256; byte++) made.decode[byte] = decodeByte(byte);
  tables.set(law, made);
  return made;
}

/** 65,536 bytes, indexed by `sample & 0xffff`. */
export function encodeTable(law: G711Law): Uint8Array {
  return tablesOf(law).encode;
}

/** 256 samples, indexed by byte. */
export function decodeTable(law: G711Law): Int16Array {
  return tablesOf(law).decode;
}

/** 256 bytes, indexed by a byte of the other law. */
export function transcodeTable(from: G711Law, to: G711Law): Uint8Array {
  const key = `${from}→${to}`;
  const known = transcodings.get(key);
  if (known) return known;
  const made = encodeG711(decodeTable(from), to);
  if (from === to) for (let byte = 0; byte < 256; byte++) made[byte] = byte; // µ-law has two zeros: keep both.
  transcodings.set(key, made);
  return made;
}

export function encodeG711(samples: Int16Array, law: G711Law): Uint8Array {
  const table = encodeTable(law);
  const bytes = new Uint8Array(samples.length);
  for (let i = 0; i < samples.length; i++) bytes[i] = table[(samples[i] ?? 0) & 0xffff] ?? 0;
  return bytes;
}

export function decodeG711(bytes: Uint8Array, law: G711Law): Int16Array {
  const table = decodeTable(law);
  const samples = new Int16Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) samples[i] = table[bytes[i] ?? 0] ?? 0;
  return samples;
}

/** One sample; use `encodeG711` for more than a few. */
export function toMulaw(linear: number): number {
  const sign = linear < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(linear), 32_635) + 132;
  const exponent = 24 - Math.clz32(magnitude);
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

function fromMulaw(byte: number): number {
  const bits = ~byte & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84;
  return bits & 0x80 ? -magnitude : magnitude;
}

/** A-law uses 13 bits; the standard inverts the even bits of the result. */
function toAlaw(linear: number): number {
  const isNegative = linear < 0;
  const magnitude = isNegative ? ~linear >> 3 : linear >> 3;
  const segment = Math.max(0, 27 - Math.clz32(magnitude | 1));
  const mantissa = (segment < 2 ? magnitude >> 1 : magnitude >> segment) & 0x0f;
  return ((segment << 4) | mantissa) ^ (isNegative ? 0x55 : 0xd5);
}

function fromAlaw(byte: number): number {
  const bits = byte ^ 0x55;
  const segment = (bits & 0x70) >> 4;
  const mantissa = (bits & 0x0f) << 4;
  const magnitude = segment === 0 ? mantissa + 8 : (mantissa + 0x108) << (segment - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}
