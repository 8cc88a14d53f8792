import { describe, expect, test } from "bun:test";
import { decodeTable, encodeTable } from "../../../src/audio/g711.ts";
import { createBeepWatch } from "../../../src/voice/talking/beep.ts";

const RATE_HZ = 8_000;
const FRAME = 160;

const throughLine = (samples: Int16Array) =>
  samples.map((sample) => decodeTable("PCMU")[encodeTable("PCMU")[sample & 0xffff] ?? 0] ?? 0);
const made = (ms: number, at: (seconds: number) => number) =>
  throughLine(Int16Array.from({ length: (ms * RATE_HZ) / 1_000 }, (_, i) => at(i / RATE_HZ)));
const tone = (hz: number, ms: number, level = 6_000) =>
  made(ms, (seconds) => level * Math.sin(2 * Math.PI * hz * seconds));
const silence = (ms: number) => made(ms, () => 0);

function beepsIn(...sounds: Int16Array[]): number {
  const watch = createBeepWatch();
  const samples = sounds.flatMap((sound) => [...sound]);
  let beeps = 0;
  for (let at = 0; at + FRAME <= samples.length; at += FRAME) {
    if (watch.hear(Int16Array.from(samples.slice(at, at + FRAME)))) beeps++;
  }
  return beeps;
}

describe("a beep", () => {
  for (const [hz, ms, level] of [
    [440, 400, 6_000],
    [1_000, 250, 2_000],
    [1_400, 500, 12_000],
    [2_000, 900, 600],
  ] as const) {
    test(`of ${hz} Hz and ${ms} ms is heard once, when it ends`, () => {
      expect(beepsIn(silence(500), tone(hz, ms, level), silence(500))).toBe(1);
    });
  }

  test("is reported only after it has ended", () => {
    expect(beepsIn(silence(100), tone(1_000, 400))).toBe(0);
  });
});

describe("no beep is heard", () => {
  test("in silence, a short tone, or an endless tone", () => {
    expect(beepsIn(silence(2_000))).toBe(0);
    expect(beepsIn(tone(1_000, 100), silence(500))).toBe(0);
    expect(beepsIn(tone(1_000, 5_000), silence(500))).toBe(0);
  });

  test("in DTMF and ringback tones, which have two frequencies", () => {
    const key = made(
      400,
      (seconds) => 4_000 * (Math.sin(2 * Math.PI * 770 * seconds) + Math.sin(2 * Math.PI * 1_336 * seconds)),
    );
    const ringing = made(
      1_000,
      (seconds) => 4_000 * (Math.sin(2 * Math.PI * 440 * seconds) + Math.sin(2 * Math.PI * 480 * seconds)),
    );
    expect(beepsIn(key, silence(300), ringing, silence(300))).toBe(0);
  });

  test("in a held vowel or a gliding voice", () => {
    const vowel = made(1_000, (seconds) =>
      [1, 2, 3, 4, 5].reduce(
        (sum, harmonic) => sum + (3_000 / harmonic) * Math.sin(2 * Math.PI * 180 * harmonic * seconds),
        0,
      ),
    );
    const glide = made(1_000, (seconds) => 5_000 * Math.sin(2 * Math.PI * (500 + 400 * seconds) * seconds));
    expect(beepsIn(vowel, silence(300), glide, silence(300))).toBe(0);
  });
});
