// Our G.722 against SpanDSP's, bit by bit: a fault shared by our encoder and decoder would not show between them.
// baresip uses SpanDSP for G.722, and Debian's baresip-core includes it.
import { dlopen, ptr } from "bun:ffi";
import { expect, test } from "bun:test";
import { createG722Decoder, createG722Encoder } from "../../src/audio/g722.ts";
import { randomFrom } from "../support/sounds.ts";
import { skipsFor } from "../support/skips.ts";

const BITS_PER_SECOND = 64_000;
const RATE_HZ = 16_000;

function openSpandsp() {
  try {
    return dlopen("libspandsp.so.2", {
      g722_encode_init: { args: ["ptr", "i32", "i32"], returns: "ptr" },
      g722_encode: { args: ["ptr", "ptr", "ptr", "i32"], returns: "i32" },
      g722_decode_init: { args: ["ptr", "i32", "i32"], returns: "ptr" },
      g722_decode: { args: ["ptr", "ptr", "ptr", "i32"], returns: "i32" },
    }).symbols;
  } catch {
    return null;
  }
}

const spandsp = openSpandsp();
const isMissing = skipsFor(spandsp === null, "needs libspandsp, which comes with baresip-core");
const random = randomFrom(7);
const sound = (sample: (i: number) => number) => Int16Array.from({ length: RATE_HZ }, (_, i) => sample(i));

const SOUNDS: readonly [name: string, samples: Int16Array][] = [
  ["silence", sound(() => 0)],
  ["a low tone", sound((i) => 10_000 * Math.sin(i / 10))],
  ["a high tone", sound((i) => 10_000 * Math.sin(i * 2.3))],
  ["noise at full scale", sound(() => (random() * 2 - 1) * 32_767)],
  ["noise that is barely there", sound(() => random() * 10)],
  ["a square wave at full scale", sound((i) => (i % 200 < 100 ? 32_767 : -32_768))],
  ["every other sample at full scale", sound((i) => (i % 2 ? 32_767 : -32_768))],
  ["a swelling voice", sound((i) => 12_000 * Math.sin(i / 13) * Math.sin(i / 900) + 3_000 * (random() - 0.5))],
];

function theirBytes(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length / 2);
  spandsp?.g722_encode(spandsp.g722_encode_init(null, BITS_PER_SECOND, 0), ptr(bytes), ptr(samples), samples.length);
  return bytes;
}

function theirSamples(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length * 2);
  spandsp?.g722_decode(spandsp.g722_decode_init(null, BITS_PER_SECOND, 0), ptr(samples), ptr(bytes), bytes.length);
  return samples;
}

function ourBytes(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length / 2);
  createG722Encoder().encode(samples, bytes);
  return bytes;
}

/** SpanDSP wraps samples beyond full scale; the standard and our code limit them. */
function differing(bytes: Uint8Array): number {
  const ours = new Int16Array(bytes.length * 2);
  createG722Decoder().decode(bytes, ours);
  const theirs = theirSamples(bytes);
  return ours.filter((sample, i) => sample !== theirs[i] && sample !== 32_767 && sample !== -32_768).length;
}

test.skipIf(isMissing).each(SOUNDS)("%s gives the same bytes and the same audio", (_, samples) => {
  const bytes = ourBytes(samples);
  expect(Buffer.from(bytes).equals(theirBytes(samples))).toBeTrue();
  expect(differing(bytes)).toBe(0);
});

test.skipIf(isMissing)("bytes that no encoder sends decode to the same audio", () => {
  expect(differing(Uint8Array.from({ length: RATE_HZ }, () => random() * 256))).toBe(0);
});
