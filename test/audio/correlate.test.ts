// The similarity measure for call audio: it must detect missing audio and accept present audio.
import { describe, expect, test } from "bun:test";
import { decodeG711, encodeG711 } from "../../src/audio/g711.ts";
import { correlate, heardShare, WELL_HEARD } from "../support/correlate.ts";
import { pcmWav, readPcmWav, speechLike, thenSilence } from "../support/sounds.ts";

const said = speechLike(3, 1);

/** `said` after this many samples of silence, as in a recording of the whole call. */
function heardAfter(samples: number, sound: Int16Array = said): Int16Array {
  const heard = new Int16Array(samples + sound.length + 4_000);
  heard.set(sound, samples);
  return heard;
}

test("a sound is found completely, to the sample", () => {
  expect(correlate(heardAfter(1_234), said)).toEqual({ correlation: expect.closeTo(1, 5), lagMs: 154.25, gaps: 0 });
});

test("G.711 and another loudness change nothing", () => {
  const line = decodeG711(encodeG711(said, "PCMA"), "PCMA").map((sample) => sample / 2);
  const match = correlate(heardAfter(800, line), said);
  expect(match).toMatchObject({ lagMs: 100, gaps: 0 });
  expect(match.correlation).toBeGreaterThan(0.999);
});

test("a frame of silence in the middle of a word is a gap, and so is a frame of something else", () => {
  const heard = heardAfter(800);
  heard.fill(0, 800 + 1_600, 800 + 1_760);
  expect(correlate(heard, said).gaps).toBe(1);
  heard.set(speechLike(0.04, 9), 800 + 8_000);
  expect(correlate(heard, said).gaps).toBe(3);
});

test("a slip of one frame affects all that follows", () => {
  const heard = heardAfter(800);
  heard.copyWithin(800 + 12_160, 800 + 12_000);
  expect(correlate(heard, said).gaps).toBeGreaterThan(40);
});

test("with slips allowed, only the dropped frame is missing", () => {
  const heard = heardAfter(800);
  heard.copyWithin(800 + 8_000, 800 + 8_160);
  expect(correlate(heard, said).gaps).toBeGreaterThan(40);
  expect(correlate(heard, said, 1).gaps).toBe(1);
  heard.copyWithin(800 + 16_000, 800 + 16_320);
  expect(correlate(heard, said, 1).gaps).toBeGreaterThan(20);
});

test("a missing beginning is detected", () => {
  const match = correlate(said.subarray(1_600), said);
  expect(match.lagMs).toBe(-200);
  expect(match.gaps).toBeGreaterThan(5);
});

test("other words and silence do not match", () => {
  expect(Math.abs(correlate(heardAfter(0, speechLike(3, 2)), said).correlation)).toBeLessThan(0.3);
  const silence = correlate(new Int16Array(30_000), said);
  expect(silence.correlation).toBe(0);
  expect(silence.gaps).toBeGreaterThan(100);
});

describe("the share that was heard", () => {
  test("is all of it, wherever it begins, and after G.711", () => {
    expect(heardShare(heardAfter(1_234), said)).toBe(1);
    expect(heardShare(heardAfter(7, decodeG711(encodeG711(said, "PCMU"), "PCMU")), said)).toBe(1);
  });

  test("drops with each stall, and tolerates delay", () => {
    const heard = new Int16Array(40_000);
    heard.set(said.subarray(0, 9_000), 800);
    heard.set(said.subarray(9_000), 800 + 9_000 + 640);
    expect(heardShare(heard, said)).toBeWithin(0.9, 1);
    const half = heardAfter(0, said.subarray(0, said.length / 2));
    expect(heardShare(half, said)).toBeWithin(0.4, 0.51);
  });

  test("is far below what counts as heard for other words, the same in another order, noise and silence", () => {
    const backwards = heardAfter(0, said.toReversed());
    const noise = Int16Array.from({ length: 30_000 }, (_, i) => ((i * 7_919) % 20_011) - 10_000);
    for (const heard of [heardAfter(0, speechLike(3, 2)), backwards, noise, new Int16Array(30_000), []]) {
      expect(heardShare(heard, said)).toBeLessThan(WELL_HEARD / 2);
    }
  });
});

test("the same seed speaks the same words, about as loud as people do", () => {
  expect(speechLike(3, 1)).toEqual(said);
  const power = Math.sqrt(said.reduce((sum, sample) => sum + sample * sample, 0) / said.length);
  expect(power).toBeGreaterThan(1_500);
  expect(power).toBeLessThan(8_000);
});

test("a WAV that we write is read back", () => {
  const samples = thenSilence(said, 0.5);
  expect(readPcmWav(pcmWav(samples))).toEqual(samples);
});
