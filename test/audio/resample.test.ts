import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createResampler, RESAMPLED_RATES_HZ } from "../../src/audio/resample.ts";

function sine(rateHz: number, frequencyHz: number, seconds: number, amplitude = 10_000): Int16Array {
  return Int16Array.from({ length: Math.round(rateHz * seconds) }, (_, i) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * frequencyHz * i) / rateHz)),
  );
}

function resampleWhole(rateHz: number, samples: Int16Array): Int16Array {
  const resampler = createResampler(rateHz);
  return Int16Array.from([...resampler.push(samples), ...resampler.flush()]);
}

function rms(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** Without the edges, where the filter sees silence. */
const middle = (samples: Int16Array) => samples.subarray(400, samples.length - 400);

describe.each(RESAMPLED_RATES_HZ.map((rate) => [rate]))("from %d Hz", (rateHz) => {
  test("a second stays a second", () => {
    expect(resampleWhole(rateHz, sine(rateHz, 440, 1))).toHaveLength(8_000);
  });

  test("a tone of the voice band keeps its pitch, its level and its place in time", () => {
    for (const frequencyHz of [300, 1_000, 3_000]) {
      const heard = middle(resampleWhole(rateHz, sine(rateHz, frequencyHz, 0.5)));
      const wanted = middle(sine(8_000, frequencyHz, 0.5));
      const error = rms(heard.map((sample, i) => sample - wanted[i]!));
      expect(20 * Math.log10(error / rms(wanted))).toBeLessThan(-40);
    }
  });

  test("an aliasing tone is attenuated by at least 40 dB", () => {
    for (const frequencyHz of [4_100, 5_000, 7_000, 10_000, 15_000, 20_000]) {
      if (frequencyHz >= rateHz / 2) continue;
      const heard = middle(resampleWhole(rateHz, sine(rateHz, frequencyHz, 0.5)));
      expect([frequencyHz, 20 * Math.log10(rms(heard) / 7_071) < -40]).toEqual([frequencyHz, true]);
    }
  });

  test("chunking does not change the samples", () => {
    const samples = sine(rateHz, 700, 0.1);
    const whole = resampleWhole(rateHz, samples);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1_500 }), { minLength: 1, maxLength: 12 }), (sizes) => {
        const resampler = createResampler(rateHz);
        const out: number[] = [];
        let at = 0;
        for (const size of [...sizes, samples.length]) {
          out.push(...resampler.push(samples.subarray(at, at + size)));
          at = Math.min(samples.length, at + size);
        }
        out.push(...resampler.flush());
        expect(out).toEqual([...whole]);
      }),
      { numRuns: 15 },
    );
  });
});

test("full scale is clipped, not wrapped", () => {
  const square = Int16Array.from({ length: 4_800 }, (_, i) => (Math.floor(i / 24) % 2 ? 32_767 : -32_768));
  const heard = resampleWhole(48_000, square);
  for (let i = 200; i < 600; i++) expect(Math.abs(heard[i]! - heard[i - 1]!)).toBeLessThan(60_000);
  expect(Math.max(...heard)).toBe(32_767);
});

test("an unsupported rate is rejected with the list of supported ones", () => {
  expect(() => createResampler(7_999)).toThrow("48000 Hz");
});
