// Ed25519 public keys that sign releases: those embedded by the build, or one named by the operator.
import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { AppError, messageOf } from "../core/errors.ts";

/** SubjectPublicKeyInfo in base64, one for each trusted key; see scripts/build.ts. */
declare const RINGWARD_RELEASE_KEYS: readonly string[] | undefined;

/** Empty when run from source, or if the build was given no key. */
export function builtInKeys(): KeyObject[] {
  if (typeof RINGWARD_RELEASE_KEYS === "undefined") return [];
  return RINGWARD_RELEASE_KEYS.map((spki) =>
    createPublicKey({ key: Buffer.from(spki, "base64"), format: "der", type: "spki" }),
  );
}

/** A public key in the format of `openssl pkey -pubout`. */
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

/** Fingerprint in the format of OpenSSH, over the SubjectPublicKeyInfo. */
export function fingerprintOf(key: KeyObject): string {
  const spki = key.export({ format: "der", type: "spki" });
  return `SHA256:${createHash("sha256").update(spki).digest("base64").replaceAll("=", "")}`;
}
