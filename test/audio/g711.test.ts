import { describe, expect, test } from "bun:test";
import { decodeG711, encodeG711, G711_SILENCE, toMulaw, transcodeTable } from "../../src/audio/g711.ts";
import type { G711Law } from "../../src/audio/g711.ts";

const ALL_SAMPLES = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, i) => i);

/** Reference values of ITU-T G.191, both signs. */
const KNOWN: [linear: number, alaw: number, mulaw: number][] = [
  [0, 0xd5, 0xff],
  [-8, 0x55, 0x7e],
  [1_000, 0xfa, 0xce],
  [-1_000, 0x7a, 0x4e],
  [32_767, 0xaa, 0x80],
  [-32_768, 0x2a, 0x00],
];

test("known levels encode to the standard's bytes", () => {
  for (const [linear, alaw, mulaw] of KNOWN) {
    const samples = Int16Array.of(linear);
    expect([linear, encodeG711(samples, "PCMA")[0], encodeG711(samples, "PCMU")[0]]).toEqual([linear, alaw, mulaw]);
  }
});

describe.each<[G711Law, smallStep: number]>([
  ["PCMA", 16],
  ["PCMU", 8],
])("%s", (law, smallStep) => {
  test("a round trip errs by at most half a step", () => {
    const back = decodeG711(encodeG711(ALL_SAMPLES, law), law);
    let worst = 0;
    for (let i = 0; i < ALL_SAMPLES.length; i++) {
      const magnitude = Math.abs(ALL_SAMPLES[i]!);
      // Sixteen steps per segment, and each segment doubles: a step is at most 1/16 of the level.
      const allowed = Math.max(smallStep / 2, (magnitude + 132) / 32) + 8;
      const error = Math.abs(back[i]! - ALL_SAMPLES[i]!);
      worst = Math.max(worst, error / allowed);
    }
    expect(worst).toBeLessThanOrEqual(1);
    expect(worst).toBeGreaterThan(0.5);
  });

  test("every byte survives a round trip, except the second zero", () => {
    const back = encodeG711(decodeG711(ALL_BYTES, law), law);
    const changed = ALL_BYTES.filter((byte, i) => byte !== back[i]);
    expect([...changed]).toEqual(law === "PCMU" ? [0x7f] : []);
  });

  test("encoding is monotonic", () => {
    const back = decodeG711(encodeG711(ALL_SAMPLES, law), law);
    expect(back.every((sample, i) => i === 0 || sample >= back[i - 1]!)).toBeTrue();
  });

  test("its silence is silent", () => {
    expect(Math.abs(decodeG711(Uint8Array.of(G711_SILENCE[law]), law)[0]!)).toBeLessThanOrEqual(8);
  });
});

test("transcoding gives the nearest byte of the other law, and identity for the same law", () => {
  expect([...transcodeTable("PCMU", "PCMU")]).toEqual([...ALL_BYTES]);
  const linear = decodeG711(ALL_BYTES, "PCMA");
  const viaTable = decodeG711(transcodeTable("PCMA", "PCMU"), "PCMU");
  for (let i = 0; i < 256; i++) {
    expect(Math.abs(viaTable[i]! - linear[i]!)).toBeLessThanOrEqual(Math.abs(linear[i]!) / 32 + 12);
  }
});

test("one sample and many are encoded alike", () => {
  const bytes = encodeG711(ALL_SAMPLES, "PCMU");
  expect(ALL_SAMPLES.every((sample, i) => toMulaw(sample) === bytes[i])).toBeTrue();
});
