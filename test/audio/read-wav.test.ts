import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { encodeG711 } from "../../src/audio/g711.ts";
import { createResampler } from "../../src/audio/resample.ts";
import { readWav, secondsOf } from "../../src/audio/read-wav.ts";

interface WavOptions {
  tag: number;
  bits: number;
  channels?: number;
  rateHz?: number;
  extensible?: boolean;
  dataSize?: number;
  chunkBefore?: Buffer;
}

function wav(
  data: Buffer,
  { tag, bits, channels = 1, rateHz = 8_000, extensible = false, dataSize, chunkBefore }: WavOptions,
): Buffer {
  const format = Buffer.alloc(extensible ? 40 : 16);
  format.writeUInt16LE(extensible ? 0xfffe : tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rateHz, 4);
  format.writeUInt32LE((rateHz * channels * bits) / 8, 8);
  format.writeUInt16LE((channels * bits) / 8, 12);
  format.writeUInt16LE(bits, 14);
  if (extensible) format.writeUInt16LE(tag, 24);
  const dataHead = chunk("data", data);
  if (dataSize !== undefined) dataHead.writeUInt32LE(dataSize, 4);
  const body = Buffer.concat([
    Buffer.from("WAVE"),
    chunk("fmt ", format),
    ...(chunkBefore ? [chunkBefore] : []),
    dataHead,
  ]);
  return chunk("RIFF", body);
}

function chunk(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 0, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

const TONE = Int16Array.from({ length: 4_000 }, (_, i) =>
  Math.round(12_000 * Math.sin((2 * Math.PI * 500 * i) / 8_000)),
);
const bufferOf = (view: ArrayBufferView) => Buffer.from(view.buffer, view.byteOffset, view.byteLength);

const FORMATS: [name: string, tag: number, bits: number, data: Buffer, tolerance: number][] = [
  ["8-bit PCM", 1, 8, Buffer.from(TONE.map((sample) => Math.round(sample / 256) + 128)), 140],
  ["16-bit PCM", 1, 16, bufferOf(TONE), 0],
  [
    "24-bit PCM",
    1,
    24,
    Buffer.concat(
      [...TONE].map((sample) => {
        const b = Buffer.alloc(3);
        b.writeIntLE(sample * 256, 0, 3);
        return b;
      }),
    ),
    0,
  ],
  ["32-bit PCM", 1, 32, bufferOf(Int32Array.from(TONE, (sample) => sample * 65_536)), 0],
  ["32-bit float", 3, 32, bufferOf(Float32Array.from(TONE, (sample) => sample / 32_768)), 1],
  ["64-bit float", 3, 64, bufferOf(Float64Array.from(TONE, (sample) => sample / 32_768)), 1],
  ["A-law", 6, 8, bufferOf(encodeG711(TONE, "PCMA")), 400],
  ["µ-law", 7, 8, bufferOf(encodeG711(TONE, "PCMU")), 400],
];

function worstError(heard: Int16Array, wanted: Int16Array): number {
  expect(heard).toHaveLength(wanted.length);
  return heard.reduce((worst, sample, i) => Math.max(worst, Math.abs(sample - wanted[i]!)), 0);
}

describe.each(FORMATS)("%s", (_, tag, bits, data, tolerance) => {
  test("is read in mono", () => {
    expect(worstError(readWav(wav(data, { tag, bits })), TONE)).toBeLessThanOrEqual(tolerance);
  });
  test("is read in the extensible form", () => {
    expect(worstError(readWav(wav(data, { tag, bits, extensible: true })), TONE)).toBeLessThanOrEqual(tolerance);
  });
});

test("stereo becomes the mean of both channels", () => {
  const stereo = new Int16Array(TONE.length * 2);
  for (let i = 0; i < TONE.length; i++) [stereo[i * 2], stereo[i * 2 + 1]] = [TONE[i]!, 2_000];
  const wanted = TONE.map((sample) => Math.round((sample + 2_000) / 2));
  expect(worstError(readWav(wav(bufferOf(stereo), { tag: 1, bits: 16, channels: 2 })), wanted)).toBeLessThanOrEqual(1);
});

test("other rates come out at 8 kHz, as long as they were", () => {
  for (const rateHz of [16_000, 22_050, 24_000, 44_100, 48_000]) {
    const heard = readWav(wav(bufferOf(new Int16Array(rateHz * 2).fill(500)), { tag: 1, bits: 16, rateHz }));
    expect(secondsOf(heard)).toBe(2);
    expect(heard[8_000]).toBe(500);
  }
});

test("a long file read in steps equals one streamed pass", () => {
  const rateHz = 44_100;
  const samples = Int16Array.from({ length: rateHz * 4 }, (_, i) => Math.round(9_000 * Math.sin(i / 31)));
  const resampler = createResampler(rateHz);
  const whole = [...resampler.push(samples), ...resampler.flush()];
  expect([...readWav(wav(bufferOf(samples), { tag: 1, bits: 16, rateHz }))]).toEqual(whole);
});

test("unknown chunks are skipped, and unknown sizes of streaming voices are handled", () => {
  const list = chunk("LIST", Buffer.from("INFO and an odd length!"));
  for (const dataSize of [0, 0xffff_ffff]) {
    const file = wav(bufferOf(TONE), { tag: 1, bits: 16, chunkBefore: list, dataSize });
    expect(worstError(readWav(file), TONE)).toBe(0);
  }
});

test("unsupported files are rejected with a reason", () => {
  const pcm = { tag: 1, bits: 16 };
  const refused: [bytes: Uint8Array, why: string][] = [
    [Buffer.from("ID3 an mp3, surely"), "not a WAV"],
    [wav(bufferOf(TONE), { tag: 85, bits: 16 }), "format 85"],
    [wav(bufferOf(TONE), { tag: 1, bits: 12 }), "12 bits"],
    [wav(bufferOf(TONE), { ...pcm, channels: 6 }), "6 channels"],
    [wav(bufferOf(TONE), { ...pcm, channels: 0 }), "0 channels"],
    [wav(bufferOf(TONE), { ...pcm, rateHz: 12_345 }), "12345 Hz"],
    [wav(Buffer.alloc(0), pcm), "no audio"],
    [wav(Buffer.alloc(8_000 * 601), { tag: 7, bits: 8 }), "at most 600 seconds"],
    [wav(bufferOf(TONE), pcm).subarray(0, 30), "cut off"],
    [wav(bufferOf(TONE), pcm).subarray(0, 36), "missing"],
  ];
  for (const [bytes, why] of refused) expect(() => readWav(bytes)).toThrow(why);
});

test("a WAV with any byte changed is read or rejected with an Error", () => {
  const good = wav(bufferOf(TONE.subarray(0, 200)), { tag: 1, bits: 16 });
  fc.assert(
    fc.property(fc.nat(59), fc.nat(255), fc.nat(good.length), (at, value, length) => {
      const bytes = Buffer.from(good.subarray(0, length));
      if (at < bytes.length) bytes[at] = value;
      try {
        expect(readWav(bytes).length).toBeLessThanOrEqual(600);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect((error as Error).message).toMatch(/WAV|Hz/);
      }
    }),
    { numRuns: 500 },
  );
});
