import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createG722Decoder, createG722Encoder, G722_SAMPLE_RATE_HZ, G722_SILENCE } from "../../src/audio/g722.ts";
import { randomFrom } from "../support/sounds.ts";

/** Twice the 24-tap band filter, less the pairs: the delay that ITU-T G.722 gives as 1.4 ms. */
const DELAY_SAMPLES = 22;

function encoded(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length >> 1);
  createG722Encoder().encode(samples, bytes);
  return bytes;
}

function decoded(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length * 2);
  createG722Decoder().decode(bytes, samples);
  return samples;
}

const roundTrip = (samples: Int16Array) => decoded(encoded(samples));

/** Chirps and breath over the whole band, as loud as a voice. */
function wideSound(seconds: number, seed: number): Int16Array {
  const random = randomFrom(seed);
  let phase = 0;
  return Int16Array.from({ length: seconds * G722_SAMPLE_RATE_HZ }, (_, i) => {
    const at = i / G722_SAMPLE_RATE_HZ;
    phase += (2 * Math.PI * (300 + 2_500 * (1 + Math.sin(5 * at)))) / G722_SAMPLE_RATE_HZ;
    return 7_000 * Math.sin(phase) * (0.6 + 0.4 * Math.sin(20 * at)) + 1_500 * (random() - 0.5);
  });
}

const tone = (hertz: number, amplitude = 8_000) =>
  Int16Array.from(
    { length: G722_SAMPLE_RATE_HZ / 2 },
    (_, i) => amplitude * Math.sin((2 * Math.PI * hertz * i) / G722_SAMPLE_RATE_HZ),
  );

/** Correlation of the input with the delayed output. */
function correlation(heard: Int16Array, said: Int16Array, lag: number): number {
  let [product, heardPower, saidPower] = [0, 0, 0];
  for (let i = 0; i + lag < heard.length; i++) {
    product += heard[i + lag]! * said[i]!;
    heardPower += heard[i + lag]! ** 2;
    saidPower += said[i]! ** 2;
  }
  return product / Math.sqrt(heardPower * saidPower);
}

/** Signal to noise in dB, after the first 100 ms of adaptation. */
function clarityDb(heard: Int16Array, said: Int16Array): number {
  let [signal, noise] = [0, 0];
  for (let i = 1_600; i + DELAY_SAMPLES < heard.length; i++) {
    signal += said[i]! ** 2;
    noise += (heard[i + DELAY_SAMPLES]! - said[i]!) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

test("the output follows the input by exactly 22 samples", () => {
  const said = wideSound(2, 1);
  const heard = roundTrip(said);
  const lags = Array.from({ length: 60 }, (_, lag) => correlation(heard, said, lag));
  expect(lags.indexOf(Math.max(...lags))).toBe(DELAY_SAMPLES);
  expect(lags[DELAY_SAMPLES]).toBeGreaterThan(0.99);
});

test.each([
  [300, 25],
  [1_000, 25],
  [3_000, 25],
  [5_000, 10],
  [6_500, 10],
])("a tone of %d Hz comes through at %d dB and more: the lower band has six bits, the higher two", (hertz, leastDb) => {
  expect(clarityDb(roundTrip(tone(hertz)), tone(hertz))).toBeGreaterThan(leastDb);
});

test("a soft voice is as clear as a loud one, because the step adapts", () => {
  const [soft, loud] = [tone(440, 100), tone(440, 20_000)];
  expect(clarityDb(roundTrip(soft), soft)).toBeGreaterThan(20);
  expect(clarityDb(roundTrip(loud), loud)).toBeGreaterThan(20);
});

test("silence and the fill byte stay silent, also after a voice", () => {
  const loudest = (samples: Int16Array) => Math.max(...samples.map(Math.abs));
  expect(loudest(roundTrip(new Int16Array(3_200)))).toBeLessThanOrEqual(8);
  const gap = new Uint8Array(3_200).fill(G722_SILENCE);
  expect(loudest(decoded(gap))).toBeLessThanOrEqual(64);
  const speech = encoded(tone(440));
  const heard = decoded(Uint8Array.of(...speech, ...gap));
  expect(loudest(heard.subarray(speech.length * 2 + 3_200))).toBeLessThanOrEqual(64);
});

test("after the loudest sound silence returns within a fifth of a second", () => {
  const loud = Int16Array.from({ length: 16_000 }, (_, i) => (i % 50 < 25 ? 32_767 : -32_768));
  const heard = roundTrip(Int16Array.of(...loud, ...new Int16Array(6_400)));
  expect(Math.max(...heard.subarray(16_000 + 3_200).map(Math.abs))).toBeLessThanOrEqual(64);
});

describe("the lower band is the same sound at 8 kHz", () => {
  test.each(["encoder", "decoder"])("of the %s", (side) => {
    const said = tone(800);
    const [bytes, low] = [new Uint8Array(said.length / 2), new Int16Array(said.length / 2)];
    createG722Encoder().encode(said, bytes, low);
    if (side === "decoder") createG722Decoder().decode(bytes, new Int16Array(said.length), low);
    const expected = Int16Array.from({ length: low.length }, (_, i) => said[i * 2]!);
    const lags = Array.from({ length: 12 }, (_, lag) => correlation(low, expected, lag));
    expect(Math.max(...lags)).toBeGreaterThan(0.98);
    const loudest = Math.max(...low.subarray(800));
    expect(loudest).toBeGreaterThan(7_000);
    expect(loudest).toBeLessThan(9_000);
  });

  test("and contains nothing from far above it", () => {
    const said = tone(6_500);
    const low = new Int16Array(said.length / 2);
    createG722Encoder().encode(said, new Uint8Array(said.length / 2), low);
    expect(Math.max(...low.subarray(800).map(Math.abs))).toBeLessThan(40);
  });
});

const anySound = fc.array(fc.oneof(fc.integer({ min: -32_768, max: 32_767 }), fc.constantFrom(-32_768, 32_767, 0)), {
  maxLength: 700,
});

test("chunking, odd or empty, does not change the bytes", () => {
  fc.assert(
    fc.property(anySound, fc.array(fc.nat({ max: 90 }), { maxLength: 30 }), (values, cuts) => {
      const samples = Int16Array.from(values);
      const encoder = createG722Encoder();
      const pieces: number[] = [];
      let at = 0;
      for (const length of [...cuts, samples.length]) {
        const into = new Uint8Array((length >> 1) + 1);
        const count = encoder.encode(samples.subarray(at, at + length), into);
        pieces.push(...into.subarray(0, count));
        at = Math.min(samples.length, at + length);
      }
      expect(pieces).toEqual([...encoded(samples)]);
    }),
  );
});

test("random bytes decode the same in any chunks, and do not break the decoder", () => {
  const said = tone(700);
  const bytesOfTone = encoded(said);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), fc.nat({ max: 500 }), (bytes, cut) => {
      const decoder = createG722Decoder();
      const [first, second] = [bytes.subarray(0, cut), bytes.subarray(cut)];
      const [a, b] = [new Int16Array(first.length * 2), new Int16Array(second.length * 2)];
      decoder.decode(first, a);
      decoder.decode(second, b);
      expect([...a, ...b]).toEqual([...decoded(bytes)]);
      const after = new Int16Array(said.length);
      decoder.decode(bytesOfTone, after);
      expect(correlation(after.subarray(4_000), said.subarray(4_000), DELAY_SAMPLES)).toBeGreaterThan(0.98);
    }),
    { numRuns: 40 },
  );
});
