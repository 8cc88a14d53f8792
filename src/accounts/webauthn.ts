// Verification of passkeys (WebAuthn level 3, sections 7.1 and 7.2): pure, without a database. Attestation is not asked
// for, so the browser's own public key in SPKI form is as good as the one in the attestation object, and no CBOR is
// read.
import { createPublicKey, verify, type KeyObject } from "node:crypto";
import { Type, type Static } from "@sinclair/typebox";
import { equalInConstantTime, sha256 } from "../core/hmac.ts";

/** COSE algorithms that every authenticator has one of: ES256, EdDSA, RS256. In order of preference. */
export const ALGORITHMS = [-7, -8, -257] as const;

const base64url = (maxLength: number) => Type.String({ pattern: "^[A-Za-z0-9_-]*$", maxLength });
/** WebAuthn, section 4: a credential id has at most 1023 bytes. */
const CREDENTIAL_ID = { pattern: "^[A-Za-z0-9_-]+$", maxLength: 1_364 };

/** What `PublicKeyCredential.toJSON` makes of a new passkey; other members are ignored. */
export const NewCredential = Type.Object({
  id: Type.String(CREDENTIAL_ID),
  type: Type.Literal("public-key"),
  response: Type.Object({
    clientDataJSON: base64url(2_000),
    authenticatorData: base64url(3_000),
    publicKey: base64url(1_000),
    publicKeyAlgorithm: Type.Integer(),
    transports: Type.Optional(Type.Array(Type.String({ pattern: "^[a-z-]{1,20}$" }), { maxItems: 10 })),
  }),
});
export type NewCredential = Static<typeof NewCredential>;

/** The same of a signed challenge. */
export const Assertion = Type.Object({
  id: Type.String(CREDENTIAL_ID),
  type: Type.Literal("public-key"),
  response: Type.Object({
    clientDataJSON: base64url(2_000),
    authenticatorData: base64url(1_000),
    signature: base64url(1_000),
    userHandle: Type.Optional(Type.Union([Type.Null(), base64url(100)])),
  }),
});
export type Assertion = Static<typeof Assertion>;

export interface Expected {
  challenge: string;
  origin: string;
  rpId: string;
}

export interface VerifiedKey {
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: readonly string[];
}

/** Why a passkey was not accepted, for the log: constant texts. */
export class PasskeyFault extends Error {}

export function verifyNewCredential(credential: NewCredential, expected: Expected): VerifiedKey {
  const { clientDataJSON, authenticatorData, publicKey, publicKeyAlgorithm, transports = [] } = credential.response;
  checkClientData(clientDataJSON, "webauthn.create", expected);
  const data = readAuthenticatorData(authenticatorData, expected.rpId);
  if (!equalInConstantTime(data.credentialId() ?? "", Buffer.from(credential.id, "base64url")))
    throw new PasskeyFault("the credential id is not the authenticator's");
  // Throws for a key that no later signature could be verified with.
  publicKeyOf(publicKey, publicKeyAlgorithm);
  return { credentialId: credential.id, publicKey, counter: data.counter, transports };
}

/** Returns the new counter. */
export function verifyAssertion(
  { response }: Assertion,
  expected: Expected,
  stored: { publicKey: string; counter: number },
): number {
  checkClientData(response.clientDataJSON, "webauthn.get", expected);
  const { counter } = readAuthenticatorData(response.authenticatorData, expected.rpId);
  const signed = Buffer.concat([bytesOf(response.authenticatorData), sha256(bytesOf(response.clientDataJSON))]);
  const key = publicKeyOf(stored.publicKey);
  const hash = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  if (!isSigned(hash, signed, key, bytesOf(response.signature))) throw new PasskeyFault("the signature is wrong");
  // Section 7.2, step 22. Passkeys that are synchronised between devices always report 0.
  if ((counter > 0 || stored.counter > 0) && counter <= stored.counter)
    throw new PasskeyFault("the counter went back: the passkey may have been copied");
  return counter;
}

function isSigned(hash: "sha256" | null, signed: Buffer, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify(hash, signed, key, signature);
  } catch {
    // Some malformed signatures throw.
    return false;
  }
}

const bytesOf = (text: string): Buffer => Buffer.from(text, "base64url");

function checkClientData(text: string, type: string, { challenge, origin }: Expected): void {
  let data: { type?: unknown; challenge?: unknown; origin?: unknown; crossOrigin?: unknown };
  try {
    data = JSON.parse(bytesOf(text).toString()) as typeof data;
  } catch {
    throw new PasskeyFault("the client data is not JSON");
  }
  if (data.type !== type) throw new PasskeyFault("the client data is of another ceremony");
  if (typeof data.challenge !== "string" || !equalInConstantTime(data.challenge, challenge))
    throw new PasskeyFault("the challenge is another one");
  if (data.origin !== origin || data.crossOrigin === true) throw new PasskeyFault("the page is another one");
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;
const HEAD_BYTES = 37;
const AAGUID_BYTES = 16;

/** Section 6.1: hash of the host name, flags, counter, and for a new passkey its id. */
function readAuthenticatorData(text: string, rpId: string) {
  const bytes = bytesOf(text);
  if (bytes.length < HEAD_BYTES) throw new PasskeyFault("the authenticator data is too short");
  if (!equalInConstantTime(bytes.subarray(0, 32), sha256(rpId))) throw new PasskeyFault("the host name is another one");
  const flags = bytes.readUInt8(32);
  if ((flags & USER_PRESENT) === 0 || (flags & USER_VERIFIED) === 0)
    throw new PasskeyFault("the authenticator did not verify its user");
  return {
    counter: bytes.readUInt32BE(33),
    credentialId(): Buffer | null {
      const at = HEAD_BYTES + AAGUID_BYTES;
      if ((flags & HAS_CREDENTIAL) === 0 || bytes.length < at + 2) return null;
      const length = bytes.readUInt16BE(at);
      return bytes.subarray(at + 2, at + 2 + length);
    },
  };
}

const KEY_TYPES: Readonly<Record<number, string>> = { [-7]: "ec", [-8]: "ed25519", [-257]: "rsa" };
const SHORTEST_RSA_BITS = 2_048;
/** A longer key only costs time. */
const LONGEST_RSA_BITS = 4_096;

/** `algorithm`: checked for a new passkey. */
function publicKeyOf(spki: string, algorithm?: number): KeyObject {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: bytesOf(spki), format: "der", type: "spki" });
  } catch {
    throw new PasskeyFault("the public key cannot be read");
  }
  const { asymmetricKeyType: type = "", asymmetricKeyDetails: details = {} } = key;
  const isKnown = Object.values(KEY_TYPES).includes(type) && (algorithm === undefined || KEY_TYPES[algorithm] === type);
  const isOfCurve = type !== "ec" || details.namedCurve === "prime256v1";
  const bits = details.modulusLength ?? SHORTEST_RSA_BITS;
  if (!isKnown || !isOfCurve || bits < SHORTEST_RSA_BITS || bits > LONGEST_RSA_BITS)
    throw new PasskeyFault("the public key is of another kind");
  return key;
}
