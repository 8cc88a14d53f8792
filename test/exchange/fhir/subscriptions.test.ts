// FHIR Subscriptions: made, read, deleted, and told of what changes. Every answer and every notification is validated.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Appointment, Bundle, OperationOutcome, Subscription } from "fhir/r4";
import { headersOf, type PostResult, type SafePost } from "../../../src/events/safe-post/safe-post.ts";
import { BRANCH, MONDAY, NEXT_MONDAY, on } from "../../calendar/clinic.ts";
import { answered } from "../../support/fake-post.ts";
import { issueOf, matchesIn, type FhirAnswer, type FhirOptions } from "../../support/fhir-client.ts";
import { fhirFaults } from "../../support/fhir-validator.ts";
import { createFhirHospital, type FhirHospital } from "../../support/fhir-hospital.ts";

interface Sent {
  url: string;
  headers: Record<string, string>;
  body: string;
}

const sent: Sent[] = [];
let answer: PostResult = answered(200);
const receiver: SafePost = {
  checkUrl: () => {},
  post: async (request) => {
    sent.push({ url: request.url, headers: headersOf(request), body: request.body as string });
    return answer;
  },
};

let hospital: FhirHospital;
let slot: string;
beforeAll(async () => {
  const settings = { RINGWARD_PLANS__BASE__WEBHOOK_ENDPOINTS: "200" };
  hospital = await createFhirHospital({ safePost: receiver, settings });
  slot = on(await hospital.createWindow({ max_slots: 1_000 }), MONDAY);
  await hospital.app.start();
});
afterAll(() => hospital.close());
beforeEach(() => {
  sent.length = 0;
  answer = answered(200);
});

const issue = (from: FhirAnswer<unknown>) => issueOf(from as FhirAnswer<OperationOutcome>);
const faultOf = (from: FhirAnswer<unknown>) => (from as FhirAnswer<OperationOutcome>).body.issue[0]?.expression?.[0];

const wanted = (changes: Partial<Subscription> = {}, channel: object = {}): Subscription => ({
  resourceType: "Subscription",
  status: "requested",
  reason: "Hospital information system",
  criteria: "Appointment?",
  channel: { type: "rest-hook", endpoint: "https://his.example/fhir", payload: "application/fhir+json", ...channel },
  ...changes,
});
const post = (body: unknown, options: FhirOptions = {}) =>
  hospital.fhir<Subscription>("POST", "/Subscription", { body, ...options });
const remove = (id: string | undefined, options: FhirOptions = {}) =>
  hospital.fhir("DELETE", `/Subscription/${id}`, options);

async function made(changes: Partial<Subscription> = {}, channel: object = {}): Promise<Subscription> {
  const { status, body, text } = await post(wanted(changes, channel));
  if (status !== 201) throw new Error(`Answered ${status}: ${text}`);
  return body;
}

const booked = async (changes: Record<string, unknown> = {}, at = slot) =>
  (await hospital.postAppointment(at, { contact_name: "Asha Rao", contact_number: "+919810012345", ...changes })).json
    .data["appointment_id"]! as string;
const delivered = () => hospital.clock.advance(1_000);
const statuses = () => sent.map(({ body }) => (JSON.parse(body) as Appointment).status);

