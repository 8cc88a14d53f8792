// Booking over FHIR on the compiled binary: forty clients for twenty places over HTTP, a SMART backend service with its
// own key pair, and a Subscription that tells a real HTTPS receiver.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "fhir-kit-client";
import type { Appointment, Bundle, OperationOutcome, Parameters, Subscription } from "fhir/r4";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { commandJson, startQuick } from "../support/calls.ts";
import { createFhirClient, issueOf, matchesIn, type FhirAnswer, type SendFhir } from "../support/fhir-client.ts";
import { fhirFaults } from "../support/fhir-validator.ts";
import { closeReceivers, startReceiver, type Receiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
closeReceivers();
setDefaultTimeout(120_000);

const [CLIENTS, PLACES] = [40, 20];
const DAY_MS = 86_400_000;
const BRANCH = randomUUID();
const ENV = {
  RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited",
  RINGWARD_PLANS__BASE__API_KEYS: "unlimited",
};

let receiver: Receiver;
let server: Running;
let key: string;
let base: string;
let fhir: SendFhir;
/** YYYY-MM-DD, a week ahead. */
const DATE = new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 10);
const WEEKDAY = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" })
  .format(new Date(DATE))
  .toLowerCase();
beforeAll(async () => {
  receiver = startReceiver();
  server = await startQuick({ ...receiver.env, ...ENV });
  key = server.demo["api_key"] ?? "";
  base = `${server.demo["base_url"]}/fhir`;
  fhir = createFhirClient((request) => fetch(request), key, base);
});
afterAll(() => server.stop());

const newKey = async (): Promise<string> => {
  const body = { name: "FHIR client", scopes: ["appointments:read", "appointments:write"] };
  return String((await ask(server, "POST", "/v1/api-keys", { body })).data["key"]);
};
const newWindow = (max_slots: number, session = "Morning") =>
  ask(server, "POST", "/v1/appointment-slots", {
    body: { branch_id: BRANCH, day: WEEKDAY, session, ai_slots: 0, max_slots },
  });

const operate = (name: string, parameter: NonNullable<Parameters["parameter"]>, asKey: string) =>
  fhir<Bundle & OperationOutcome>("POST", `/Appointment/$${name}`, {
    key: asKey,
    body: { resourceType: "Parameters", parameter },
  });
const reference = ({ id }: Appointment) => ({
  name: "appointment-reference",
  valueReference: { reference: `Appointment/${id}` },
});
const patient = (i: number) => ({
  name: "patient-resource",
  resource: {
    resourceType: "Patient" as const,
    name: [{ text: `Patient ${i}` }],
    telecom: [{ system: "phone" as const, value: `+9198100${String(10_000 + i)}` }],
  },
});

async function find(asKey: string): Promise<Appointment | undefined> {
  const query = `start=${DATE}&end=${DATE}&location-reference=Location/${BRANCH}`;
  const { body } = await fhir<Bundle>("GET", `/Appointment/$find?${query}`, { key: asKey });
  return matchesIn<Appointment>(body)[0];
}

async function client(asKey: string, i: number): Promise<string> {
  const proposal = await find(asKey);
  if (!proposal) return "nothing found";
  const held = await operate("hold", [reference(proposal)], asKey);
  const [pending] = held.status === 200 ? matchesIn<Appointment>(held.body) : [];
  if (!pending) return `hold ${issueOf(held)}`;
  const booked = await operate("book", [reference(pending), patient(i)], asKey);
  return booked.status === 200 ? (matchesIn<Appointment>(booked.body)[0]?.status ?? "") : `book ${issueOf(booked)}`;
}

async function allBooked(): Promise<Appointment[]> {
  const { body } = await fhir<Bundle>("GET", `/Appointment?status=booked&location=Location/${BRANCH}&_count=100`);
  return matchesIn<Appointment>(body);
}

test("a SMART backend service is registered on the appliance with a file of its public keys", async () => {
  const { publicKey } = await generateKeyPair("ES384", { extractable: true });
  const file = join(tempFolder(), "jwks.json");
  writeFileSync(file, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "his" }] }));
  const args = ["keys", "create", "--name", "HIS", "--scopes", "appointments:read", "--jwks-file", file];
  const made = await commandJson<object>(server, ...args);
  expect(made).toMatchObject({ status: "active", jwks: { keys: [{ kid: "his", kty: "EC", crv: "P-384" }] } });
  expect(made).not.toHaveProperty("key");
});

test("forty clients find, hold and book at once: twenty of them get a place of their own", async () => {
  await newWindow(PLACES);
  const keys = await Promise.all(Array.from({ length: CLIENTS }, newKey));
  const outcomes = await Promise.all(keys.map(client));
  const booked = outcomes.filter((outcome) => outcome === "booked");
  const refused = outcomes.filter((outcome) => outcome !== "booked");
  expect(booked).toHaveLength(PLACES);
  for (const outcome of refused) expect(["nothing found", "hold 409 not-found SLOT_FULL"]).toContain(outcome);
  const people = (await allBooked()).map(({ participant }) => participant[0]?.actor?.display);
  expect([people.length, new Set(people).size]).toEqual([PLACES, PLACES]);
  expect(await find(key)).toBeUndefined();
});

