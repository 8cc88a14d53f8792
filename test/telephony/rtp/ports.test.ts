import { expect, test } from "bun:test";
import { createPortPool } from "../../../src/telephony/rtp/ports.ts";

test("ports are even, in range with their RTCP port, and none is given twice", () => {
  const pool = createPortPool({ from: 20_001, to: 20_008 }, () => 0);
  expect([pool.size, pool.take(), pool.take(), pool.take(), pool.take()]).toEqual([3, 20_002, 20_004, 20_006, null]);
});

test("a port rests for ten seconds before its next call", () => {
  let nowMs = 0;
  const pool = createPortPool({ from: 20_000, to: 20_001 }, () => nowMs);
  pool.release(pool.take()!);
  nowMs = 9_999;
  expect(pool.take()).toBeNull();
  nowMs = 10_000;
  expect(pool.take()).toBe(20_000);
});

test("the port that rested longest comes first", () => {
  const pool = createPortPool({ from: 20_000, to: 20_005 }, () => 0);
  pool.release(pool.take()!);
  expect([pool.take(), pool.take()]).toEqual([20_002, 20_004]);
});

test("a range without room for a pair is refused", () => {
  for (const [from, to] of [
    [20_001, 20_002],
    [20_000, 20_000],
    [65_535, 65_536],
    [5, 2],
  ] as const) {
    expect(() => createPortPool({ from, to })).toThrow(`${from}-${to}`);
  }
});
