// Bodies of writes with one or two members replaced by anything: they are refused or understood, and never break.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { BRANCH, MONDAY, SERVICE } from "../../calendar/clinic.ts";
import { ASHA, createFhirHospital, ON_MONDAY, type FhirHospital } from "../../support/fhir-hospital.ts";

setDefaultTimeout(120_000);

let hospital: FhirHospital;
let system: string;
let slot: string;
let appointmentId: string;
beforeAll(async () => {
  hospital = await createFhirHospital();
  const window = await hospital.createWindow({ max_slots: 10_000 });
  slot = `Slot/${window.calendar_id}-${MONDAY}`;
  const { json } = await hospital.request("POST", "/v1/sources", { body: { name: "HIS", kind: "fhir" } });
  system = `urn:ringward:source:${String(json.data["source_id"]).replace("_", "-")}`;
  appointmentId = await newAppointment();
});
afterAll(() => hospital.close());

async function newAppointment(): Promise<string> {
  const { body } = await hospital.fhir<{ id: string }>("POST", "/Appointment", { body: appointment() });
  return body.id;
}

const appointment = () => ({
  resourceType: "Appointment",
  status: "booked",
  meta: { lastUpdated: "2026-11-15T05:00:00Z" },
  identifier: [{ system: "urn:other", value: "1" }],
  slot: [{ reference: slot }],
  serviceType: [{ coding: [{ system: "urn:ringward:service", code: SERVICE }] }],
  start: "2026-11-18T10:15:00+05:30",
  end: "2026-11-18T10:30:00+05:30",
  comment: "Fasting",
  contained: [{ ...ASHA, id: "p" }],
  participant: [
    { actor: { reference: "#p" }, status: "accepted" },
    { actor: { reference: `Location/${BRANCH}` }, status: "accepted" },
    { actor: { type: "Practitioner", identifier: { value: "D-17" }, display: "Dr. Mehta" }, status: "accepted" },
  ],
});
const parameters = (parameter: object[]) => ({ resourceType: "Parameters", parameter });

interface Write {
  method: string;
  path: () => string;
  body: () => object;
  type?: string;
}

const WRITES: Readonly<Record<string, Write>> = {
  POST: { method: "POST", path: () => "/Appointment", body: appointment },
  PUT: {
    method: "PUT",
    path: () => `/Appointment?identifier=${system}|A-1`,
    body: () => ({ ...appointment(), slot: undefined }),
  },
  PATCH: {
    method: "PATCH",
    path: () => `/Appointment/${appointmentId}`,
    type: "application/json-patch+json",
    body: () => [
      { op: "add", path: "/comment", value: "Late" },
      { op: "copy", from: "/comment", path: "/comment" },
      { op: "replace", path: "/slot/0/reference", value: slot },
    ],
  },
  $find: {
    method: "POST",
    path: () => "/Appointment/$find",
    body: () =>
      parameters([
        ...ON_MONDAY,
        { name: "location-reference", valueReference: { reference: `Location/${BRANCH}` } },
        { name: "visit-type", valueString: `urn:ringward:service|${SERVICE}` },
        { name: "_count", valueInteger: 3 },
      ]),
  },
  $hold: {
    method: "POST",
    path: () => "/Appointment/$hold",
    body: () =>
      parameters([{ name: "appointment-reference", valueReference: { reference: "Appointment/a.20261116" } }]),
  },
  $book: {
    method: "POST",
    path: () => "/Appointment/$book",
    body: () =>
      parameters([
        { name: "appointment-resource", resource: { ...appointment(), status: "pending" } },
        { name: "patient-resource", resource: ASHA },
        { name: "comment", valueString: "Late" },
      ]),
  },
  Subscription: {
    method: "POST",
    path: () => "/Subscription",
    body: () => ({
      resourceType: "Subscription",
      status: "requested",
      reason: "HIS",
      criteria: "Appointment?status=booked",
      end: "2026-12-01T00:00:00Z",
      channel: {
        type: "rest-hook",
        endpoint: "https://127.0.0.1/",
        payload: "application/fhir+json",
        header: ["X: y"],
      },
    }),
  },
};

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, "", 0, -1, true, [], {}, [null], { toString: null }, "__proto__", "constructor"),
  fc.constantFrom<unknown>("x".repeat(5_000), "\u0000", "\ud800", "9999-12-31T23:59:59Z", "1e400", [[]], [{}], {
    length: 3,
  }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Every place in a value, as a path of names. */
function placesIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, each]) => placesIn(each, [...path, name]))];
}

function replaced(value: unknown, [name, ...rest]: string[], by: unknown): unknown {
  if (name === undefined) return by;
  if (typeof value !== "object" || value === null) return value;
  const copy: unknown = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
  Object.assign(copy as object, { [name]: replaced((value as Record<string, unknown>)[name], rest, by) });
  return copy;
}

test.each(Object.entries(WRITES))("%s", async (_name, { method, path, body, type = "application/fhir+json" }) => {
  const change = fc.tuple(fc.nat({ max: 10_000 }), odd);
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 2 }), async (changes) => {
      let sent: unknown = body();
      for (const [at, by] of changes) {
        const places = placesIn(sent);
        sent = replaced(sent, places[at % places.length] ?? [], by);
      }
      // The client validates the answer.
      const answer = await hospital.fhir(method, path(), {
        body: JSON.stringify(sent),
        headers: { "content-type": type },
      });
      expect(answer.status).toBeLessThan(500);
    }),
    { numRuns: 250 },
  );
});
