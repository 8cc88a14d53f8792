import { expect, test } from "bun:test";
import { growthOf, median } from "./growth.ts";

const measure = (samples: number[]) => ({ name: "memory", unit: "MB", samples, most: () => 10 });

test("warm-up is no growth", () => {
  expect(growthOf(measure([100, 150, 180, 200, 201, 199, 202, 200, 203])).holds).toBeTrue();
});

test("a slow and steady leak is growth", () => {
  const leak = growthOf(measure(Array.from({ length: 30 }, (_, i) => 100 + 2 * i)));
  expect(leak).toMatchObject({ grown: 20, holds: false });
});

test("one bad moment says nothing", () => {
  expect(growthOf(measure([100, 100, 100, 100, 100, 100, 100, 400, 100])).holds).toBeTrue();
});

test("what shrinks has not grown", () => {
  expect(growthOf(measure([300, 300, 300, 250, 250, 250, 200, 200, 200]))).toMatchObject({ grown: -50, holds: true });
});

test("the median of an even number lies between the two in the middle", () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([7])]).toEqual([2, 2.5, 7]);
});
