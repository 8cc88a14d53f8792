// The Ed25519 public keys whose signature makes a release: those that the build put in, or one that the operator names.
import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { AppError, messageOf } from "../core/errors.ts";

/** SubjectPublicKeyInfo in base64, one for each trusted key; see scripts/build.ts. */
declare const RINGWARD_RELEASE_KEYS: readonly string[] | undefined;

/** Empty from source, and where the build was given no key. */
export function builtInKeys(): KeyObject[] {
  if (typeof RINGWARD_RELEASE_KEYS === "undefined") return [];
  return RINGWARD_RELEASE_KEYS.map((spki) =>
    createPublicKey({ key: Buffer.from(spki, "base64"), format: "der", type: "spki" }),
  );
}

/** A public key as `openssl pkey -pubout` writes it. */
export function readPublicKey(file: string): KeyObject {
  const key = parsed(file);
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new AppError("VALIDATION_ERROR", `${file} holds a key of type ${key.asymmetricKeyType}, not of type Ed25519.`);
}

function parsed(file: string): KeyObject {
  try {
    return createPublicKey(readFileSync(file, "utf8"));
  } catch (error) {
    throw new AppError("VALIDATION_ERROR", `${file} is not a public key in PEM: ${messageOf(error)}`, { cause: error });
  }
}

/** How people compare keys: as OpenSSH prints them, over the SubjectPublicKeyInfo. */
export function fingerprintOf(key: KeyObject): string {
  const spki = key.export({ format: "der", type: "spki" });
  return `SHA256:${createHash("sha256").update(spki).digest("base64").replaceAll("=", "")}`;
}
