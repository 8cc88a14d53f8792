import { expect, test } from "bun:test";
import { isReached, lossesSoFar, noteLoss, noteReached } from "../../src/web/reach.ts";

test("an answer to what was asked before a loss does not end it; one to what was asked since does", () => {
  const before = lossesSoFar();
  noteLoss();
  noteReached(before);
  expect(isReached()).toBeFalse();
  noteReached(lossesSoFar());
  expect(isReached()).toBeTrue();
});
