// Signs deliveries: the contract's own header, plus the three Standard Webhooks headers that public libraries verify.
import { hmacSha256, type Bytes } from "../core/hmac.ts";
import type { Ids } from "../core/ids.ts";

export const USER_AGENT = "Ringward-Webhooks/1";
const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** The part after the prefix is the base64 key of Standard Webhooks libraries. */
export function newSigningSecret(ids: Ids): string {
  return `${SECRET_PREFIX}${Buffer.from(ids.secret(SECRET_BYTES), "base64url").toString("base64")}`;
}

/**
 * The key is the whole string, including the prefix; the signature covers the timestamp and the exact bytes of the
 * body.
 */
export function contractSignature(secret: string, timestamp: string, body: Bytes): string {
  return `v1=${hmacSha256(secret, `${timestamp}.`, body).toString("base64")}`;
}

/** Standard Webhooks: the key is the decoded part after the prefix; the signature also covers the id. */
export function standardSignature(secret: string, id: string, timestamp: string, body: Bytes): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${hmacSha256(key, `${id}.${timestamp}.`, body).toString("base64")}`;
}

export interface SigningSecrets {
  current: string;
  /** Also signs for a day after a rotation. */
  previous: string | null;
}

/**
 * Input of the delivery headers, besides the body. If `secrets` is null, signing is off: no timestamp, no signature.
 */
export interface ToSign {
  eventId: string;
  unixSeconds: number;
  /** Number of earlier attempts of this delivery. */
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
 * X-Webhook-Signature holds one signature. After a rotation the previous secret signs the first attempt, so a receiver
 * that has not been updated rejects nothing. The new secret signs the second attempt, for a receiver with only the new
 * secret, and so on in turn.
 */
function contractSigner({ current, previous }: SigningSecrets, attempts: number): string {
  return previous !== null && attempts % 2 === 0 ? previous : current;
}
