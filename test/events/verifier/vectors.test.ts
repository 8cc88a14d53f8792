// The vectors, compared with two independent implementations: OpenSSL's HMAC and the Standard Webhooks library.
import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { makeVectors, type Vector } from "../../../src/events/verifier/vectors.ts";

const { vectors } = makeVectors();
const validOnes = vectors.filter(({ valid }) => valid);

afterEach(() => void setSystemTime());

test("the vectors are the same every time and have unique names", () => {
  expect(makeVectors()).toEqual(makeVectors());
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  expect(validOnes.length).toBeGreaterThan(5);
  expect(vectors.length - validOnes.length).toBeGreaterThan(15);
});

test("they survive JSON, so the served vectors are the signed ones", () => {
  expect(JSON.parse(JSON.stringify(makeVectors()))).toEqual(makeVectors());
});

describe("OpenSSL produces our signature for", () => {
  function opensslSignature(secret: string, { headers, body }: Vector): string {
    const command = ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", `key:${secret}`, "-binary"];
    const run = Bun.spawnSync(command, { stdin: Buffer.from(`${headers["x-webhook-timestamp"]}.${body}`) });
    if (!run.success) throw new Error(run.stderr.toString());
    return `v1=${run.stdout.toString("base64")}`;
  }

  test.each(validOnes.map((vector) => [vector.name, vector] as const))("%s", (_, vector) => {
    const signatures = vector.secret.split(" ").map((secret) => opensslSignature(secret, vector));
    expect(signatures).toContain(vector.headers["x-webhook-signature"]!);
  });
});

describe("the Standard Webhooks library agrees with standard_valid of", () => {
  function libraryAccepts({ secret, now, headers, body }: Vector): boolean {
    // The library reads the clock itself.
    setSystemTime(now * 1000);
    return secret.split(" ").some((each) => {
      try {
        new Webhook(each).verify(body, headers);
        return true;
      } catch {
        return false;
      }
    });
  }

  test.each(vectors.map((vector) => [vector.name, vector] as const))("%s", (_, vector) => {
    expect(libraryAccepts(vector)).toBe(vector.standard_valid);
  });
});

test("after a rotation webhook-signature has two signatures, X-Webhook-Signature one", () => {
  const rotated = vectors.filter(({ name }) => name.startsWith("rotated_"));
  expect(rotated.map(({ name, valid, standard_valid }) => [name, valid, standard_valid])).toEqual([
    ["rotated_old_secret", true, true],
    ["rotated_both_secrets", true, true],
    ["rotated_both_secrets_second_attempt", true, true],
    ["rotated_new_secret", false, true],
    ["rotated_new_secret_second_attempt", true, true],
  ]);
  for (const { headers } of rotated) {
    expect(headers["webhook-signature"]).toMatch(/^v1,\S{44} v1,\S{44}$/);
    expect(headers["x-webhook-signature"]).toMatch(/^v1=\S{44}$/);
  }
});
