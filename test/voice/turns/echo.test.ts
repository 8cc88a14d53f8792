// Echo detection, and speech that must not be taken for echo. Voices are synthetic: harmonics of a moving pitch under
// moving formants, syllable by syllable.
import { describe, expect, test } from "bun:test";
import { decodeTable, encodeTable } from "../../../src/audio/g711.ts";
import { createEchoWatch } from "../../../src/voice/turns/echo.ts";

const RATE_HZ = 8_000;
const FRAME = 160;

/** The same seed gives the same speech. */
function speech(seconds: number, seed: number, pitchHz: number): Int16Array {
  const samples = new Int16Array(seconds * RATE_HZ);
  let random = seed;
  const next = () => (random = (random * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  let phase = 0;
  for (let from = 0; from < samples.length;) {
    const length = Math.floor((0.12 + next() * 0.15) * RATE_HZ);
    const formantHz = 300 + next() * 600;
    const bend = 0.85 + next() * 0.3;
    const gap = next() < 0.25 ? 0 : 1;
    for (let i = 0; i < length && from + i < samples.length; i++) {
      phase += (2 * Math.PI * pitchHz * (bend + (0.1 * i) / length)) / RATE_HZ;
      let value = 0;
      for (let harmonic = 1; harmonic <= 12; harmonic++) {
        const hz = pitchHz * harmonic;
        value += Math.sin(phase * harmonic) * Math.exp(-(((hz - formantHz) / 250) ** 2));
      }
      samples[from + i] = gap * 6_000 * value * Math.sin((Math.PI * i) / length);
    }
    from += length;
  }
  return samples;
}

const noise = (length: number, level: number): Int16Array => {
  let random = 7;
  return Int16Array.from({ length }, () => {
    random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
    return (random / 2 ** 31 - 0.5) * 2 * level;
  });
};

const throughLine = (samples: Int16Array) =>
  samples.map((sample) => decodeTable("PCMU")[encodeTable("PCMU")[sample & 0xffff] ?? 0] ?? 0);

function echoOf(samples: Int16Array, delayMs: number, gain: number): Int16Array {
  const delay = (delayMs * RATE_HZ) / 1_000;
  return throughLine(samples.map((_, i) => (samples[i - delay] ?? 0) * gain));
}

const sum = (a: Int16Array, b: Int16Array) => a.map((sample, i) => sample + (b[i] ?? 0));

/** Share of frames with sound, after the first 400 ms, classified as echo. */
function echoShare(heard: Int16Array, played: Int16Array | null): number {
  const watch = createEchoWatch();
  let judged = 0;
  let echoes = 0;
  for (let at = 0; at + FRAME <= heard.length; at += FRAME) {
    const frame = heard.subarray(at, at + FRAME);
    watch.tick(frame, played?.subarray(at, at + FRAME) ?? null);
    const isLoud = frame.some((sample) => Math.abs(sample) > 400);
    const atMs = ((at + FRAME) / RATE_HZ) * 1_000;
    if (!isLoud || atMs < 400) continue;
    judged++;
    if (watch.wasEcho(atMs)) echoes++;
  }
  return judged === 0 ? 0 : echoes / judged;
}

const OURS = speech(6, 1, 190);

describe("our own echo", () => {
  for (const [delayMs, gain] of [
    [30, 0.3],
    [150, 0.5],
    [300, 0.15],
    [450, 0.25],
  ] as const) {
    test(`after ${delayMs} ms at ${gain} of its level is known for what it is`, () => {
      expect(echoShare(echoOf(OURS, delayMs, gain), OURS)).toBeGreaterThan(0.9);
    });
  }

  test("is detected in noise and with inverted phase", () => {
    const echo = echoOf(OURS, 180, -0.3);
    expect(echoShare(sum(echo, noise(echo.length, 250)), OURS)).toBeGreaterThan(0.8);
  });
});

describe("another voice is not taken for it", () => {
  for (const [seed, pitchHz] of [
    [2, 120],
    [3, 190],
    [4, 205],
  ] as const) {
    test(`who speaks over us at ${pitchHz} Hz`, () => {
      const theirs = throughLine(speech(6, seed, pitchHz).map((sample) => sample * 0.5));
      expect(echoShare(theirs, OURS)).toBeLessThan(0.1);
    });
  }

  test("who speaks over us while our echo comes back", () => {
    const theirs = speech(6, 3, 130);
    expect(echoShare(sum(theirs, echoOf(OURS, 150, 0.15)), OURS)).toBeLessThan(0.15);
  });

  test("who speaks while we are silent", () => {
    expect(echoShare(speech(6, 1, 190), null)).toBe(0);
  });
});

test("audio not yet heard, or long ago, is not an echo", () => {
  const watch = createEchoWatch();
  expect(watch.wasEcho(0)).toBe(false);
  expect(watch.wasEcho(10_000)).toBe(false);
});
