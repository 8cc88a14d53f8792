// Ring buffer of an ear: 30 s of audio with voice activity.
import { expect, test } from "bun:test";
import { createEarMemory } from "../../../src/speech/ears/memory.ts";

/** Each sample encodes its position, in ms. */
const frameAt = (ms: number) => new Int16Array(160).map((_, at) => ms + Math.floor(at / 8));

function memoryOf(lengthMs: number, spokenFromMs: number, spokenToMs: number) {
  const memory = createEarMemory();
  for (let ms = 0; ms < lengthMs; ms += 20) memory.hear(frameAt(ms));
  for (let ms = 0; ms + 32 <= lengthMs; ms += 32) memory.judge(ms >= spokenFromMs && ms < spokenToMs ? 0.9 : 0.01);
  return memory;
}

test("speech is extracted with 100 ms on each side, however much is requested", () => {
  const piece = memoryOf(4_000, 1_024, 2_048).spokenBetween(600, 2_600);
  expect([piece?.at(0), piece?.at(-1)]).toEqual([924, 2_147]);
});

test("speech outside the requested range is excluded", () => {
  const piece = memoryOf(4_000, 320, 3_200).spokenBetween(1_024, 2_048);
  expect([piece?.at(0), piece?.at(-1)]).toEqual([924, 2_147]);
});

test("silence gives null, and audio is overwritten after 30 s", () => {
  expect(memoryOf(4_000, 1_024, 2_048).spokenBetween(2_500, 3_500)).toBeNull();
  const long = memoryOf(40_000, 1_024, 2_048);
  expect(long.spokenBetween(1_000, 2_100)).toBeNull();
  expect(long.heardMs).toBe(40_000);
});

test("audio is kept across the end of the buffer", () => {
  const piece = memoryOf(31_000, 29_984, 30_496).spokenBetween(29_000, 31_000);
  expect([piece?.at(0), piece?.at(-1)]).toEqual([29_884, 30_595]);
});
