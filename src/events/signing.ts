// Signs deliveries: the contract's own header, and beside it the Standard Webhooks trio that public libraries verify.
import { hmacSha256, type Bytes } from "../core/hmac.ts";
import type { Ids } from "../core/ids.ts";

export const USER_AGENT = "Ringward-Webhooks/1";
const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** What follows the prefix is base64 of the bytes that Standard Webhooks libraries use as key. */
export function newSigningSecret(ids: Ids): string {
  return `${SECRET_PREFIX}${Buffer.from(ids.secret(SECRET_BYTES), "base64url").toString("base64")}`;
}

/** The whole string, prefix included, is the key; the timestamp and the exact bytes of the body are signed. */
export function contractSignature(secret: string, timestamp: string, body: Bytes): string {
  return `v1=${hmacSha256(secret, `${timestamp}.`, body).toString("base64")}`;
}

/** Standard Webhooks: the decoded part after the prefix is the key; the id is signed too. */
export function standardSignature(secret: string, id: string, timestamp: string, body: Bytes): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${hmacSha256(key, `${id}.${timestamp}.`, body).toString("base64")}`;
}

export interface SigningSecrets {
  current: string;
  /** Signs beside the current one for a day after a rotation. */
  previous: string | null;
}

/**
 * What the headers of a delivery are made from, beside its body. With `secrets` null, signing is off: no timestamp, no
 * signature.
 */
export interface ToSign {
  eventId: string;
  unixSeconds: number;
  /** Attempts at this delivery before this one. */
  attempts: number;
  secrets: SigningSecrets | null;
}

export function deliveryHeaders(
  { eventId, unixSeconds, attempts, secrets }: ToSign,
  body: Bytes,
): Record<string, string> {
  const headers = { "content-type": "application/json", "user-agent": USER_AGENT, "x-webhook-id": eventId };
  if (secrets === null) return headers;
  const { current, previous } = secrets;
  const timestamp = String(unixSeconds);
  const standard = standardSignature(current, eventId, timestamp, body);
  return {
    ...headers,
    "x-webhook-timestamp": timestamp,
    "x-webhook-signature": contractSignature(contractSigner(secrets, attempts), timestamp, body),
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature":
      previous === null ? standard : `${standard} ${standardSignature(previous, eventId, timestamp, body)}`,
  };
}

/**
 * X-Webhook-Signature holds one signature. After a rotation the previous secret signs the first attempt, so that a
 * receiver that has not been changed yet refuses nothing. The new one signs the second attempt, for a receiver that has
 * the new secret alone, and so on in turn.
 */
function contractSigner({ current, previous }: SigningSecrets, attempts: number): string {
  return previous !== null && attempts % 2 === 0 ? previous : current;
}
