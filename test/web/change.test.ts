// The change of a figure against the period before.
import { expect, test } from "bun:test";
import { changeOfNumber, changeOfShare } from "../../src/web/pages/overview/change.ts";

test.each([
  [0.55, 0.5, { by: 5, unit: "points" }],
  [0.5, 0.5049, { by: -0.5, unit: "points" }],
  [0.5, 0.50001, { by: 0, unit: "points" }],
  [0.5, null, null],
  [null, 0.5, null],
] as const)("of a share: %p after %p", (now, before, change) => {
  expect(changeOfShare(now, before)).toEqual(change);
});

test.each([
  [50, 40, { by: 25, unit: "percent" }],
  [30, 40, { by: -25, unit: "percent" }],
  [40, 40, { by: 0, unit: "percent" }],
  [40, 0, null],
  [null, 40, null],
] as const)("of a number: %p after %p", (now, before, change) => {
  expect(changeOfNumber(now, before)).toEqual(change);
});
