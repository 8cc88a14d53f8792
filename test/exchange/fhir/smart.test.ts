// SMART backend services: registered, discovered, given tokens for signed assertions, and no more than they may.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Bundle, OperationOutcome } from "fhir/r4";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { issueOf, type FhirAnswer } from "../../support/fhir-client.ts";
import { ASHA, createFhirHospital, type FhirHospital } from "../../support/fhir-hospital.ts";

const TOKEN_URL = "http://localhost:8080/fhir/token";
const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const pair = await generateKeyPair("ES384", { extractable: true });
const jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: "k1" }] };

let hospital: FhirHospital;
let clientId: string;
beforeAll(async () => {
  hospital = await createFhirHospital({ logged: true });
  clientId = await registered();
});
afterAll(() => hospital.close());

const register = (changes: object = {}, key?: string) =>
  hospital.request("POST", "/v1/smart-clients", {
    body: { name: "HIS", scopes: ["appointments:read", "appointments:write"], jwks, ...changes },
    ...(key !== undefined && { key }),
  });

async function registered(changes: object = {}): Promise<string> {
  const { status, json, text } = await register(changes);
  if (status !== 201) throw new Error(`Answered ${status}: ${text}`);
  return json.data["key_id"]!;
}

let jtis = 0;
const assertionOf = (client = clientId, change: object = {}, key = pair.privateKey) =>
  new SignJWT({
    iss: client,
    sub: client,
    aud: TOKEN_URL,
    jti: `jti-${jtis++}`,
    exp: hospital.clock.now() / 1_000 + 300,
    ...change,
  })
    .setProtectedHeader({ alg: "ES384", kid: "k1", typ: "JWT" })
    .sign(key);

interface TokenAnswer {
  status: number;
  headers: Headers;
  body: { access_token?: string; scope?: string; expires_in?: number; token_type?: string; error?: string };
}

async function ask(
  form: Record<string, string> | string,
  type = "application/x-www-form-urlencoded",
): Promise<TokenAnswer> {
  const body = typeof form === "string" ? form : new URLSearchParams(form).toString();
  const request = new Request("http://localhost/fhir/token", {
    method: "POST",
    headers: { "content-type": type },
    body,
  });
  const { status, headers, ...response } = { ...(await responseOf(request)) };
  return { status, headers, body: response.body };
}

async function responseOf(request: Request) {
  const response = await hospital.app.handle(request);
  return { status: response.status, headers: response.headers, body: (await response.json()) as TokenAnswer["body"] };
}

const formOf = async (change: Record<string, string> = {}, client = clientId) => ({
  grant_type: "client_credentials",
  client_assertion_type: TYPE,
  client_assertion: await assertionOf(client),
  scope: "system/Appointment.cruds",
  ...change,
});

async function tokenOf(change: Record<string, string> = {}, client = clientId): Promise<string> {
  const { status, body } = await ask(await formOf(change, client));
  if (status !== 200 || !body.access_token) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body.access_token;
}

const issue = (answer: FhirAnswer<unknown>) => issueOf(answer as FhirAnswer<OperationOutcome>);
const search = (key: string, type = "Appointment") => hospital.fhir<Bundle>("GET", `/${type}`, { key });

describe("registration", () => {
  test("answers the client without a key, and lists it with the keys", async () => {
    const { json, text } = await register({ name: "Other HIS" });
    const { key_id: id } = json.data;
    expect(json.data).toMatchObject({
      name: "Other HIS",
      status: "active",
      jwks: { keys: [{ kid: "k1", kty: "EC" }] },
    });
    expect(text).not.toContain("rw_live_");
    const listed = await hospital.request("GET", `/v1/api-keys/${id}`);
    expect(listed.json.data as unknown).toEqual(json.data);
  });

  test("a client gets no more scopes than the key that registers it, and its keys are checked", async () => {
    const key = await hospital.newKey(["keys:write", "appointments:read"]);
    expect((await register({}, key)).json.error.code).toBe("INSUFFICIENT_SCOPE");
    expect((await register({ jwks: { keys: [] } })).status).toBe(400);
    const secret = { ...(await exportJWK(pair.privateKey)), kid: "k1" };
    const weak = await register({ jwks: { keys: [{ ...jwks.keys[0], x: "AA" }] } });
    expect(weak.json.error.details?.[0]?.field).toBe("jwks");
    // A private part is never stored.
    const { json } = await register({ jwks: { keys: [secret] } });
    expect(JSON.stringify(json)).not.toContain(String(secret.d));
  });
});

test("discovery", async () => {
  const response = await hospital.app.handle(new Request("http://localhost/fhir/.well-known/smart-configuration"));
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(await response.json()).toMatchObject({
    token_endpoint: TOKEN_URL,
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["RS384", "ES384"],
    scopes_supported: expect.arrayContaining(["system/Appointment.rs", "system/Appointment.cud", "system/Slot.rs"]),
    capabilities: expect.arrayContaining(["client-confidential-asymmetric"]),
  });
});

