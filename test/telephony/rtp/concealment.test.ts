// Packet loss concealment: it continues the voice, joins without a click, and fades to silence.
import { describe, expect, test } from "bun:test";
import { decodeG711, encodeG711 } from "../../../src/audio/g711.ts";
import { CONCEALMENT_HISTORY_SAMPLES, createConcealer } from "../../../src/telephony/rtp/concealment.ts";
import { createJitterBuffer } from "../../../src/telephony/rtp/jitter-buffer.ts";
import { createPlayout } from "../../../src/telephony/rtp/playout.ts";
import { randomFrom } from "../../support/sounds.ts";

/** Four harmonics that go on and on. */
const voiced = (hertz: number) =>
  Int16Array.from({ length: 4_000 }, (_, i) =>
    Math.round([1, 2, 3, 4].reduce((sum, n) => sum + (5_000 / n) * Math.sin((2 * Math.PI * n * hertz * i) / 8_000), 0)),
  );

function errorShare(made: Int16Array, right: Int16Array): number {
  const power = (samples: Int16Array) => samples.reduce((sum, sample) => sum + sample * sample, 0);
  return power(made.map((sample, i) => sample - right[i]!)) / power(right);
}

const steepest = (samples: Int16Array) =>
  samples.reduce((most, sample, i) => (i === 0 ? most : Math.max(most, Math.abs(sample - samples[i - 1]!))), 0);

describe.each([70, 110, 163, 220, 310])("a voice of %d Hz", (hertz) => {
  const voice = voiced(hertz);
  const [from, to] = [1_600, 1_760];
  const concealer = createConcealer();
  const mended = voice.slice(0, 1_920);
  concealer.begin(voice.subarray(from - CONCEALMENT_HISTORY_SAMPLES, from));
  concealer.extend(mended.subarray(from, to), 0, 160);
  concealer.rejoin(mended.subarray(to), 0);

  test("goes on through a lost frame nearly as it would have", () => {
    // Silence in its place would be off by 1, the frame before it, out of step, by up to 4.
    expect(errorShare(mended.subarray(from, to), voice.subarray(from, to))).toBeLessThan(0.15);
  });

  test("is nowhere steeper than it was: no click where it begins, goes round and ends", () => {
    expect(steepest(mended)).toBeLessThan(1.2 * steepest(voice));
  });
});

test("what is made up is weaker after 10 ms and gone after 60", () => {
  const concealer = createConcealer();
  concealer.begin(voiced(100).subarray(0, CONCEALMENT_HISTORY_SAMPLES));
  const loudest = [0, 1, 2, 3].map(() => {
    const frame = new Int16Array(160);
    const sounds = concealer.extend(frame, 0, 160);
    return sounds ? frame.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) : null;
  });
  expect(loudest[0]!).toBeGreaterThan(loudest[1]!);
  expect(loudest[1]!).toBeGreaterThan(2 * loudest[2]!);
  expect(loudest[3]).toBeNull();
});

test("noise goes on softly: repeated at full strength it would buzz", () => {
  const random = randomFrom(5);
  const noise = Int16Array.from({ length: CONCEALMENT_HISTORY_SAMPLES }, () => (random() - 0.5) * 20_000);
  const concealer = createConcealer();
  concealer.begin(noise);
  const frame = new Int16Array(160);
  concealer.extend(frame, 0, 160);
  const power = (samples: Int16Array) => samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length;
  expect(power(frame.subarray(40))).toBeLessThan(0.4 * power(noise));
});

test("the loudest voice is clipped, not turned over", () => {
  const concealer = createConcealer();
  concealer.begin(Int16Array.from(voiced(90).subarray(0, 480), (sample) => (sample > 0 ? 32_767 : -32_768)));
  const frame = new Int16Array(160);
  concealer.extend(frame, 0, 160);
  expect(frame.filter((sample) => Math.abs(sample) > 30_000).length).toBeGreaterThan(60);
});

describe("a line", () => {
  const said = Uint8Array.from(encodeG711(voiced(120), "PCMU"));

  /** Everything on time but the frames given; what is played from when the first one is. */
  function playedWithout(lost: readonly number[], frames: number) {
    const buffer = createJitterBuffer(0xff);
    const playout = createPlayout(buffer, "PCMU");
    const frame = new Uint8Array(160);
    const played: number[] = [];
    const heard: boolean[] = [];
    for (let i = 0; i < frames + 3; i++) {
      if (i < frames && !lost.includes(i)) buffer.push(i, i * 160, said, i * 160, i * 160 + 160);
      heard.push(playout.pull(frame));
      played.push(...frame);
    }
    return { bytes: Uint8Array.from(played.slice(480)), heard: heard.slice(3) };
  }

  test("on which nothing is missing passes every byte as it came", () => {
    expect(playedWithout([], 20).bytes).toEqual(said.subarray(0, 3_200));
  });

  test("changes only the lost frame and 5 ms of the next", () => {
    const { bytes, heard } = playedWithout([8], 20);
    const changed = [...bytes.keys()].filter((i) => bytes[i] !== said[i]);
    expect([Math.min(...changed) >= 1_280, Math.max(...changed) < 1_440 + 40]).toEqual([true, true]);
    expect(heard.every(Boolean)).toBeTrue();
    const [made, right] = [bytes, said].map((all) => decodeG711(all.subarray(1_280, 1_440), "PCMU")) as [
      Int16Array,
      Int16Array,
    ];
    expect(errorShare(made, right)).toBeLessThan(0.15);
  });

  test("that falls silent in the middle is told to be silent, and begins again with the very bytes", () => {
    const { bytes, heard } = playedWithout([5, 6, 7, 8, 9, 10], 20);
    expect(heard.slice(4, 12)).toEqual([true, true, true, true, false, false, false, true]);
    expect(bytes.subarray(1_280, 1_760)).toEqual(new Uint8Array(480).fill(0xff));
    expect(bytes.subarray(1_760)).toEqual(said.subarray(1_760, 3_200));
  });

  test("makes nothing up before the first word, nor of the words of another source", () => {
    const buffer = createJitterBuffer(0xff);
    const playout = createPlayout(buffer, "PCMU");
    const frame = new Uint8Array(160);
    buffer.push(0, 0, said, 0, 160);
    expect([playout.pull(frame), playout.pull(frame), playout.pull(frame)]).toEqual([false, false, false]);
    expect([playout.pull(frame), playout.pull(frame)]).toEqual([true, true]);
    buffer.reset(0xd5);
    expect(createPlayout(buffer, "PCMA").pull(frame)).toBeFalse();
    expect(new Set(frame)).toEqual(new Set([0xd5]));
  });
});
