// Test vectors for developers of receivers: deliveries made by the real signer, unchanged or altered in one way.
import { hmacSha256, sha256 } from "../../core/hmac.ts";
import { SAMPLE_DATA } from "../samples.ts";
import { contractSignature, deliveryHeaders, type SigningSecrets } from "../signing.ts";

/** Tolerance between the timestamp and the receiver's clock, in both directions. The snippets use the same number. */
export const TOLERANCE_SECONDS = 300;

export interface Vector {
  name: string;
  why: string;
  /** The receiver's configured secret, or during a rotation two secrets separated by a space. */
  secret: string;
  /** The receiver's clock, in Unix seconds. */
  now: number;
  /** As received; names in lower case. */
  headers: Record<string, string>;
  /** As received; its UTF-8 bytes are the raw body. */
  body: string;
  /** Whether X-Webhook-Timestamp and X-Webhook-Signature are valid. */
  valid: boolean;
  /** Whether the three Standard Webhooks headers are valid, with the same tolerance. */
  standard_valid: boolean;
}

export interface VectorFile {
  about: string;
  tolerance_seconds: number;
  vectors: Vector[];
}

/**
 * Secrets derived from hashes contain +, / and =, are the same in every release, and do not trigger secret scanners.
 */
const testSecret = (name: string) => `whsec_${sha256(`Ringward test vector ${name}`).toString("base64")}`;
const SECRET = testSecret("secret");
const OTHER_SECRET = testSecret("other secret");

const EVENT_ID = "evt_00000000000000000000000000";
const event = (data: object) => ({
  event_id: EVENT_ID,
  event_type: "appointment.cancelled",
  created_at: "2026-01-01T09:00:00.000Z",
  data,
});
const BODY = JSON.stringify(event(SAMPLE_DATA["appointment.cancelled"]));
const UNICODE_BODY = JSON.stringify(event({ contact_name: "Zoë Nair · ज़ोई नायर · 😀", notes: "\u2028é and e\u0301" }));
/** Parsing and serialising this gives different bytes: spaces, 1.0, escapes, a repeated key, the last line break. */
const ODD_BODY = '{ "event_id" : "evt_1",\r\n\t"amount": 1.0, "note": "caf\\u00e9 \\/", "a": 1, "a": 2 }\n';

/**
 * 2026-01-01T09:00:00Z, the time of the sample events, or soon after: the URL-safe signature must differ in characters.
 */
const SENT_AT = firstSecondWithSymbols(1_767_258_000);

function firstSecondWithSymbols(second: number): number {
  const signed = contractSignature(SECRET, String(second), Buffer.from(BODY));
  return signed.includes("+") && signed.includes("/") ? second : firstSecondWithSymbols(second + 1);
}

interface Changes {
  secret?: string;
  now?: number;
  body?: string;
  /** Null removes a header. */
  headers?: Record<string, string | null>;
}

