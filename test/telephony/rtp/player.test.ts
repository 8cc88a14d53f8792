import { expect, test } from "bun:test";
import { createPlayer, type Player } from "../../../src/telephony/rtp/player.ts";
import { playableOf } from "../../../src/telephony/rtp/playable.ts";

function frames(player: Player, count: number): Int16Array[] {
  return Array.from({ length: count }, () => {
    const frame = new Int16Array(160);
    player.nextFrame(frame);
    player.tellEnded();
    return frame;
  });
}

const constant = (length: number, value: number) => playableOf(new Int16Array(length).fill(value));
const isSilent = (frame: Int16Array) => frame.every((sample) => sample === 0);

test("sounds follow each other without a gap, and each is told when it is through", () => {
  const player = createPlayer();
  const told: string[] = [];
  player.play(constant(200, 5), (finished, playedMs) => told.push(`a ${finished} ${playedMs}`));
  player.play(constant(40, 7), (finished, playedMs) => told.push(`b ${finished} ${playedMs}`));
  const [first, second, third] = frames(player, 3);
  expect(first!.every((sample) => sample === 5)).toBeTrue();
  expect([0, 39, 40, 79, 80, 159].map((i) => second![i])).toEqual([5, 5, 7, 7, 0, 0]);
  expect(isSilent(third!)).toBeTrue();
  expect(told).toEqual(["a true 25", "b true 5"]);
  expect(player.isPlaying).toBeFalse();
});

test("how much has gone out is told while it plays, and stands still in a pause", () => {
  const player = createPlayer();
  const firstMs = player.play(constant(320, 5), () => {});
  const secondMs = player.play(constant(1_600, 7), () => {});
  frames(player, 1);
  expect([firstMs(), secondMs()]).toEqual([20, 0]);
  frames(player, 2);
  expect([firstMs(), secondMs()]).toEqual([40, 20]);
  player.pause();
  frames(player, 10);
  // One more frame faded out.
  expect(secondMs()).toBe(40);
  player.stop();
  expect(secondMs()).toBe(40);
});

test("a stop fades over one frame, then all is silent, and what waited is told at once", () => {
  const player = createPlayer();
  const told: string[] = [];
  player.play(constant(8_000, 1_000), (finished, playedMs) => told.push(`a ${finished} ${playedMs}`));
  player.play(constant(8_000, 1_000), (finished, playedMs) => told.push(`b ${finished} ${playedMs}`));
  frames(player, 5);
  player.stop();
  expect(told).toEqual(["a false 100", "b false 0"]);
  const [fade, after] = frames(player, 2);
  expect(fade![0]).toBeGreaterThan(980);
  expect(fade!.every((sample, i) => i === 0 || sample <= fade![i - 1]!)).toBeTrue();
  expect(fade![159]).toBe(0);
  expect(isSilent(after!)).toBeTrue();
  expect(told).toHaveLength(2);
});

test("what is played right after a stop follows the fade", () => {
  const player = createPlayer();
  player.play(constant(8_000, 1_000), () => {});
  frames(player, 2);
  player.stop();
  player.play(constant(160, 300), () => {});
  const [fade, next] = frames(player, 2);
  expect(fade![159]).toBe(0);
  expect(next!.every((sample) => sample === 300)).toBeTrue();
});

test("a stop before the first frame says nothing at all", () => {
  const player = createPlayer();
  player.play(constant(8_000, 1_000), () => {});
  player.stop();
  expect(frames(player, 2).every(isSilent)).toBeTrue();
});

test("a pause fades, keeps the place, and resumes with a fade", () => {
  const player = createPlayer();
  const ends: boolean[] = [];
  player.play(constant(160 * 10, 1_000), (finished) => ends.push(finished));
  frames(player, 3);
  player.pause();
  const [fade, ...quiet] = frames(player, 20);
  expect(fade![159]).toBe(0);
  expect(quiet.every(isSilent)).toBeTrue();
  expect(ends).toEqual([]);
  player.resume();
  const rest = frames(player, 7);
  expect(rest[0]![0]).toBe(0);
  expect(rest.slice(1, 6).every((frame) => frame[80] === 1_000)).toBeTrue();
  expect(isSilent(rest[6]!)).toBeTrue();
  expect(ends).toEqual([true]);
});

test("a stop during a pause forgets everything without a sound", () => {
  const player = createPlayer();
  const ends: boolean[] = [];
  player.play(constant(1_600, 1_000), (finished) => ends.push(finished));
  frames(player, 2);
  player.pause();
  frames(player, 2);
  player.stop();
  expect(ends).toEqual([false]);
  expect(frames(player, 3).every(isSilent)).toBeTrue();
  player.play(constant(160, 9), () => {});
  expect(frames(player, 1)[0]![0]).toBe(9);
});
