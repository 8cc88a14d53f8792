// The lines of a list of consents, and the checks of each.
import { expect, test } from "bun:test";
import { consentLines, type ConsentLine } from "../../../src/payloads/consent-lines.ts";
import { momentsOf } from "../../../src/rules/consent/consent-days.ts";
import { listedGrant } from "../../../src/rules/consent/listed.ts";

const EMPTY: ConsentLine = {
  line: 2,
  number: "+919810012345",
  purpose: "",
  basis: "",
  granted_on: "",
  until: "",
  reference: "",
  status: "",
};

test("columns are found by their names, in any order, with quotes and any delimiter", () => {
  const file =
    '\uFEFFReference;Contact Number;Purpose\r\n"Form ""7""; page 2";+91 98100-12345;promotional\r\n\r\n;98\n';
  expect(consentLines(file)).toEqual([
    { ...EMPTY, number: "+91 98100-12345", purpose: "promotional", reference: 'Form "7"; page 2' },
    { ...EMPTY, line: 4, number: "98" },
  ]);
  expect(consentLines("a,b\n+919810012345,promotional")).toBeNull();
  expect(consentLines("")).toBeNull();
});

test("a quote that is never closed and a cell without end are harmless", () => {
  expect(consentLines('number,reference\n+919810012345,"open\n+919810012346,b')).toMatchObject([
    { number: "+919810012345", reference: "open" },
    { number: "+919810012346", reference: "b" },
  ]);
  const [line] = consentLines(`number,reference\n+919810012345,${'"'.repeat(100_001)}`) ?? [];
  expect(line?.reference.length).toBe(250);
});

test("a row takes purpose and basis of the whole list, unless it names its own", () => {
  const whole = { purpose: "service", basis: "written" };
  expect(listedGrant({ ...EMPTY, number: "+91 (98100) 12345" }, whole)).toEqual({
    row: 2,
    number: "+919810012345",
    purpose: "service",
    basis: "written",
    grantedOn: null,
    untilDay: null,
    reference: null,
  });
  const own = listedGrant({ ...EMPTY, purpose: "Promotional", basis: "Consent manager", status: "active" }, whole);
  expect(own).toMatchObject({ purpose: "promotional", basis: "consent_manager" });
});

test.each([
  [{ purpose: "" }, "purpose must be one of"],
  [{ purpose: "ads" }, "purpose must be one of"],
  [{ basis: "rumour" }, "basis must be one of"],
  [{ status: "withdrawn" }, "Only active consents"],
  [{ reference: "a\u202Eb" }, "reference must be text"],
] as const)("%j is refused: %s", (change, message) => {
  const purpose = "purpose" in change ? "" : "service";
  expect(() => listedGrant({ ...EMPTY, ...change }, { purpose, basis: "written" })).toThrow(message);
});

test("a moment, as an export has it, is not moved by the time zone", () => {
  const now = Date.parse("2026-11-20T10:00:00Z");
  for (const zone of ["Asia/Kolkata", "America/Los_Angeles"])
    expect(
      momentsOf({ grantedOn: "2026-11-20T03:15:00.000Z", untilDay: "2027-01-01T08:00:00.000Z" }, zone, now),
    ).toEqual({
      grantedAt: Date.parse("2026-11-20T03:15:00Z"),
      until: Date.parse("2027-01-01T08:00:00Z"),
    });
  expect(() => momentsOf({ grantedOn: "2026-11-20Tnoon", untilDay: null }, "UTC", now)).toThrow("granted_on");
});
