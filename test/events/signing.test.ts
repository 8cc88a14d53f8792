import { describe, expect, test } from "bun:test";
import { createIds } from "../../src/core/ids.ts";
import {
  contractSignature,
  deliveryHeaders,
  newSigningSecret,
  standardSignature,
  type SigningSecrets,
} from "../../src/events/signing.ts";
import { createManualClock } from "../support/manual-clock.ts";

const EVENT_ID = "evt_00000000000000000000000000";
const BODY = Buffer.from('{"name":"Zoë"}');

describe("a new signing secret", () => {
  const ids = createIds(createManualClock());

  test("is whsec_ and the Base64 of 32 bytes, as the Standard Webhooks libraries require", () => {
    for (let count = 0; count < 50; count++) {
      const [, encoded] = /^whsec_([A-Za-z0-9+/]{43}=)$/.exec(newSigningSecret(ids)) ?? [];
      expect(Buffer.from(encoded!, "base64")).toHaveLength(32);
    }
  });

  test("is different each time", () => {
    expect(new Set(Array.from({ length: 50 }, () => newSigningSecret(ids))).size).toBe(50);
  });
});

// Both computed with: printf '…' | openssl dgst -sha256 -mac HMAC -macopt key:… (or hexkey:…) -binary | base64
describe("the signature", () => {
  const secret = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;

  test("of the contract is keyed with the whole secret and covers timestamp and body", () => {
    expect(contractSignature(secret, "1767258000", BODY)).toBe("v1=RvnEcYEgvKOWv3m+B+1OVOlZPYypUC+NLJT+X+ySPNk=");
  });

  test("of Standard Webhooks is keyed with the decoded secret and covers the id too", () => {
    expect(standardSignature(secret, EVENT_ID, "1767258000", BODY)).toBe(
      "v1,rK4rWB64YXTwImPUsKmnx+xrPilaQyH7eBgt3aiwpUQ=",
    );
  });

  test("covers bytes that are not UTF-8", () => {
    const one = contractSignature(secret, "1", new Uint8Array([0xff]));
    expect(one).not.toBe(contractSignature(secret, "1", new Uint8Array([0xfe])));
  });
});

describe("the headers of a delivery", () => {
  const signed = (secrets: SigningSecrets | null, attempts = 0) =>
    deliveryHeaders({ eventId: EVENT_ID, unixSeconds: 1_767_258_000, attempts, secrets }, BODY);
  const ALWAYS = { "content-type": "application/json", "user-agent": "Ringward-Webhooks/1", "x-webhook-id": EVENT_ID };

  test("have both kinds of signature", () => {
    expect(signed({ current: "whsec_bmV3", previous: null })).toEqual({
      ...ALWAYS,
      "x-webhook-timestamp": "1767258000",
      "x-webhook-signature": contractSignature("whsec_bmV3", "1767258000", BODY),
      "webhook-id": EVENT_ID,
      "webhook-timestamp": "1767258000",
      "webhook-signature": standardSignature("whsec_bmV3", EVENT_ID, "1767258000", BODY),
    });
  });

  test("stay valid for the previous secret after a rotation; every other attempt is for the new one", () => {
    const rotated = { current: "whsec_bmV3", previous: "whsec_b2xk" };
    const signers = [0, 1, 2, 3, 4].map((attempts) => signed(rotated, attempts)["x-webhook-signature"]);
    const [old, fresh] = ["whsec_b2xk", "whsec_bmV3"].map((secret) => contractSignature(secret, "1767258000", BODY));
    expect(signers).toEqual([old, fresh, old, fresh, old]);
  });

  test("have the Standard Webhooks signatures of both after a rotation, the new secret's first", () => {
    const headers = signed({ current: "whsec_bmV3", previous: "whsec_b2xk" });
    expect(headers["webhook-signature"]).toBe(
      ["whsec_bmV3", "whsec_b2xk"].map((secret) => standardSignature(secret, EVENT_ID, "1767258000", BODY)).join(" "),
    );
  });

  test("have neither timestamp nor signature while signing is off", () => {
    expect(signed(null)).toEqual(ALWAYS);
  });
});
