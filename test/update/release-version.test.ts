// The order of versions, as semver.org gives it.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compareVersions, isVersion } from "../../src/update/release-version.ts";

const ASCENDING = [
  "0.1.0",
  "0.2.0-alpha",
  "0.2.0-alpha.1",
  "0.2.0-alpha.beta",
  "0.2.0-beta",
  "0.2.0-beta.2",
  "0.2.0-beta.11",
  "0.2.0-rc.1",
  "0.2.0",
  "0.10.0",
  "1.0.0",
];

describe("versions", () => {
  test("are ordered by number, and a pre-release comes before its release", () => {
    expect(ASCENDING.toReversed().toSorted(compareVersions)).toEqual(ASCENDING);
  });

  test("have one order, whichever comes first", () => {
    const number = fc.nat(20);
    const label = fc.constantFrom("", "-rc.1", "-rc.2", "-alpha", "-1");
    const version = fc.tuple(number, number, number, label).map(([a, b, c, end]) => `${a}.${b}.${c}${end}`);
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0);
        expect(compareVersions(a, b) === 0).toBe(a === b);
      }),
    );
  });

  test.each(["1.2", "v1.2.3", "1.2.3.4", "1.2.3-", "1.2.3 ", "", "1.2.x"])("%p is none", (text) => {
    expect(isVersion(text)).toBe(false);
    expect(() => compareVersions(text, "1.0.0")).toThrow("is not a version");
  });
});
