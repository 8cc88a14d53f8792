import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { FAILURE_CODES, type FailureCode } from "../../../../src/telephony/port.ts";
import { isTrunkFault, outcomeOfStatus } from "../../../../src/telephony/sip/trunk/response-outcome.ts";

/**
 * The handbook's table of outcomes: `| 486, 600 | `busy` |`, with `5xx` for the statuses without a row of their own.
 */
function outcomesInHandbook(): { named: Map<number, FailureCode>; families: Map<number, FailureCode> } {
  const text = readFileSync(new URL("../../../../src/handbook/telephone-systems.md", import.meta.url), "utf8");
  const [, table = ""] = /^\| SIP response .*\n\|[-| ]+\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const named = new Map<number, FailureCode>();
  const families = new Map<number, FailureCode>();
  for (const part of table.split("\n")) {
    const code = /`(\w+)`/.exec(part)?.[1] as FailureCode;
    for (const [, status] of part.matchAll(/\b(\d{3})\b/g)) named.set(Number(status), code);
    for (const [, first] of part.matchAll(/\b(\d)xx\b/g)) families.set(Number(first), code);
  }
  return { named, families };
}

test("every final status means what the handbook's table says", () => {
  const { named, families } = outcomesInHandbook();
  expect(new Set(families.keys())).toEqual(new Set([3, 4, 5, 6]));
  const wrong: string[] = [];
  for (let status = 300; status < 700; status++) {
    const told = named.get(status) ?? families.get(Math.floor(status / 100));
    const { code } = outcomeOfStatus(status);
    if (code !== told) wrong.push(`${status} is ${code}, and the handbook says ${told}`);
  }
  expect(wrong).toEqual([]);
});

test.each([
  [486, "busy"],
  [600, "busy"],
  [408, "no_answer"],
  [480, "no_answer"],
  [487, "no_answer"],
  [404, "invalid_number"],
  [410, "invalid_number"],
  [484, "invalid_number"],
  [604, "invalid_number"],
  [403, "rejected"],
  [603, "rejected"],
  [488, "carrier_error"],
  [500, "carrier_error"],
  [503, "carrier_error"],
  [302, "carrier_error"],
  [401, "carrier_error"],
] as const)("%i means %s", (status, code) => {
  expect(outcomeOfStatus(status).code).toBe(code);
});

test("every final status has an outcome and a sentence", () => {
  for (let status = 300; status < 700; status++) {
    const { code, message } = outcomeOfStatus(status);
    expect(FAILURE_CODES).toContain(code);
    expect(message).toEndWith(".");
  }
});

test("a callee who does not want to talk is not the trunk's fault", () => {
  expect(FAILURE_CODES.filter(isTrunkFault)).toEqual(["carrier_error", "infrastructure_error"]);
  expect(isTrunkFault(null)).toBeFalse();
});
