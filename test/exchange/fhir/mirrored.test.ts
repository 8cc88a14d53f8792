// PUT of Appointments by systems of the hospital. Every answer is validated against the profiles of R4.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Appointment, OperationOutcome } from "fhir/r4";
import { BRANCH, SERVICE } from "../../calendar/clinic.ts";
import { issueOf, type FhirAnswer, type FhirOptions } from "../../support/fhir-client.ts";
import { ASHA, createFhirHospital, type FhirHospital } from "../../support/fhir-hospital.ts";

let hospital: FhirHospital;
let system: string;
beforeAll(async () => {
  hospital = await createFhirHospital();
  system = await newSource("fhir", "HIS");
});
afterAll(() => hospital.close());

async function newSource(kind: string, name: string): Promise<string> {
  const { json } = await hospital.request("POST", "/v1/sources", { body: { name, kind } });
  return `urn:ringward:source:${String(json.data["source_id"]).replace("_", "-")}`;
}

const START = "2026-11-18T04:45:00.000Z";
const told = (changes: Partial<Appointment> | Record<string, unknown> = {}) => ({
  resourceType: "Appointment",
  status: "booked",
  start: "2026-11-18T10:15:00+05:30",
  end: "2026-11-18T10:30:00+05:30",
  comment: "Fasting",
  contained: [{ ...ASHA, id: "p" }],
  participant: [
    { actor: { reference: "#p" }, status: "accepted" },
    { actor: { reference: `Location/${BRANCH}` }, status: "accepted" },
    { actor: { reference: `HealthcareService/${SERVICE}` }, status: "accepted" },
    { actor: { reference: "Practitioner/D-17", display: "Dr. Mehta" }, status: "accepted" },
  ],
  ...changes,
});
const put = (value: string, body: unknown = told(), options: FhirOptions = {}, of = system) =>
  hospital.fhir<Appointment>("PUT", `/Appointment?identifier=${of}|${value}`, { body, ...options });
const issue = (answer: FhirAnswer<unknown>) => issueOf(answer as FhirAnswer<OperationOutcome>);
const faultOf = (answer: FhirAnswer<unknown>) =>
  (answer as FhirAnswer<OperationOutcome>).body.issue[0]?.expression?.[0];

test("an unknown appointment is created as the source's own, a known one is changed", async () => {
  const first = await put("A-1");
  expect([first.status, first.headers.get("location")]).toEqual([
    201,
    `http://localhost:8080/fhir/Appointment/${first.body.id}`,
  ]);
  expect(first.body).toMatchObject({ status: "booked", start: START, identifier: [{ system, value: "A-1" }] });
  expect(first.body.slot).toBeUndefined();
  const [row] = await hospital.appointmentRows();
  expect(row).toMatchObject({
    window_id: null,
    source: "source",
    external_id: "A-1",
    contact_name: "Asha Rao",
    contact_number: "+919810012345",
    appointment_type_id: SERVICE,
    practitioner_id: "D-17",
    practitioner_name: "Dr. Mehta",
    notes: "Fasting",
  });
  const again = await put("A-1");
  expect([again.status, again.body]).toEqual([200, first.body]);
  const cancelled = await put("A-1", told({ status: "cancelled" }));
  expect([cancelled.status, cancelled.body.id, cancelled.body.status]).toEqual([200, first.body.id, "cancelled"]);
  expect((await hospital.fhir("GET", `/Appointment/${first.body.id}`)).body).toEqual(cancelled.body);
});

test("the newest version counts, by meta.lastUpdated", async () => {
  const at = (lastUpdated: string, status: string) => told({ status, meta: { lastUpdated } });
  expect((await put("A-2", at("2026-11-15T05:00:00Z", "noshow"))).status).toBe(201);
  expect(issue(await put("A-2", at("2026-11-15T04:00:00Z", "booked")))).toBe("412 conflict PRECONDITION_FAILED");
  const newer = await put("A-2", at("2026-11-15T05:30:00Z", "entered-in-error"));
  expect([newer.status, newer.body.status]).toEqual([200, "cancelled"]);
});

test("an appointment that the source owns is not cancelled here: that is a wish; and a move is refused", async () => {
  const { body: made } = await put("A-3");
  const change = (path: string, value: unknown, op = "replace") =>
    hospital.fhir<Appointment>("PATCH", `/Appointment/${made.id}`, {
      body: [{ op, path, value }],
      headers: { "content-type": "application/json-patch+json" },
    });
  const asked = await change("/status", "cancelled");
  expect([asked.status, asked.body.status]).toEqual([200, "booked"]);
  const row = (await hospital.appointmentRows()).find(({ external_id }) => external_id === "A-3");
  expect([row?.wish, row?.wish_state]).toEqual(["cancel", "open"]);
  const window = await hospital.createWindow();
  const slot = [{ reference: `Slot/${window.calendar_id}-2026-11-16` }];
  expect(issue(await change("/slot", slot, "add"))).toBe("409 conflict CONFLICT");
  expect(issue(await change("/comment", "Late"))).toBe("409 conflict CONFLICT");
});

describe("what is refused", () => {
  test.each<[string, unknown, string]>([
    ["no time", told({ start: undefined, end: undefined }), "starts_at"],
    ["a time that is none", told({ start: "tomorrow" }), "start"],
    ["an end before the start", told({ end: "2026-11-18T09:00:00+05:30" }), "ends_at"],
    [
      "a number that cannot be dialled",
      told({ contained: [{ ...ASHA, id: "p", telecom: [{ system: "phone", value: "1" }] }] }),
      "contact_number",
    ],
    ["a proposal", told({ status: "proposed" }), "status"],
    [
      "another identifier",
      told({
        identifier: [
          { system: "x", value: "1" },
          { system: "urn:ringward:source:src-x", value: "B" },
        ],
      }),
      "identifier",
    ],
    ["another resource", { resourceType: "Patient" }, "resourceType"],
  ])("%s", async (_name, body, field) => {
    const answer = await put("A-9", body);
    expect([answer.status, faultOf(answer)]).toEqual([400, field]);
  });

  test("other kinds of sources, other organisations' sources, other searches and missing scopes", async () => {
    const api = await newSource("api", "Other");
    expect(faultOf(await put("A-1", told(), {}, api))).toBe("identifier");
    const { key } = await hospital.neighbour();
    expect(issue(await put("A-1", told(), { key }))).toBe("404 not-found NOT_FOUND");
    const search = await hospital.fhir("PUT", "/Appointment?patient=1", { body: told() });
    expect([issue(search), faultOf(search)]).toEqual(["400 invalid VALIDATION_ERROR", "identifier"]);
    const writer = await hospital.newKey(["appointments:write"]);
    expect(issue(await put("A-1", told(), { key: writer }))).toBe("403 forbidden INSUFFICIENT_SCOPE");
  });
});
