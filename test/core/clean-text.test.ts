import { expect, test } from "bun:test";
import { withoutNul } from "../../src/core/clean-text.ts";

test.each([
  ["", ""],
  ["Busy Here", "Busy Here"],
  ["\0Busy\0\0 Here\0", "Busy Here"],
  ["\0", ""],
  ["\u0001 कमला", "\u0001 कमला"],
])("%p is kept as %p", (sent, kept) => {
  expect(withoutNul(sent)).toBe(kept);
});
