import { expect, test } from "bun:test";
import { FAILURE_CODES } from "../../../../src/telephony/port.ts";
import { isTrunkFault, outcomeOfStatus } from "../../../../src/telephony/sip/signalling/response-outcome.ts";

test.each([
  [486, "busy"],
  [600, "busy"],
  [408, "no_answer"],
  [480, "no_answer"],
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
  expect(outcomeOfStatus(status, { weTimedOut: false }).code).toBe(code);
});

test("487 is nobody answering only where we gave up", () => {
  expect(outcomeOfStatus(487, { weTimedOut: true }).code).toBe("no_answer");
  expect(outcomeOfStatus(487, { weTimedOut: false }).code).toBe("carrier_error");
});

test("every final status has an outcome and a sentence", () => {
  for (let status = 300; status < 700; status++) {
    const { code, message } = outcomeOfStatus(status, { weTimedOut: false });
    expect(FAILURE_CODES).toContain(code);
    expect(message).toEndWith(".");
  }
});

test("a callee who does not want to talk is not the trunk's fault", () => {
  expect(FAILURE_CODES.filter(isTrunkFault)).toEqual(["carrier_error", "infrastructure_error"]);
  expect(isTrunkFault(null)).toBeFalse();
});
