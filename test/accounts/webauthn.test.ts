// Verification of passkeys, beside an independent library: both accept the same answers and refuse the same.
import { describe, expect, test } from "bun:test";
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { PasskeyFault, verifyAssertion, verifyNewCredential } from "../../src/accounts/webauthn.ts";
import { createAuthenticator, type Kind, type Misbehaviour } from "../support/authenticator.ts";

const PAGE = { origin: "https://calls.hospital.example", rpId: "calls.hospital.example" };
const CHALLENGE = Buffer.from("a challenge of the appliance").toString("base64url");
const EXPECTED = { ...PAGE, challenge: CHALLENGE };
const OPTIONS = { challenge: CHALLENGE, user: { id: Buffer.from("per_1").toString("base64url") } };
const KINDS: Kind[] = ["es256", "ed25519", "rs256"];

const accepts = (check: () => unknown): string => {
  try {
    check();
    return "accepted";
  } catch (error) {
    if (error instanceof PasskeyFault) return error.message;
    throw error;
  }
};

async function theirVerdict(check: () => Promise<{ verified: boolean }>): Promise<boolean> {
  try {
    return (await check()).verified;
  } catch {
    return false;
  }
}

const theirs = {
  create: (response: ReturnType<ReturnType<typeof createAuthenticator>["create"]>) =>
    theirVerdict(() =>
      verifyRegistrationResponse({
        response,
        expectedChallenge: CHALLENGE,
        expectedOrigin: PAGE.origin,
        expectedRPID: PAGE.rpId,
        supportedAlgorithmIDs: [-7, -8, -257],
      }),
    ),
};

describe.each(KINDS)("a passkey of kind %s", (kind) => {
  test("is registered, and signs in, by both verifiers", async () => {
    const authenticator = createAuthenticator(kind);
    const created = authenticator.create(OPTIONS, PAGE);
    const key = verifyNewCredential(created, EXPECTED);
    const registered = await verifyRegistrationResponse({
      response: created,
      expectedChallenge: CHALLENGE,
      expectedOrigin: PAGE.origin,
      expectedRPID: PAGE.rpId,
      supportedAlgorithmIDs: [-7, -8, -257],
    });
    expect(registered.registrationInfo?.credential.id).toBe(key.credentialId);
    const got = authenticator.get(OPTIONS, PAGE);
    expect(verifyAssertion(got, EXPECTED, { publicKey: key.publicKey, counter: 0 })).toBe(1);
    const credential = registered.registrationInfo!.credential;
    const again = await verifyAuthenticationResponse({
      response: got,
      expectedChallenge: CHALLENGE,
      expectedOrigin: PAGE.origin,
      expectedRPID: PAGE.rpId,
      credential,
    });
    expect([again.verified, again.authenticationInfo.newCounter]).toEqual([true, 1]);
  });

  const ODD: [what: string, odd: Misbehaviour, fault: string][] = [
    ["another challenge", { challenge: Buffer.from("another").toString("base64url") }, "the challenge is another one"],
    ["another site", { origin: "https://calls.hospital.example.evil.example" }, "the page is another one"],
    ["another port", { origin: "https://calls.hospital.example:8443" }, "the page is another one"],
    ["another host name", { rpId: "evil.example" }, "the host name is another one"],
    ["another ceremony", { type: "webauthn.get" }, "the client data is of another ceremony"],
    ["an unverified user", { flags: 0x41 }, "the authenticator did not verify its user"],
    ["an absent user", { flags: 0x44 }, "the authenticator did not verify its user"],
  ];
  test.each(ODD)("is not registered with %s, by either", async (_, odd, fault) => {
    const created = createAuthenticator(kind).create(OPTIONS, PAGE, odd);
    expect(accepts(() => verifyNewCredential(created, EXPECTED))).toBe(fault);
    expect(await theirs.create(created)).toBeFalse();
  });

  const ODD_SIGNED = ODD.map(([what, odd, fault]): (typeof ODD)[number] => [
    what,
    { ...odd, ...(odd.type && { type: "webauthn.create" }), ...(odd.flags && { flags: odd.flags & ~0x40 }) },
    fault,
  ]);
  test.each(ODD_SIGNED)("does not sign in with %s, by either", async (_, odd, fault) => {
    const authenticator = createAuthenticator(kind);
    const created = authenticator.create(OPTIONS, PAGE);
    const { publicKey } = verifyNewCredential(created, EXPECTED);
    const got = authenticator.get(OPTIONS, PAGE, odd);
    expect(accepts(() => verifyAssertion(got, EXPECTED, { publicKey, counter: 0 }))).toBe(fault);
    const registered = await verifyRegistrationResponse({
      response: created,
      expectedChallenge: CHALLENGE,
      expectedOrigin: PAGE.origin,
      expectedRPID: PAGE.rpId,
      supportedAlgorithmIDs: [-7, -8, -257],
    });
    const verdict = await theirVerdict(() =>
      verifyAuthenticationResponse({
        response: got,
        expectedChallenge: CHALLENGE,
        expectedOrigin: PAGE.origin,
        expectedRPID: PAGE.rpId,
        credential: registered.registrationInfo!.credential,
      }),
    );
    expect(verdict).toBeFalse();
  });

  test("does not sign in with the signature of another passkey, a changed one, or none", () => {
    const authenticator = createAuthenticator(kind);
    const { publicKey } = verifyNewCredential(authenticator.create(OPTIONS, PAGE), EXPECTED);
    const got = authenticator.get(OPTIONS, PAGE);
    const other = createAuthenticator(kind).get(OPTIONS, PAGE).response.signature;
    const changed = Buffer.from(got.response.signature, "base64url");
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
    for (const signature of [other, changed.toString("base64url"), "", "AAAA"]) {
      const odd = { ...got, response: { ...got.response, signature } };
      expect(accepts(() => verifyAssertion(odd, EXPECTED, { publicKey, counter: 0 }))).toBe("the signature is wrong");
    }
  });
});

