// An authenticator in software: it makes passkeys and signs challenges as a security key does, and misbehaves on
// request.
import { createHash, createSign, generateKeyPairSync, sign, type KeyObject } from "node:crypto";

export type Kind = "es256" | "ed25519" | "rs256";

export interface Misbehaviour {
  challenge?: string;
  origin?: string;
  rpId?: string;
  type?: string;
  /** Flags of the authenticator data; 0x05 is present and verified. */
  flags?: number;
  counter?: number;
  isCrossOrigin?: boolean;
  userHandle?: string | null;
}

export interface Page {
  origin: string;
  rpId: string;
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest();

interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/** RSA keys take seconds to generate on a busy machine, so two serve in turn. */
const rsaKeys: KeyPair[] = [];
let rsaUsed = 0;

function keysOf(kind: Kind): KeyPair {
  if (kind === "es256") return generateKeyPairSync("ec", { namedCurve: "P-256" });
  if (kind === "ed25519") return generateKeyPairSync("ed25519");
  const at = rsaUsed++ % 2;
  return (rsaKeys[at] ??= generateKeyPairSync("rsa", { modulusLength: 2048 }));
}

const ALGORITHM = { es256: -7, ed25519: -8, rs256: -257 } as const;

/** RFC 9053 keys, in the few forms of CBOR that they need. */
function coseKey(kind: Kind, key: KeyObject): Buffer {
  const jwk = key.export({ format: "jwk" });
  const part = (value: string | undefined) => Buffer.from(value ?? "", "base64url");
  const bytes = (value: Buffer) =>
    value.length < 256
      ? Buffer.concat([Buffer.from([0x58, value.length]), value])
      : Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 255]), value]);
  if (kind === "es256")
    return Buffer.concat([
      Buffer.from("a501020326200121", "hex"),
      bytes(part(jwk.x)),
      Buffer.from("22", "hex"),
      bytes(part(jwk.y)),
    ]);
  if (kind === "ed25519") return Buffer.concat([Buffer.from("a401010327200621", "hex"), bytes(part(jwk.x))]);
  return Buffer.concat([Buffer.from("a401030339010020", "hex"), bytes(part(jwk.n)), Buffer.from("2143010001", "hex")]);
}

let made = 0;

export function createAuthenticator(kind: Kind = "es256") {
  const { publicKey, privateKey } = keysOf(kind);
  const credentialId = sha256(`credential ${++made} ${kind}`);
  let counter = 0;
  let user = "";

  const clientData = (type: string, challenge: string, origin: string, isCrossOrigin: boolean) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: isCrossOrigin }));
  const head = (rpId: string, flags: number, count: number) => {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags, 0);
    rest.writeUInt32BE(count, 1);
    return Buffer.concat([sha256(rpId), rest]);
  };

  return {
    id: text(credentialId),
    publicKey: text(publicKey.export({ format: "der", type: "spki" })),
    /** Answer to creation options. */
    create(options: { challenge: string; user: { id: string } }, page: Page, odd: Misbehaviour = {}) {
      user = options.user.id;
      const data = clientData(
        odd.type ?? "webauthn.create",
        odd.challenge ?? options.challenge,
        odd.origin ?? page.origin,
        odd.isCrossOrigin ?? false,
      );
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const authenticatorData = Buffer.concat([
        head(odd.rpId ?? page.rpId, odd.flags ?? 0x45, odd.counter ?? counter),
        Buffer.alloc(16),
        length,
        credentialId,
        coseKey(kind, publicKey),
      ]);
      const size = Buffer.from([0x59, authenticatorData.length >> 8, authenticatorData.length & 255]);
      const attestationObject = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex"),
        size,
        authenticatorData,
      ]);
      return {
        id: text(credentialId),
        rawId: text(credentialId),
        type: "public-key" as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(data),
          authenticatorData: text(authenticatorData),
          attestationObject: text(attestationObject),
          publicKey: text(publicKey.export({ format: "der", type: "spki" })),
          publicKeyAlgorithm: ALGORITHM[kind],
          transports: ["internal" as const],
        },
      };
    },
    /** Answer to request options. */
    get(options: { challenge: string }, page: Page, odd: Misbehaviour = {}) {
      counter = odd.counter ?? counter + 1;
      const data = clientData(
        odd.type ?? "webauthn.get",
        odd.challenge ?? options.challenge,
        odd.origin ?? page.origin,
        odd.isCrossOrigin ?? false,
      );
      const authenticatorData = head(odd.rpId ?? page.rpId, odd.flags ?? 0x05, counter);
      const signed = Buffer.concat([authenticatorData, sha256(data)]);
      const signature =
        kind === "ed25519" ? sign(null, signed, privateKey) : createSign("sha256").update(signed).sign(privateKey);
      return {
        id: text(credentialId),
        rawId: text(credentialId),
        type: "public-key" as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(data),
          authenticatorData: text(authenticatorData),
          signature: text(signature),
          ...(odd.userHandle !== null && { userHandle: odd.userHandle ?? user }),
        },
      };
    },
  };
}
