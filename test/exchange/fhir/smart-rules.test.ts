// The rules of SMART backend services that need no server: scopes, assertions, tokens, keys.
import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from "jose";
import { isAccessToken, makeAccessToken, readAccessToken } from "../../../src/accounts/access-token.ts";
import { checkedJwks, type PublicJwks } from "../../../src/accounts/jwks.ts";
import { checkAssertion, claimedClient } from "../../../src/exchange/fhir/smart/assertion.ts";
import { grantedScopes, supportedScopes, type ScopeTable } from "../../../src/exchange/fhir/smart/smart-scopes.ts";

const TABLE: ScopeTable = {
  Appointment: { rs: ["appointments:read"], cud: ["appointments:write"] },
  Slot: { rs: ["slots:read"] },
};
const HELD = ["appointments:read", "appointments:write"];

describe("scopes", () => {
  test.each<[string, string[], string[]]>([
    ["system/Appointment.rs", ["system/Appointment.rs"], ["appointments:read"]],
    ["system/Appointment.read", ["system/Appointment.rs"], ["appointments:read"]],
    ["system/Appointment.cruds", ["system/Appointment.rs", "system/Appointment.cud"], HELD],
    ["system/Appointment.c", ["system/Appointment.cud"], ["appointments:write"]],
    ["system/*.*", ["system/Appointment.rs", "system/Appointment.cud"], HELD],
    ["system/Slot.rs", [], []],
    ["system/Slot.write system/Patient.rs openid", [], []],
    ["patient/Appointment.rs user/Appointment.rs", [], []],
    ["system/Appointment.sr system/Appointment. system/__proto__.rs", [], []],
    ["", [], []],
  ])("%p", (asked, smart, ours) => {
    expect(grantedScopes(asked, HELD, TABLE)).toEqual({ smart, ours: ours as never });
  });

  test("what is supported", () => {
    expect(supportedScopes(TABLE)).toEqual(["system/Appointment.rs", "system/Appointment.cud", "system/Slot.rs"]);
  });
});

const NOW = Date.parse("2026-11-16T04:00:00Z");
const URL = "https://hospital.example/fhir/token";
const CLIENT = "key_01";

async function clientWith(alg: "RS384" | "ES384") {
  const pair = await generateKeyPair(alg, { extractable: true });
  const jwks = checkedJwks({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: "k1", use: "sig" }] });
  return { jwks, privateKey: pair.privateKey, alg };
}

type Client = Awaited<ReturnType<typeof clientWith>>;

const claims = { iss: CLIENT, sub: CLIENT, aud: URL, jti: "a", exp: NOW / 1_000 + 300 };

const signed = ({ privateKey, alg }: { privateKey: CryptoKey | Uint8Array; alg: string }, change = {}, header = {}) =>
  new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg, kid: "k1", ...header }).sign(privateKey);

const checked = (assertion: string, { jwks }: { jwks: PublicJwks }) =>
  checkAssertion(assertion, { id: CLIENT, jwks }, URL, NOW);

const [rsa, ec] = [await clientWith("RS384"), await clientWith("ES384")];

