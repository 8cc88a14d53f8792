import { expect, test } from "bun:test";
import fc from "fast-check";
import { createHoles } from "../../../src/voice/turns/holes.ts";

const after = (...lost: number[]) => {
  const holes = createHoles();
  for (const frames of lost) holes.tick(frames);
  return holes;
};

test("a gap is 100 ms of consecutive loss, reported singly or at once", () => {
  expect(after(1, 1, 1, 1, 1).since(0)).toBeTrue();
  expect(after(0, 5, 0).since(0)).toBeTrue();
  expect(after(3, 1, 1).since(0)).toBeTrue();
  expect(after(1, 1, 1, 1).since(0)).toBeFalse();
  expect(after(4, 0, 4, 0, 4).since(0)).toBeFalse();
});

test("it affects words that start up to 400 ms after it", () => {
  const holes = after(0, 0, 6, ...Array<number>(100).fill(0));
  const endMs = 3 * 20;
  expect(holes.since(endMs)).toBeTrue();
  expect(holes.since(endMs + 400)).toBeTrue();
  expect(holes.since(endMs + 401)).toBeFalse();
});

test("fewer than five consecutive lost frames are not a gap", () => {
  const fewInARow = fc.array(fc.constantFrom([1, 0], [1, 1, 0], [2, 1, 1, 0], [4, 0], [0]), { maxLength: 500 });
  fc.assert(fc.property(fewInARow, (pieces) => !after(...pieces.flat()).since(0)));
});
