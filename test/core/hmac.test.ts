import { describe, expect, test } from "bun:test";
import { equalInConstantTime, hmacSha256, sha256, sha256Hex } from "../../src/core/hmac.ts";

describe("HMAC-SHA256", () => {
  test("agrees with RFC 4231, test case 2", () => {
    expect(hmacSha256("Jefe", "what do ya want for nothing?").toString("hex")).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  });

  test("of parts is that of the parts joined", () => {
    const joined = hmacSha256("key", "1700000000.{}");
    expect(hmacSha256("key", "1700000000", ".", Buffer.from("{}"))).toEqual(joined);
  });
});

test("SHA-256 agrees with FIPS 180-2, appendix B.1", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256("abc").toString("hex")).toBe(sha256Hex("abc"));
});

describe("comparison in constant time", () => {
  test.each([
    ["same", "same", true],
    ["same", "samE", false],
    ["short", "a good deal longer", false],
    ["", "", true],
    ["", "x", false],
  ])("of %p and %p is %p", (a, b, equal) => {
    expect(equalInConstantTime(a, b)).toBe(equal);
  });

  test("takes text and bytes alike", () => {
    expect(equalInConstantTime("é", Buffer.from("é"))).toBeTrue();
  });
});
