import { describe, expect, test } from "bun:test";
import { e164Of, numberDialled } from "../../src/core/caller-number.ts";
import type { PhoneNumber } from "../../src/agents/records.ts";

const row = (number: string): PhoneNumber => ({
  id: number,
  organisation_id: "org_1",
  number,
  agent_id: null,
  concurrent_calls: 1,
  created_at: 0,
  trunk_id: "trk_1",
  removed_at: null,
});
const DELHI = row("+911140001000");
const SAME_END = row("+911240001000");

describe("which of our numbers was dialled", () => {
  test.each([
    ["+911140001000"],
    ["911140001000"],
    ["00911140001000"],
    ["01140001000"],
    ["1140001000"],
    ["011-4000-1000"],
    ["40001000"],
  ])("%s is the number of Delhi", (dialled) => {
    expect(numberDialled(dialled, [row("+15555550100"), DELHI])).toBe(DELHI);
  });

  test.each([[""], ["100"], ["ringward"], ["+911140001001"], ["001000"]])("%s is none of ours", (dialled) => {
    expect(numberDialled(dialled, [DELHI])).toBeUndefined();
  });

  test("an end that two numbers share tells neither, but the whole number does", () => {
    expect(numberDialled("40001000", [DELHI, SAME_END])).toBeUndefined();
    expect(numberDialled("+911240001000", [DELHI, SAME_END])).toBe(SAME_END);
  });
});

describe("who calls", () => {
  test.each([
    ["+919810012345", "+911140001000", "+919810012345"],
    ["00919810012345", "+911140001000", "+919810012345"],
    ["+9109810012345", "+911140001000", "+919810012345"],
    ["009109810012345", "+911140001000", "+919810012345"],
    ["9109810012345", "+911140001000", "+919810012345"],
    ["919810012345", "+911140001000", "+919810012345"],
    ["09810012345", "+911140001000", "+919810012345"],
    ["9810012345", "+911140001000", "+919810012345"],
    ["5555550123", "+15555550100", "+15555550123"],
    ["15555550123", "+15555550100", "+15555550123"],
  ])("%s who calls %s is %s", (caller, called, expected) => {
    expect(e164Of(caller, called)).toBe(expected);
  });

  test.each([
    ["201", "201"],
    ["anonymous", "anonymous"],
    ["", "anonymous"],
    ["x".repeat(100), "x".repeat(32)],
  ])("%s stays as it is, bounded", (caller, expected) => {
    expect(e164Of(caller, "+911140001000")).toBe(expected);
  });
});
