// How a call is recorded: whichever of rules, appliance, organisation and agent is strictest.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { RECORDING_MODES, type RecordingMode } from "../../src/payloads/lawful.ts";
import { checkedRecordingMode, recordingModeFor, recordingRule } from "../../src/rules/recording-mode.ts";
import { ruleBook } from "../../src/rules/book/embedded-books.ts";
import { NO_CHANGES } from "../../src/rules/book/rule-book.ts";

const mode = fc.constantFrom(...RECORDING_MODES);
const sources = fc.record({
  rules: mode,
  appliance: mode,
  organisation: fc.option(mode),
  agent: fc.option(mode),
});
const strictness = (one: RecordingMode) => ["announce", "ask", "off"].indexOf(one);

test("the strictest wins, and a setting that is not there decides nothing", () => {
  fc.assert(
    fc.property(sources, (given) => {
      const decided = recordingModeFor(given);
      const known = Object.values(given).filter((one) => one !== null);
      expect(known).toContain(decided);
      expect(strictness(decided)).toBe(Math.max(...known.map(strictness)));
    }),
  );
});

test.each([
  ["+14155550100", "ask"],
  ["+12125550100", "announce"],
  ["+919810012345", "announce"],
] as const)("the rules of %s are above settings that are more lenient", (number, expected) => {
  const question = { number, region: null, purpose: "service", hasConsent: false } as const;
  const { recording: rules } = ruleBook().resolve(question);
  const lenient = { appliance: "announce", organisation: "announce", agent: "announce" } as const;
  expect(recordingModeFor({ rules, ...lenient })).toBe(expected);
});

test.each([
  ["+14155550100", "+912212345678", "ask"],
  ["+919810012345", "+14155550100", "announce"],
  ["+447700900123", "+912212345678", "announce"],
  ["+447700900123", "+14155550100", "ask"],
  ["anonymous", "+912212345678", "announce"],
  ["anonymous", "101", "ask"],
] as const)(
  "a call of %s with our number %s follows the other side's rules, or else ours: %s",
  (number, own, expected) => {
    const question = { number, region: null, purpose: "service", hasConsent: false } as const;
    expect(recordingRule(question, own, NO_CHANGES)).toBe(expected);
  },
);

test("a mode is one of three words, or none", () => {
  expect([null, "", "off", "ask", "announce"].map(checkedRecordingMode)).toEqual([
    null,
    null,
    "off",
    "ask",
    "announce",
  ]);
  expect(() => checkedRecordingMode("always")).toThrow("recording_mode must be one of announce, ask, off, or null.");
});