describe("the counter", () => {
  const at = (stored: number, counter: number) => {
    const authenticator = createAuthenticator();
    const { publicKey } = verifyNewCredential(authenticator.create(OPTIONS, PAGE), EXPECTED);
    const got = authenticator.get(OPTIONS, PAGE, { counter });
    return accepts(() => verifyAssertion(got, EXPECTED, { publicKey, counter: stored }));
  };
  test("must grow, unless the passkey has none", () => {
    const copied = "the counter went back: the passkey may have been copied";
    expect([at(0, 0), at(0, 1), at(5, 6), at(5, 5), at(5, 4), at(5, 0)]).toEqual([
      "accepted",
      "accepted",
      "accepted",
      copied,
      copied,
      copied,
    ]);
  });
});

describe("an odd public key", () => {
  const withKey = (publicKey: string, publicKeyAlgorithm = -7) => {
    const created = createAuthenticator().create(OPTIONS, PAGE);
    return accepts(() =>
      verifyNewCredential({ ...created, response: { ...created.response, publicKey, publicKeyAlgorithm } }, EXPECTED),
    );
  };
  test("is not registered", () => {
    expect(withKey("")).toBe("the public key cannot be read");
    expect(withKey("AAAA")).toBe("the public key cannot be read");
    expect(withKey(createAuthenticator("rs256").publicKey)).toBe("the public key is of another kind");
    expect(withKey(createAuthenticator("es256").publicKey, -257)).toBe("the public key is of another kind");
  });

  test("nor is another credential id, or client data that is no JSON", () => {
    const created = createAuthenticator().create(OPTIONS, PAGE);
    expect(accepts(() => verifyNewCredential({ ...created, id: "AAAA" }, EXPECTED))).toBe(
      "the credential id is not the authenticator's",
    );
    const odd = { ...created, response: { ...created.response, clientDataJSON: "AAAA" } };
    expect(accepts(() => verifyNewCredential(odd, EXPECTED))).toBe("the client data is not JSON");
    const short = { ...created, response: { ...created.response, authenticatorData: "AAAA" } };
    expect(accepts(() => verifyNewCredential(short, EXPECTED))).toBe("the authenticator data is too short");
  });
});
