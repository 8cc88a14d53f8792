import { describe, expect, test } from "bun:test";
import { gatePauses } from "../../src/audio/gate.ts";
import { activeLevelDb, atSpeechLevel, limited, louder, SPEECH_LEVEL_DB } from "../../src/audio/speech-level.ts";

const tone = (seconds: number, amplitude: number) =>
  Int16Array.from({ length: seconds * 8_000 }, (_, i) => amplitude * Math.sin(i / 3));
const join = (...parts: Int16Array[]) => Int16Array.from(parts.flatMap((part) => [...part]));

describe("the level of speech", () => {
  test("ignores pauses", () => {
    const speech = tone(1, 3_277);
    expect(activeLevelDb(speech)).toBeCloseTo(-23, 0);
    expect(activeLevelDb(join(new Int16Array(16_000), speech, new Int16Array(8_000)))).toBeCloseTo(-23, 0);
    expect(activeLevelDb(new Int16Array(800))).toBeNull();
    expect(activeLevelDb(new Int16Array(0))).toBeNull();
  });

  test("is normalised from loud and quiet, within limits", () => {
    for (const amplitude of [300, 3_000, 16_000]) {
      expect(activeLevelDb(atSpeechLevel(tone(1, amplitude)))).toBeCloseTo(SPEECH_LEVEL_DB, 0);
    }
    expect(activeLevelDb(atSpeechLevel(tone(1, 300), 6))).toBeCloseTo(-37.8, 0);
    expect(atSpeechLevel(new Int16Array(80)).every((sample) => sample === 0)).toBe(true);
  });

  test("is raised as requested, with soft limiting", () => {
    expect(activeLevelDb(louder(tone(1, 3_277), 4))).toBeCloseTo(-19, 0);
    const loudest = louder(tone(1, 32_000), 4);
    expect(Math.max(...loudest.map(Math.abs))).toBeLessThan(30_000);
    expect(louder(new Int16Array(80), 4).every((sample) => sample === 0)).toBe(true);
  });

  test("never reaches full scale, and quiet samples are unchanged", () => {
    expect(limited(0.25)).toBe(8_192);
    expect(limited(-0.25)).toBe(-8_192);
    expect(limited(10)).toBeLessThan(32_767);
    expect(limited(-10)).toBeGreaterThan(-32_768);
  });
});

describe("pauses", () => {
  const floats = (samples: Int16Array) => Float32Array.from(samples, (sample) => sample / 32_768);

  test("become silence, and speech stays as it is", () => {
    const speech = tone(0.5, 3_000);
    const samples = floats(join(tone(0.5, 2), speech, tone(0.5, 2), speech, tone(0.5, 2)));
    const before = samples.slice();
    expect(gatePauses(samples)).toEqual({ from: 0.48 * 8_000, to: 2.02 * 8_000 });
    expect(samples.subarray(0, 3_800).every((sample) => sample === 0)).toBe(true);
    expect(samples.subarray(8_200, 11_800).every((sample) => sample === 0)).toBe(true);
    expect(samples.slice(4_000, 8_000)).toEqual(before.slice(4_000, 8_000));
  });

  test("are not ended by a single click", () => {
    const samples = floats(tone(0.5, 2));
    samples[0] = 0.5;
    expect(gatePauses(samples)).toBeNull();
    expect(samples.every((sample) => sample === 0)).toBe(true);
    expect(gatePauses(new Float32Array(0))).toBeNull();
  });
});