describe("notifications", () => {
  test("of new and changed appointments, with the resource as it was read, in order", async () => {
    const { id } = await made({}, { header: ["Authorization: Bearer abc"] });
    const appointmentId = await booked();
    const read = await hospital.fhir<Appointment>("GET", `/Appointment/${appointmentId.replace("_", "-")}`);
    await hospital.patchAppointment(appointmentId, { status: "no_show" });
    await delivered();
    expect(statuses()).toEqual(["booked", "noshow"]);
    const [first] = sent;
    expect(JSON.parse(first?.body ?? "")).toEqual(read.body);
    expect(first?.headers).toMatchObject({
      authorization: "Bearer abc",
      "content-type": "application/fhir+json; charset=utf-8",
      "x-webhook-id": expect.stringMatching(/^evt_/),
    });
    expect(first?.url).toBe("https://his.example/fhir");
    for (const { body } of sent) expect(fhirFaults(JSON.parse(body))).toEqual([]);
    await remove(id);
    await booked();
    await delivered();
    expect(sent).toHaveLength(2);
  });

  test("without a payload nothing but the notification", async () => {
    const { id } = await made({}, { payload: undefined });
    await booked();
    await delivered();
    expect(sent.map(({ body, headers }) => [body, headers["content-type"]])).toEqual([["", undefined]]);
    await remove(id);
  });

  test.each<[string, string[]]>([
    ["Appointment", ["booked", "cancelled"]],
    ["Appointment?status=cancelled", ["cancelled"]],
    ["Appointment?status=booked,noshow", ["booked"]],
    [`Appointment?location=Location/${BRANCH}&status=booked`, ["booked"]],
    [`Appointment?actor=Location/${BRANCH.replace("0b", "0c")}`, []],
    [`Appointment?date=ge${MONDAY}&date=lt${NEXT_MONDAY}`, ["booked", "cancelled"]],
    [`Appointment?date=ge${NEXT_MONDAY}`, []],
    ["Appointment?service-type=urn:ringward:service|x", []],
  ])("%s", async (criteria, expected) => {
    const { id } = await made({ criteria });
    await hospital.patchAppointment(await booked(), { status: "cancelled" });
    await delivered();
    expect(statuses()).toEqual(expected as Appointment["status"][]);
    await remove(id);
  });

  test("are tried again, can be replayed, and stop when the receiver is gone", async () => {
    const { id = "" } = await made();
    const endpoint = id.replace("-", "_");
    answer = answered(500);
    await booked();
    await delivered();
    expect(sent).toHaveLength(1);
    answer = answered(200);
    await hospital.clock.advance(10 * 60_000);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    const { json } = await hospital.request("GET", `/v1/webhook-deliveries?endpoint_id=${endpoint}`);
    const [delivery] = json.data as unknown as { delivery_id: string; state: string }[];
    expect(delivery?.state).toBe("delivered");
    const replay = await hospital.request("POST", `/v1/webhook-deliveries/${delivery?.delivery_id}/replay`);
    expect(replay.status).toBeLessThan(300);
    await delivered();
    expect(sent).toHaveLength(3);
    await hospital.app.services.endpoints.disable(hospital.organisationId, endpoint, { kind: "cli", id: null });
    const { body } = await hospital.fhir<Subscription>("GET", `/Subscription/${id}`);
    expect([body.status, body.error]).toEqual(["error", "Switched off by hand."]);
    await remove(id);
  });

  test("of what the hospital's own systems change", async () => {
    const { id } = await made();
    const { json } = await hospital.request("POST", "/v1/sources", { body: { name: "HIS", kind: "api" } });
    const path = `/v1/sources/${String(json.data["source_id"])}/appointments`;
    const body = { external_id: "A-1", starts_at: "2026-11-18T10:15:00+05:30", branch_id: BRANCH };
    await hospital.request("PUT", path, { body });
    await hospital.request("PUT", path, { body: { ...body, status: "cancelled" } });
    await delivered();
    expect(statuses()).toEqual(["booked", "cancelled"]);
    await remove(id);
  });

  test("end with Subscription.end", async () => {
    const { id } = await made({ end: new Date(hospital.clock.now() + 60_000).toISOString() });
    await booked();
    await hospital.clock.advance(60_000);
    await booked();
    await delivered();
    expect(sent).toHaveLength(1);
    expect((await hospital.fhir<Subscription>("GET", `/Subscription/${id}`)).body.status).toBe("off");
    await remove(id);
  });

  test("a webhook is told nothing of them, and a Subscription nothing of other events", async () => {
    const hook = { url: "https://hook.example/", event_types: ["slot.updated"] };
    await hospital.request("POST", "/v1/webhook-endpoints", { body: hook });
    const { id } = await made();
    await booked();
    await delivered();
    const told = Object.fromEntries(
      sent.map(({ url, body }) => [url, (JSON.parse(body) as { resourceType?: string }).resourceType]),
    );
    expect(told).toEqual({ "https://his.example/fhir": "Appointment", "https://hook.example/": undefined });
    await remove(id);
  });

  test("what was sent about an erased person is erased", async () => {
    const { id } = await made();
    await booked({ contact_number: "+919810099999", contact_name: "Erased Person" });
    await delivered();
    const { erasure } = hospital.app.services;
    await erasure.eraseContact(hospital.organisationId, "+919810099999", { kind: "cli", id: null });
    const events = await hospital.db.reader.selectFrom("events").select("data").execute();
    expect(events.filter(({ data }) => data.includes("Erased Person"))).toEqual([]);
    await remove(id);
  });
});