test("a SMART backend service signs for a token, books, and is told of the change by its Subscription", async () => {
  await newWindow(5, "Evening");
  const pair = await generateKeyPair("RS384", { extractable: true });
  const { data: registered } = await ask(server, "POST", "/v1/smart-clients", {
    body: {
      name: "HIS",
      scopes: ["appointments:read", "appointments:write", "endpoints:read", "endpoints:write"],
      jwks: { keys: [{ ...(await exportJWK(pair.publicKey)), kid: "his" }] },
    },
  });
  const discovered = (await (await fetch(`${base}/.well-known/smart-configuration`)).json()) as {
    token_endpoint: string;
  };
  const clientId = String(registered["key_id"]);
  const assertion = await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: "RS384", kid: "his", typ: "JWT" })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(discovered.token_endpoint)
    .setExpirationTime("4 minutes")
    .sign(pair.privateKey);
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
    scope: "system/Appointment.cruds system/Subscription.cruds",
  });
  const given = await fetch(discovered.token_endpoint, { method: "POST", body: form });
  const { access_token: token } = (await given.json()) as { access_token: string };
  expect(given.status).toBe(200);
  expect((await fetch(discovered.token_endpoint, { method: "POST", body: form })).status).toBe(401);

  const subscription: Subscription = {
    resourceType: "Subscription",
    status: "requested",
    reason: "HIS",
    criteria: `Appointment?location=Location/${BRANCH}`,
    channel: {
      type: "rest-hook",
      endpoint: receiver.url,
      payload: "application/fhir+json",
      header: ["Authorization: Bearer told"],
    },
  };
  const made = await fhir<Subscription>("POST", "/Subscription", { key: token, body: subscription });
  expect([made.status, made.body.status]).toEqual([201, "active"]);

  const proposal = await find(token);
  const booked = await operate("book", [reference(proposal!), patient(999)], token);
  const [appointment] = matchesIn<Appointment>(booked.body);
  const changed = await fhir<Appointment>("PATCH", `/Appointment/${appointment?.id}`, {
    key: token,
    body: [{ op: "replace", path: "/status", value: "cancelled" }],
    headers: { "content-type": "application/json-patch+json", "if-match": `W/"${appointment?.meta?.versionId}"` },
  });
  expect([changed.status, changed.body.status]).toEqual([200, "cancelled"]);
  const told = () => receiver.received.map(({ body }) => JSON.parse(body.toString("utf8")) as Appointment);
  await until(() => told().length >= 2, { withinMs: 30_000, what: () => `${told().length} of 2 notifications came` });
  expect(told()).toEqual([appointment!, changed.body]);
  for (const each of told()) expect(fhirFaults(each)).toEqual([]);
  for (const { headers } of receiver.received) expect(headers["authorization"]).toBe("Bearer told");
  const stale = await fhir("PATCH", `/Appointment/${appointment?.id}`, {
    key: token,
    body: [{ op: "add", path: "/comment", value: "late" }],
    headers: { "content-type": "application/json-patch+json", "if-match": `W/"${appointment?.meta?.versionId}"` },
  });
  expect(issueOf(stale as FhirAnswer<OperationOutcome>)).toBe("412 conflict PRECONDITION_FAILED");
});

test("fhir-kit-client finds, holds, books, changes and creates", async () => {
  await newWindow(5, "Afternoon");
  const kit = new Client({ baseUrl: base, bearerToken: key });
  const operation = (name: string, parameter: object[]) =>
    kit.operation({
      resourceType: "Appointment",
      name: `$${name}`,
      method: "POST",
      input: { resourceType: "Parameters", parameter },
    }) as Promise<unknown> as Promise<Bundle>;
  const period = [
    { name: "start", valueDate: DATE },
    { name: "end", valueDate: DATE },
    { name: "location-reference", valueReference: { reference: `Location/${BRANCH}` } },
  ];
  const [proposal] = matchesIn<Appointment>(await operation("find", period));
  const [held] = matchesIn<Appointment>(await operation("hold", [reference(proposal!)]));
  const [booked] = matchesIn<Appointment>(await operation("book", [reference(held!), patient(7)]));
  expect([proposal?.status, held?.status, booked?.status]).toEqual(["proposed", "pending", "booked"]);
  const changed = await kit.patch({
    resourceType: "Appointment",
    id: booked?.id ?? "",
    jsonPatch: [{ op: "replace", path: "/status", value: "noshow" }],
  });
  expect(changed).toMatchObject({ resourceType: "Appointment", id: booked?.id, status: "noshow" });
  const created = await kit.create({
    resourceType: "Appointment",
    body: {
      resourceType: "Appointment",
      status: "booked",
      slot: proposal?.slot,
      contained: [{ ...patient(8).resource, id: "p" }],
      participant: [{ actor: { reference: "#p" }, status: "accepted" }],
    },
  });
  expect(created).toMatchObject({ resourceType: "Appointment", status: "booked", slot: proposal?.slot });
});
