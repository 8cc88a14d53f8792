// Noise reduction: stationary noise is removed, clean audio is unchanged.
import { expect, test } from "bun:test";
import { withLessNoise } from "../../../src/speech/asr/less-noise.ts";
import { amidSilence, spoken } from "../spoken.ts";

/** Stationary noise, the same at each run. */
function noise(length: number, loudness: number): Int16Array {
  let seed = 7;
  const next = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  return Int16Array.from({ length }, () => loudness * (next() + next() + next() - 1.5));
}
const power = (samples: Int16Array) => samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length;

test("a sentence without noise comes back untouched", async () => {
  const sentence = amidSilence(await spoken("the-second-one-please"), 100, 100);
  expect(withLessNoise(sentence)).toBe(sentence);
});

test("stationary noise is reduced, and words keep their level", async () => {
  const sentence = amidSilence(await spoken("the-second-one-please"), 500, 500);
  const disturbance = noise(sentence.length, 2_000);
  const noisy = sentence.map((sample, at) => sample + (disturbance[at] ?? 0));
  const better = withLessNoise(noisy);
  expect(better.length).toBe(noisy.length);
  const lead = (samples: Int16Array) => power(samples.subarray(400, 3_600));
  expect(lead(better)).toBeLessThan(lead(noisy) / 8);
  const words = (samples: Int16Array) => power(samples.subarray(5_000, -5_000));
  expect(words(better) / words(sentence)).toBeGreaterThan(0.6);
  expect(words(better) / words(sentence)).toBeLessThan(1.4);
});

test("silence and less than one window are handled", () => {
  expect(withLessNoise(new Int16Array(0))).toHaveLength(0);
  expect(withLessNoise(noise(50, 500))).toHaveLength(50);
  expect(withLessNoise(new Int16Array(4_000)).every((sample) => sample === 0)).toBe(true);
});
