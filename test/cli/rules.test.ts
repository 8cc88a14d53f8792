// Values of rules on the command line.
import { expect, test } from "bun:test";
import { valueOf } from "../../src/cli/rules.ts";

test.each<[string, string, unknown]>([
  ["in-hours", "09:00-19:00", { start: "09:00", end: "19:00", days: [0, 1, 2, 3, 4, 5, 6] }],
  ["in-hours", "09:00-19:00/1,2", { start: "09:00", end: "19:00", days: [1, 2] }],
  ["in-days-off", "01-26, 2026-11-08", ["01-26", "2026-11-08"]],
  ["in-days-off", "none", []],
  ["us-per-day", "2", 2],
  ["us-per-day", "unlimited", "unlimited"],
  ["us-per-day", "many", Number.NaN],
  ["us-recording", "off", "off"],
  ["in-caller-id-promotional", "any", "any"],
  ["no-such-rule", "1", "1"],
])("%s %s", (ruleId, text, value) => {
  expect(valueOf(ruleId, text)).toEqual(value);
});

test("hours in another form are refused with an example", () => {
  expect(() => valueOf("in-hours", "9 to 7")).toThrow("Hours are written as 09:00-19:00");
});