describe("a token", () => {
  test("is given for five minutes, works as a bearer token, and expires", async () => {
    const answer = await ask(await formOf());
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const { access_token: token = "", ...rest } = answer.body;
    expect(rest).toEqual({
      token_type: "bearer",
      expires_in: 300,
      scope: "system/Appointment.rs system/Appointment.cud",
    });
    expect((await search(token)).status).toBe(200);
    await hospital.clock.advance(299_000);
    expect((await search(token)).status).toBe(200);
    await hospital.clock.advance(1_000);
    expect(issue(await search(token))).toBe("401 login UNAUTHORIZED");
  });

  test("books, and the audit trail names the client", async () => {
    await hospital.createWindow();
    const key = await tokenOf();
    const [proposal] = await hospital.find();
    expect((await hospital.book(proposal!, { key, patient: ASHA })).status).toBe(200);
    const entries = await hospital.db.reader
      .selectFrom("audit_entries")
      .selectAll()
      .where("actor_id", "=", clientId)
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["access_token.issued", "appointment.created"]),
    );
  });

  test("has only the scopes that were asked for", async () => {
    const reading = await ask(await formOf({ scope: "system/Appointment.rs system/Patient.rs launch" }));
    expect(reading.body.scope).toBe("system/Appointment.rs");
    const token = reading.body.access_token ?? "";
    const [proposal] = await hospital.find();
    expect(issue(await hospital.hold(proposal!, { key: token }))).toBe("403 forbidden INSUFFICIENT_SCOPE");
    expect(issue(await search(token, "Patient"))).toBe("403 forbidden INSUFFICIENT_SCOPE");
    expect((await ask(await formOf({ scope: "system/Patient.rs" }))).body.error).toBe("invalid_scope");
    expect((await ask(await formOf({ scope: "" }))).body.error).toBe("invalid_scope");
  });

  test("ends with its client", async () => {
    const own = await registered();
    const token = await tokenOf({}, own);
    expect((await search(token)).status).toBe(200);
    expect((await hospital.request("DELETE", `/v1/api-keys/${own}`)).status).toBe(200);
    expect(issue(await search(token))).toBe("401 login UNAUTHORIZED");
    expect((await ask(await formOf({}, own))).body.error).toBe("invalid_client");
  });

  test("is no API key at /v1, and nothing in the database opens it", async () => {
    const token = await tokenOf();
    expect((await hospital.request("GET", "/v1/appointments", { key: token })).status).toBe(401);
    expect(issue(await search(`${token.slice(0, -1)}x`))).toBe("401 login UNAUTHORIZED");
    expect(hospital.logLines.join()).not.toContain(token);
  });

  test("of another organisation sees nothing of this one", async () => {
    const { key } = await hospital.neighbour();
    const other = (await register({}, key)).json.data["key_id"]!;
    const found = await search(await tokenOf({}, other));
    expect([found.status, found.body.entry]).toEqual([200, undefined]);
  });
});

describe("what is refused", () => {
  test("an assertion that was used before, even twenty times at once", async () => {
    const form = await formOf();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(form)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(19).fill(401),
    ]);
    // The same jti in another assertion.
    const again = { ...form, client_assertion: await assertionOf(clientId, { jti: "jti-same" }) };
    const other = {
      ...form,
      client_assertion: await assertionOf(clientId, { jti: "jti-same", exp: hospital.clock.now() / 1_000 + 200 }),
    };
    expect([(await ask(again)).status, (await ask(other)).status]).toEqual([200, 401]);
  });

  test.each<[string, () => Promise<Record<string, string>>, string]>([
    ["another grant", () => formOf({ grant_type: "authorization_code" }), "400 unsupported_grant_type"],
    ["no assertion", () => formOf({ client_assertion: "" }), "400 invalid_request"],
    ["another type of assertion", () => formOf({ client_assertion_type: "x" }), "400 invalid_request"],
    ["no JWT", () => formOf({ client_assertion: "nonsense" }), "401 invalid_client"],
    ["another client_id", () => formOf({ client_id: "key_other" }), "401 invalid_client"],
    [
      "an unknown client",
      async () => formOf({ client_assertion: await assertionOf("key_nobody") }),
      "401 invalid_client",
    ],
    [
      "the client_id of an API key",
      async () => {
        const id = `key_${hospital.key.split("_")[2]}`;
        return formOf({ client_assertion: await assertionOf(id) });
      },
      "401 invalid_client",
    ],
    [
      "another server",
      async () => formOf({ client_assertion: await assertionOf(clientId, { aud: "https://other.example/token" }) }),
      "401 invalid_client",
    ],
    [
      "another key",
      async () => {
        const other = await generateKeyPair("ES384");
        return formOf({ client_assertion: await assertionOf(clientId, {}, other.privateKey) });
      },
      "401 invalid_client",
    ],
  ])("%s", async (_name, form, refusal) => {
    const { status, body, headers } = await ask(await form());
    expect([`${status} ${body.error}`, headers.get("cache-control")]).toEqual([refusal, "no-store"]);
  });

  test("JSON, a form with a field twice, and one that is too large", async () => {
    expect((await ask("{}", "application/json")).body.error).toBe("invalid_request");
    expect((await ask("grant_type=a&grant_type=b")).body.error).toBe("invalid_request");
    expect((await ask(`scope=${"x".repeat(20_000)}`)).status).toBe(413);
  });

  test("one address that asks sixty times a minute", async () => {
    await hospital.clock.advance(60_000);
    const statuses = [];
    for (let i = 0; i < 61; i++) statuses.push((await ask("")).status);
    expect(statuses.indexOf(429)).toBe(60);
  });
});
