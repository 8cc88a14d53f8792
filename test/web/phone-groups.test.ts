// Phone numbers as people read them.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { phoneGroups } from "../../src/web/format.ts";

test.each([
  ["+919810010001", "+91 98100 10001"],
  ["+14155550100", "+1 415 555 0100"],
  ["+442079460958", "+44 207 946 0958"],
  ["+97145551234", "+971 455 512 34"],
  ["101", "101"],
])("%s is read as %s", (number, read) => {
  expect(phoneGroups(number).join(" ")).toBe(read);
});

test("no digit is lost, and none stands alone", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+[1-9]\d{6,14}$/), (number) => {
      const [country, ...rest] = phoneGroups(number);
      expect([country, ...rest].join("")).toBe(number);
      expect(rest.every((group) => group.length > 1)).toBeTrue();
    }),
  );
});
