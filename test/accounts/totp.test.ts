// One-time codes against the vectors of their RFCs, and recovery codes as people type them.
import { expect, test } from "bun:test";
import { createIds } from "../../src/core/ids.ts";
import { newRecoveryCode, readRecoveryCode, recoveryCodeHash } from "../../src/accounts/recovery-codes.ts";
import {
  base32,
  bytesOfBase32,
  hotp,
  isTotpCode,
  minutesAhead,
  otpauthUrl,
  stepAt,
  stepOf,
} from "../../src/accounts/totp.ts";
import { browserOf } from "../../src/accounts/browser-name.ts";
import { createManualClock } from "../support/manual-clock.ts";

const SECRET = Buffer.from("12345678901234567890");

test("the codes are those of RFC 4226, appendix D", () => {
  const codes = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"];
  expect(codes.map((_, counter) => hotp(SECRET, counter))).toEqual(codes);
});

test.each([
  [59, "94287082"],
  [1111111109, "07081804"],
  [1111111111, "14050471"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
  [20000000000, "65353130"],
])("the code at second %d is that of RFC 6238, appendix B", (seconds, code) => {
  expect(hotp(SECRET, stepAt(seconds * 1_000), 8)).toBe(code);
});

test("a code is valid in its step, the one before and the one after", () => {
  const now = 1_700_000_010_000;
  const valid = [-3, -2, -1, 0, 1, 2, 3].map((away) => stepOf(SECRET, hotp(SECRET, stepAt(now) + away), now) !== null);
  expect(valid).toEqual([false, false, true, true, true, false, false]);
  expect(stepOf(SECRET, hotp(SECRET, stepAt(now) - 1), now)).toBe(stepAt(now) - 1);
});

test("a code of another time tells how far the clocks differ, up to ten minutes", () => {
  const now = 1_700_000_010_000;
  const ahead = (steps: number) => minutesAhead(SECRET, hotp(SECRET, stepAt(now) + steps), now);
  expect([ahead(1), ahead(8), ahead(-8), ahead(20), ahead(21)]).toEqual([null, 4, -4, 10, null]);
});

test("secrets are in base32 as in RFC 4648, section 10", () => {
  const texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
  expect(texts.map((text) => base32(Buffer.from(text)))).toEqual([
    "",
    "MY",
    "MZXQ",
    "MZXW6",
    "MZXW6YQ",
    "MZXW6YTB",
    "MZXW6YTBOI",
  ]);
  expect(Buffer.from(bytesOfBase32(base32(SECRET)))).toEqual(SECRET);
});

test("the address in the QR code names issuer and account", () => {
  expect(otpauthUrl(SECRET, "Ringward", "kamala@hospital.example")).toBe(
    "otpauth://totp/Ringward:kamala%40hospital.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Ringward",
  );
});

test("only six digits are a code", () => {
  expect(["123456", "12345", "1234567", "12345a", "１２３４５６"].map(isTotpCode)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("recovery codes have 80 bits, and are read as people type them", () => {
  const ids = createIds(createManualClock());
  const codes = new Set(Array.from({ length: 200 }, () => newRecoveryCode(ids)));
  expect(codes.size).toBe(200);
  for (const code of codes) {
    expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
    const typed = code.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l");
    expect(readRecoveryCode(` ${typed} `)).toBe(code.replaceAll("-", ""));
    expect(recoveryCodeHash("per_1", code)).toBe(recoveryCodeHash("per_1", code.replaceAll("-", "")));
    expect(recoveryCodeHash("per_2", code)).not.toBe(recoveryCodeHash("per_1", code));
  }
  expect(["", "abcd", "abcd-efgh-jkmn-pqr!", "abcd-efgh-jkmn-pqrsx"].map(readRecoveryCode)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Windows"],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/139.0 Safari/537.36 Edg/139.0", "Edge", "Windows"],
  ["Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/139.0 Mobile Safari/537.36", "Chrome", "Android"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18.4 Safari/605", "Safari", "Mac"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_4) AppleWebKit/605 Version/18.4 Mobile Safari/604", "Safari", "iPhone"],
  ["curl/8.5.0", null, null],
  [null, null, null],
])("%s is named", (userAgent, browser, system) => {
  expect(browserOf(userAgent)).toEqual({ browser, system });
});
