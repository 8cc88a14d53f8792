// A rule book with a fault is refused with the rule and what was expected.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { parseBook, valueFaults } from "../../../src/rules/book/book-file.ts";

const GOOD = readFileSync(join(import.meta.dir, "../../../config/rules/us.toml"), "utf8");
const parse = (change: (toml: string) => string) => () => parseBook("us.toml", change(GOOD));

test("the book as it is has no fault", () => {
  expect(parse((toml) => toml)().rules.length).toBeGreaterThan(40);
});

test.each<[string, (toml: string) => string, string]>([
  [
    "malformed TOML",
    (toml) => toml.replace("[[rules]]", "[[rules"),
    "us.toml has a fault:\n  - cannot be read as TOML",
  ],
  ["an empty file", () => "", "version: must be country, year and month: us-2026.11."],
  ["no source", (toml) => toml.replace(/\nsource = .*/, ""), "rules.0.source: must be text"],
  ["an unknown field", (toml) => toml.replace('basis = "law"', 'basis = "law"\nstate = "CA"'), "rules.1.state"],
  [
    "an unknown setting",
    (toml) => toml.replace('setting = "hours"', 'setting = "hour"'),
    "rules.0.setting: must be one of",
  ],
  ["an impossible time", (toml) => toml.replace("09:00", "25:00"), "us-hours: value.start must be a time as HH:MM."],
  ["hours backwards", (toml) => toml.replace('"09:00"', '"21:00"'), "us-hours: value.start must be before value.end."],
  ["a date that does not exist", (toml) => toml.replace("12-25", "02-30"), "does not exist: 02-30."],
  [
    "a state that does not exist",
    (toml) => toml.replace('["CA"]', '["ZZ"]'),
    "us-recording-california: no such state: ZZ.",
  ],
  [
    "an id twice",
    (toml) => toml.replace("us-per-week-without-consent", "us-hours"),
    "us-hours: two rules have this id.",
  ],
  [
    "an id of another country",
    (toml) => toml.replace('"us-hours"', '"in-hours"'),
    "in-hours: the id must start with us-.",
  ],
  ["a cap of zero", (toml) => toml.replace("value = 1\n", "value = 0\n"), "value must be a whole number from 1 to 100"],
])("%s", (_, change, message) => {
  expect(parse(change)).toThrow(message);
});

test("only a rule whose text was confirmed is called law, and no source is a tool", () => {
  const { rules } = parse((toml) => toml)();
  const doubt = /not confirmed|not read|was read;|[Pp]ublished (?:lists|summaries)/;
  expect(
    rules.filter(({ source, basis }) => doubt.test(source) !== (basis === "reported")).map(({ id }) => id),
  ).toEqual([]);
  const reported = rules.filter(({ basis }) => basis === "reported").flatMap(({ states }) => states ?? []);
  expect(reported.toSorted()).toEqual(["KY", "MI", "MN", "NV", "PA", "SC", "TX", "WY"]);
  expect(rules.filter(({ source }) => source.includes("/mcp/")).map(({ id }) => id)).toEqual([]);
});

test("states outside the United States are refused", () => {
  const toml = GOOD.replace('country = "US"', 'country = "IN"');
  expect(() => parseBook("in.toml", toml)).toThrow("only rules of the United States have states.");
});

test("29 February is a day off of leap years", () => {
  expect(valueFaults("days_off", ["02-29", "2028-02-29"])).toEqual([]);
  expect(valueFaults("days_off", ["2027-02-29"])).toEqual(["value has a date that does not exist: 2027-02-29."]);
});