/** A delivery of `body` as sent, and the differences as received. */
function delivery(
  body: string,
  changes: Changes = {},
  secrets: SigningSecrets | null = { current: SECRET, previous: null },
  attempts = 0,
) {
  const sent = deliveryHeaders({ eventId: EVENT_ID, unixSeconds: SENT_AT, attempts, secrets }, Buffer.from(body));
  const received = Object.entries({ ...sent, ...changes.headers }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return {
    secret: changes.secret ?? SECRET,
    now: changes.now ?? SENT_AT + 2,
    headers: Object.fromEntries(received),
    body: changes.body ?? body,
  };
}

const signature = (value: string | null) => ({ headers: { "x-webhook-signature": value } });
/** An unusual timestamp under a valid signature. */
const signedTimestamp = (timestamp: string) => ({
  headers: {
    "x-webhook-timestamp": timestamp,
    "x-webhook-signature": contractSignature(SECRET, timestamp, Buffer.from(BODY)),
    "webhook-timestamp": timestamp,
  },
});

export function makeVectors(): VectorFile {
  const right = contractSignature(SECRET, String(SENT_AT), Buffer.from(BODY));
  const base64 = right.slice("v1=".length);
  const decodedKey = Buffer.from(SECRET.slice("whsec_".length), "base64");
  const laterTimestamp = String(SENT_AT + 1);
  const rotated = { current: OTHER_SECRET, previous: SECRET };
  const both = `${SECRET} ${OTHER_SECRET}`;
  const vector = (
    name: string,
    why: string,
    received: ReturnType<typeof delivery>,
    valid: boolean,
    standardValid = valid,
  ): Vector => ({
    name,
    why,
    ...received,
    valid,
    standard_valid: standardValid,
  });

  return {
    about:
      "Each vector is a delivery as a receiver sees it. Check it with `secret` at the time `now`: `valid` is the answer for " +
      "X-Webhook-Timestamp and X-Webhook-Signature, `standard_valid` for webhook-id, webhook-timestamp and webhook-signature. " +
      "The raw body is the UTF-8 bytes of `body`. Where `secret` holds two with a space between them, either may have signed. The secrets " +
      "are for tests alone.",
    tolerance_seconds: TOLERANCE_SECONDS,
    vectors: [
      vector("valid", "As sent.", delivery(BODY), true),
      vector("unicode_body", "The bytes are UTF-8.", delivery(UNICODE_BODY), true),
      vector("empty_object", "The smallest body.", delivery("{}"), true),
      vector(
        "odd_body",
        "Valid only over the raw bytes: parsing and writing the JSON again changes them.",
        delivery(ODD_BODY),
        true,
      ),
      vector("oldest_accepted", "Exactly 300 seconds old.", delivery(BODY, { now: SENT_AT + TOLERANCE_SECONDS }), true),
      vector(
        "newest_accepted",
        "Exactly 300 seconds ahead.",
        delivery(BODY, { now: SENT_AT - TOLERANCE_SECONDS }),
        true,
      ),
      vector(
        "rotated_old_secret",
        "Within 24 hours of a rotation: the receiver still has the old secret.",
        delivery(BODY, {}, rotated),
        true,
      ),
      vector(
        "rotated_both_secrets",
        "Within 24 hours of a rotation: the receiver has both secrets.",
        delivery(BODY, { secret: both }, rotated),
        true,
      ),
      vector(
        "rotated_both_secrets_second_attempt",
        "The second attempt within 24 hours of a rotation is signed with the new secret.",
        delivery(BODY, { secret: both }, rotated, 1),
        true,
      ),
      vector(
        "rotated_new_secret",
        "Within 24 hours of a rotation: with the new secret alone, only webhook-signature holds at the first attempt.",
        delivery(BODY, { secret: OTHER_SECRET }, rotated),
        false,
        true,
      ),
      vector(
        "rotated_new_secret_second_attempt",
        "Within 24 hours of a rotation: with the new secret alone, the second attempt holds.",
        delivery(BODY, { secret: OTHER_SECRET }, rotated, 1),
        true,
      ),
      vector(
        "both_secrets_after_rotation",
        "After the 24 hours: the receiver still has both secrets.",
        delivery(BODY, { secret: both }, { current: OTHER_SECRET, previous: null }),
        true,
      ),
      vector(
        "two_wrong_secrets",
        "Two secrets, and neither signed it.",
        delivery(BODY, { secret: `${OTHER_SECRET} ${testSecret("third secret")}` }),
        false,
      ),
      vector("wrong_secret", "Signed with another secret.", delivery(BODY, { secret: OTHER_SECRET }), false),
      vector(
        "altered_body",
        "One word of the body was changed.",
        delivery(BODY, { body: BODY.replace("cancelled", "completed") }),
        false,
      ),
      vector(
        "whitespace_body",
        "The same JSON with other whitespace.",
        delivery(BODY, { body: JSON.stringify(JSON.parse(BODY), null, 2) }),
        false,
      ),
      vector("line_break_added", "One line break after the body.", delivery(BODY, { body: `${BODY}\n` }), false),
      vector(
        "altered_timestamp",
        "The timestamp was moved by a second.",
        delivery(BODY, { headers: { "x-webhook-timestamp": laterTimestamp, "webhook-timestamp": laterTimestamp } }),
        false,
      ),
      vector(
        "old_timestamp",
        "301 seconds old: perhaps a replay.",
        delivery(BODY, { now: SENT_AT + TOLERANCE_SECONDS + 1 }),
        false,
      ),
      vector("future_timestamp", "301 seconds ahead.", delivery(BODY, { now: SENT_AT - TOLERANCE_SECONDS - 1 }), false),
      vector("timestamp_no_number", "Signed, yet no time.", delivery(BODY, signedTimestamp("soon")), false),
      vector(
        "timestamp_too_big",
        "Signed, yet larger than 64 bits.",
        delivery(BODY, signedTimestamp("99999999999999999999")),
        false,
      ),
      vector("missing_prefix", "The Base64 without v1=.", delivery(BODY, signature(base64)), false, true),
      vector("other_prefix", "v2= is not v1=.", delivery(BODY, signature(`v2=${base64}`)), false, true),
      vector(
        "hex",
        "Hex instead of Base64.",
        delivery(BODY, signature(`v1=${Buffer.from(base64, "base64").toString("hex")}`)),
        false,
        true,
      ),
      vector(
        "url_safe_base64",
        "Base64 of the URL-safe kind.",
        delivery(BODY, signature(`v1=${Buffer.from(base64, "base64").toString("base64url")}`)),
        false,
        true,
      ),
      vector(
        "cut_short",
        "The first half of the right signature.",
        delivery(BODY, signature(right.slice(0, right.length / 2))),
        false,
        true,
      ),
      vector("something_added", "The right signature and more.", delivery(BODY, signature(`${right}A`)), false, true),
      vector("not_ascii", "Letters that no signature has.", delivery(BODY, signature("v1=é😀")), false, true),
      vector(
        "decoded_key",
        "Signed with the decoded part after whsec_: that is the key of webhook-signature alone.",
        delivery(BODY, signature(`v1=${hmacSha256(decodedKey, `${SENT_AT}.`, BODY).toString("base64")}`)),
        false,
        true,
      ),
      vector(
        "body_alone",
        "Signed without the timestamp.",
        delivery(BODY, signature(`v1=${hmacSha256(SECRET, BODY).toString("base64")}`)),
        false,
        true,
      ),
      vector(
        "empty_secret",
        "The receiver forgot to configure its secret, and somebody signed with an empty one.",
        delivery(BODY, { secret: "", ...signature(contractSignature("", String(SENT_AT), Buffer.from(BODY))) }),
        false,
      ),
      vector(
        "no_signature",
        "The header is missing.",
        delivery(BODY, { headers: { "x-webhook-signature": null, "webhook-signature": null } }),
        false,
      ),
      vector(
        "signing_off",
        "Signing is off for the endpoint, though the receiver expects it.",
        delivery(BODY, {}, null),
        false,
      ),
    ],
  };
}