describe("making one", () => {
  test("answers it without its headers, and it is found", async () => {
    const { id, ...resource } = await made(
      { criteria: "Appointment?status=booked" },
      { header: ["X-Key: hunter2hunter2"] },
    );
    expect(resource).toEqual({
      resourceType: "Subscription",
      meta: expect.anything(),
      status: "active",
      reason: "Hospital information system",
      criteria: "Appointment?status=booked",
      channel: { type: "rest-hook", endpoint: "https://his.example/fhir", payload: "application/fhir+json" },
    } as never);
    const read = await hospital.fhir<Subscription>("GET", `/Subscription/${id}`);
    expect(read.body).toEqual({ id, ...resource } as Subscription);
    const found = await hospital.fhir<Bundle>("GET", "/Subscription?status=active&criteria=Appointment");
    expect(matchesIn<Subscription>(found.body).map((each) => each.id)).toEqual([id]);
    const stored = await hospital.db.reader.selectFrom("webhook_endpoints").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain("hunter2");
    expect((await remove(id)).status).toBe(204);
    expect(issue(await remove(id))).toBe("404 not-found NOT_FOUND");
  });

  test.each<[string, unknown, string]>([
    ["another resource", { resourceType: "Patient" }, "resourceType"],
    ["off", wanted({ status: "off" }), "status"],
    ["no reason", wanted({ reason: " " }), "reason"],
    ["no criteria", { ...wanted(), criteria: undefined }, "criteria"],
    ["another type", wanted({ criteria: "Patient?" }), "criteria"],
    ["an unknown parameter", wanted({ criteria: "Appointment?doctor=1" }), "doctor"],
    ["a result parameter", wanted({ criteria: "Appointment?_include=Appointment:slot" }), "criteria"],
    ["a past end", wanted({ end: "2020-01-01T00:00:00Z" }), "end"],
    ["an end that is no time", wanted({ end: "soon" }), "end"],
    ["another channel", wanted({}, { type: "websocket" }), "channel.type"],
    ["no endpoint", wanted({}, { endpoint: undefined }), "channel.endpoint"],
    ["XML", wanted({}, { payload: "application/fhir+xml" }), "channel.payload"],
    ["a header of ours", wanted({}, { header: ["Host: elsewhere"] }), "channel.header"],
    ["a header that breaks the line", wanted({}, { header: ["X: a\r\nHost: b"] }), "channel.header"],
    ["a header without a colon", wanted({}, { header: ["Bearer abc"] }), "channel.header"],
    ["a modifier", { ...wanted(), modifierExtension: [] }, "modifierExtension"],
  ])("%s is refused", async (_name, body, field) => {
    const refused = await post(body);
    expect([refused.status, faultOf(refused)]).toEqual([400, field]);
  });

  test("needs both scopes, and stays within the organisation", async () => {
    const writer = await hospital.newKey(["endpoints:write", "endpoints:read"]);
    expect(issue(await post(wanted(), { key: writer }))).toBe("403 forbidden INSUFFICIENT_SCOPE");
    const reader = await hospital.newKey(["endpoints:read", "appointments:read"]);
    expect(issue(await post(wanted(), { key: reader }))).toBe("403 forbidden INSUFFICIENT_SCOPE");
    const { id } = await made();
    const { key } = await hospital.neighbour();
    expect(issue(await hospital.fhir("GET", `/Subscription/${id}`, { key }))).toBe("404 not-found NOT_FOUND");
    expect(issue(await remove(id, { key }))).toBe("404 not-found NOT_FOUND");
    await remove(id);
  });

  test("an endpoint is not changed into something else at /v1, and a webhook is no Subscription", async () => {
    const { id = "" } = await made();
    const path = `/v1/webhook-endpoints/${id.replace("-", "_")}`;
    expect((await hospital.request("GET", path)).json.data["fhir_criteria"] as unknown).toBe("Appointment?");
    expect((await hospital.request("PATCH", path, { body: { url: "https://x.example/" } })).status).toBe(409);
    expect((await hospital.request("POST", `${path}/test`)).status).toBe(409);
    expect((await hospital.request("DELETE", path)).status).toBe(200);
    expect(issue(await hospital.fhir("GET", `/Subscription/${id}`))).toBe("404 not-found NOT_FOUND");
    const hook = { url: "https://hook2.example/", event_types: ["slot.updated"] };
    const webhook = await hospital.request("POST", "/v1/webhook-endpoints", { body: hook });
    const webhookId = String(webhook.json.data["endpoint_id"]).replace("_", "-");
    expect(issue(await remove(webhookId))).toBe("404 not-found NOT_FOUND");
  });

  test("the same Idempotency-Key makes one", async () => {
    const headers = { "idempotency-key": "subscription-1" };
    const [first, second] = [await post(wanted(), { headers }), await post(wanted(), { headers })];
    expect([second.status, second.body]).toEqual([201, first.body]);
    await remove(first.body.id);
  });
});