describe("assertions", () => {
  test.each<[string, Client]>([
    ["RS384", rsa],
    ["ES384", ec],
  ])("%s is taken", async (_alg, client) => {
    const assertion = await signed(client);
    expect(claimedClient(assertion)).toBe(CLIENT);
    expect(await checked(assertion, client)).toEqual({ jti: "a", usableUntil: NOW + 330_000 });
  });

  test.each<[string, object, RegExp]>([
    ["of an hour", { exp: NOW / 1_000 + 3_600 }, /five minutes/],
    ["expired", { exp: NOW / 1_000 - 31 }, /expired/],
    ["without exp", { exp: undefined }, /exp/],
    ["without jti", { jti: undefined }, /jti/],
    ["with a number as jti", { jti: 7 }, /jti/],
    ["with a long jti", { jti: "x".repeat(256) }, /jti/],
    ["for another server", { aud: "https://other.example/fhir/token" }, /aud must be https:\/\/hospital/],
    ["of another client", { iss: "key_02", sub: "key_02" }, /iss/],
    ["not valid yet", { nbf: NOW / 1_000 + 60 }, /nbf/],
  ])("%s is refused", async (_name, change, reason) => {
    await expect(checked(await signed(ec, change), ec)).rejects.toThrow(reason);
  });

  test("another key, another kid, none, a symmetric one, and no signature at all are refused", async () => {
    const other = await clientWith("ES384");
    await expect(checked(await signed(other), ec)).rejects.toThrow("signature");
    await expect(checked(await signed(ec, {}, { kid: "k2" }), ec)).rejects.toThrow("kid");
    await expect(checked(await signed(ec, {}, { kid: undefined }), ec)).rejects.toThrow("kid");
    // With the public key as an HMAC secret.
    const secret = new TextEncoder().encode(JSON.stringify(ec.jwks));
    await expect(checked(await signed({ privateKey: secret, alg: "HS256" }), ec)).rejects.toThrow("alg must be");
    const none = [{ alg: "none" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
    await expect(checked(`${none.join(".")}.`, ec)).rejects.toThrow();
  });

  test("text that is no JWT, or of two clients, names no client", async () => {
    expect(() => claimedClient("nonsense")).toThrow("not a JWT");
    expect(() => claimedClient("x".repeat(8_001))).toThrow("too long");
    const doubtful = await signed(ec, { sub: "key_02" });
    expect(() => claimedClient(doubtful)).toThrow("iss and sub");
  });
});

describe("public keys", () => {
  test("only their public members are kept", () => {
    const [first] = rsa.jwks.keys;
    expect(Object.keys(first ?? {}).toSorted()).toEqual(["e", "kid", "kty", "n"]);
  });

  test("private, symmetric, weak, foreign and broken keys are refused", async () => {
    const pair = await generateKeyPair("ES384", { extractable: true });
    const own = { ...(await exportJWK(pair.publicKey)), kid: "k1" };
    const weak = generateKeyPairSync("rsa", { modulusLength: 1_024 }).publicKey.export({ format: "jwk" });
    for (const [jwks, reason] of [
      [{ keys: [{ ...(await exportJWK(pair.privateKey)), kid: "k1" }] }, "private"],
      [{ keys: [{ kty: "oct", k: "AA", kid: "k1" }] }, "symmetric"],
      [{ keys: [{ ...weak, kid: "k1" }] }, "2048 to 8192 bits"],
      [{ keys: [{ ...own, crv: "P-256" }] }, "ES384"],
      [{ keys: [{ ...own, x: "AA" }] }, "cannot be read"],
      [{ keys: [{ ...own, kid: "" }] }, "kid"],
      [{ keys: [own, own] }, "different kid"],
      [{ keys: [] }, "1 to 10 keys"],
      [null, "JSON Web Key Set"],
    ] as const)
      expect(() => checkedJwks(jwks)).toThrow(reason);
  });
});

describe("access tokens", () => {
  const macKey = Buffer.alloc(32, 1);
  const token = { keyId: `key_${"0".repeat(26)}`, scopes: ["appointments:read"] as const, expiresAt: NOW };
  const text = makeAccessToken(macKey, token);

  test("tell the client, its scopes and their end", () => {
    expect(isAccessToken(text)).toBe(true);
    expect(readAccessToken(macKey, text, NOW - 1)).toEqual({ ...token, scopes: ["appointments:read"] });
  });

  test("expired, changed and foreign ones are none", () => {
    const [head = "", payload = "", mac = ""] = text.split(".");
    const more = Buffer.from(JSON.stringify([9_999_999_999, "calls:delete"])).toString("base64url");
    expect(readAccessToken(macKey, text, NOW)).toBeNull();
    expect(readAccessToken(Buffer.alloc(32, 2), text, NOW - 1)).toBeNull();
    for (const other of [`${head}.${more}.${mac}`, `${head}.${payload}.`, `${head}.${payload}`, "", "rw_access_.."])
      expect(readAccessToken(macKey, other, NOW - 1)).toBeNull();
  });
});
