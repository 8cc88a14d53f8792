import { expect, test } from "bun:test";
import { calleeZones } from "../../src/core/callee-zone.ts";

const NOWHERE = { timeZone: null, region: null };

test("a given zone replaces the area code, a state's zones do without one, and a state in two zones has both", () => {
  const number = "+12125550142";
  expect(calleeZones(number)).toEqual(["America/New_York"]);
  expect(calleeZones(number, { timeZone: "America/Denver", region: "CA" })).toEqual(["America/Denver"]);
  expect(calleeZones(number, { ...NOWHERE, region: "CA" })).toEqual(["America/Los_Angeles"]);
  expect(calleeZones(number, { ...NOWHERE, region: "TX" })).toEqual(["America/Chicago", "America/Denver"]);
  expect(calleeZones("+919810012345", NOWHERE)).toEqual(["Asia/Kolkata"]);
});
