// POST and PATCH of Appointments, If-None-Exist and If-Match. Every answer is validated against the profiles of R4.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Appointment, OperationOutcome } from "fhir/r4";
import { MONDAY, NEXT_MONDAY, OTHER_SERVICE, SERVICE, UNKNOWN_UUID } from "../../calendar/clinic.ts";
import { issueOf, type FhirAnswer, type FhirOptions } from "../../support/fhir-client.ts";
import { ASHA, createFhirHospital, type FhirHospital } from "../../support/fhir-hospital.ts";

let hospital: FhirHospital;
let window: { calendar_id: string };
let sourceId: string;
/** Of the ids that the source gives. */
let system: string;
beforeAll(async () => {
  hospital = await createFhirHospital();
  window = await hospital.createWindow({ max_slots: 1_000 });
  const source = await hospital.request("POST", "/v1/sources", { body: { name: "HIS", kind: "fhir" } });
  sourceId = source.json.data["source_id"]!;
  system = `urn:ringward:source:${sourceId.replace("_", "-")}`;
});
afterAll(() => hospital.close());

const slotOn = (date: string, { calendar_id } = window) => [{ reference: `Slot/${calendar_id}-${date}` }];
const wanted = (changes: Partial<Appointment> = {}): Appointment => ({
  resourceType: "Appointment",
  status: "booked",
  slot: slotOn(MONDAY),
  contained: [{ ...ASHA, id: "asha" }],
  participant: [{ actor: { reference: "#asha" }, status: "accepted" }],
  ...changes,
});

const post = (body: unknown = wanted(), options: FhirOptions = {}) =>
  hospital.fhir<Appointment>("POST", "/Appointment", { body, ...options });
const patch = (id: string | undefined, operations: unknown, headers: Record<string, string> = {}) =>
  hospital.fhir<Appointment>("PATCH", `/Appointment/${id}`, {
    body: operations,
    headers: { "content-type": "application/json-patch+json", ...headers },
  });
const replace = (path: string, value: unknown) => [{ op: "replace", path, value }];
const issue = (answer: FhirAnswer<unknown>) => issueOf(answer as FhirAnswer<OperationOutcome>);
const faultOf = (answer: FhirAnswer<unknown>) =>
  (answer as FhirAnswer<OperationOutcome>).body.issue[0]?.expression?.[0];

async function created(changes: Partial<Appointment> = {}): Promise<Appointment> {
  const { status, body, text } = await post(wanted(changes));
  if (status !== 201) throw new Error(`Answered ${status}: ${text}`);
  return body;
}

async function rowOf({ id = "" }: Appointment) {
  const own = id.replace("-", "_");
  return (await hospital.appointmentRows()).find((row) => row.id === own);
}

describe("POST", () => {
  test("books the Slot, and answers where the resource is and which version", async () => {
    const answer = await post(
      wanted({
        comment: "In a wheelchair",
        serviceType: [{ coding: [{ system: "urn:ringward:service", code: SERVICE }] }],
      }),
    );
    const { id } = answer.body;
    expect([answer.status, answer.headers.get("location")]).toEqual([
      201,
      `http://localhost:8080/fhir/Appointment/${id}`,
    ]);
    const read = await hospital.fhir<Appointment>("GET", `/Appointment/${id}`);
    expect([read.body, read.headers.get("etag")]).toEqual([answer.body, answer.headers.get("etag")]);
    expect(await rowOf(answer.body)).toMatchObject({
      status: "confirmed",
      notes: "In a wheelchair",
      appointment_type_id: SERVICE,
      contact_name: "Asha Rao",
      contact_identifiers: JSON.stringify([{ system: "mrn", value: "MRN-004711" }]),
    });
  });

  test("with Prefer: return=minimal nothing but the address", async () => {
    const { status, text, headers } = await post(wanted(), { headers: { prefer: "return=minimal" } });
    expect([status, text, headers.get("etag") !== null, headers.get("location") !== null]).toEqual([
      201,
      "",
      true,
      true,
    ]);
  });

  test("refers to a Patient of this server, which needs its scope", async () => {
    const { participant } = await created();
    const actor = { reference: participant[0]?.actor?.reference ?? "" };
    const body = wanted({ contained: [], participant: [{ actor, status: "accepted" }] });
    const again = await post(body);
    expect(await rowOf(again.body)).toMatchObject({ contact_name: "Asha Rao", contact_number: "+919810012345" });
    const key = await hospital.newKey(["appointments:write"]);
    expect(issue(await post(body, { key }))).toBe("403 forbidden INSUFFICIENT_SCOPE");
    const unknown = { reference: `Patient/${"0".repeat(32)}` };
    expect(faultOf(await post({ ...body, participant: [{ actor: unknown, status: "accepted" }] }))).toBe("participant");
  });

  test("by identifier and name alone", async () => {
    const actor = { type: "Patient", identifier: { system: "mrn", value: "MRN-1" }, display: "Ravi" };
    const made = await created({ contained: [], participant: [{ actor, status: "accepted" }] });
    expect(await rowOf(made)).toMatchObject({ contact_name: "Ravi", contact_number: null });
  });

  test.each<[string, Partial<Appointment> | Record<string, unknown>, string]>([
    ["no Slot", { slot: [] }, "slot"],
    ["two Slots", { slot: [{ reference: "Slot/a" }, { reference: "Slot/b" }] }, "slot"],
    ["no such Slot", { slot: [{ reference: `Slot/${UNKNOWN_UUID}-${MONDAY}` }] }, "slot_id"],
    ["a cancelled one", { status: "cancelled" }, "status"],
    ["no status", { status: undefined }, "status"],
    ["nobody", { contained: [], participant: [] }, "participant"],
    [
      "two people",
      { participant: [1, 2].map(() => ({ actor: { reference: "Patient/x" }, status: "accepted" })) },
      "participant",
    ],
    ["participants that are none", { participant: "Asha" }, "participant"],
    ["too many participants", { participant: Array.from({ length: 21 }, () => ({})) }, "participant"],
    ["a modifier", { modifierExtension: [{ url: "urn:not", valueBoolean: true }] }, "modifierExtension"],
    ["another resource", { resourceType: "Encounter" }, "resourceType"],
    ["a service of another system", { serviceType: [{ coding: [{ system: "urn:x", code: "1" }] }] }, "serviceType"],
    [
      "a service that is no UUID",
      { serviceType: [{ coding: [{ system: "urn:ringward:service", code: "1" }] }] },
      "appointment_type_id",
    ],
    ["a comment without end", { comment: "x".repeat(2_001) }, "notes"],
  ])("%s is refused", async (_name, changes, field) => {
    const answer = await post({ ...wanted(), ...changes });
    expect([answer.status, faultOf(answer)]).toEqual([400, field]);
  });

  test("a full window, another media type, and a body that is no JSON", async () => {
    const full = await hospital.createWindow({ ai_slots: 0, max_slots: 0 });
    expect(issue(await post(wanted({ slot: slotOn(MONDAY, full) })))).toBe("409 conflict SLOT_FULL");
    expect(issue(await post("<Appointment/>", { headers: { "content-type": "application/fhir+xml" } }))).toBe(
      "415 not-supported UNSUPPORTED_MEDIA_TYPE",
    );
    expect(issue(await post("{"))).toBe("400 invalid VALIDATION_ERROR");
    expect(issue(await post("null"))).toBe("400 invalid VALIDATION_ERROR");
  });

  test("the same Idempotency-Key creates once", async () => {
    const headers = { "idempotency-key": "post-1" };
    const [first, second] = [await post(wanted(), { headers }), await post(wanted(), { headers })];
    expect([second.status, second.body, second.headers.get("idempotent-replayed")]).toEqual([201, first.body, "true"]);
    const other = await post(wanted({ comment: "another" }), { headers });
    expect(issue(other)).toBe("422 conflict IDEMPOTENCY_KEY_REUSED");
  });
});

describe("If-None-Exist", () => {
  const conditional = (value: string, headers: Record<string, string> = {}) =>
    post(wanted({ identifier: [{ system, value }] }), {
      headers: { "if-none-exist": `identifier=${system}|${value}`, ...headers },
    });

  test("creates what is not there, and answers what is", async () => {
    const [first, second] = [await conditional("A-1"), await conditional("A-1")];
    expect([first.status, second.status, second.body]).toEqual([201, 200, first.body]);
    expect(first.body.identifier).toEqual([{ system, value: "A-1" }]);
    expect((await conditional("A-2")).status).toBe(201);
  });

  test("twenty at once create one", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => conditional("A-3")));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array<number>(19).fill(200),
      201,
    ]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test("an identifier that exists is refused without the header", async () => {
    await conditional("A-4");
    expect(issue(await post(wanted({ identifier: [{ system, value: "A-4" }] })))).toBe("409 conflict CONFLICT");
  });

  test.each([
    "patient=1",
    "identifier=A-1",
    "identifier=urn:other|A-1",
    "",
    "identifier=urn:ringward:source:src-x|1&status=booked",
  ])("%p is refused", async (header) => {
    const answer = await post(wanted(), { headers: { "if-none-exist": header } });
    expect([issue(answer), faultOf(answer)]).toEqual(["400 invalid VALIDATION_ERROR", "If-None-Exist"]);
  });

  test("a source of another organisation is unknown", async () => {
    const { key } = await hospital.neighbour();
    const answer = await post(wanted(), { key, headers: { "if-none-exist": `identifier=${system}|A-1` } });
    expect(issue(answer)).toBe("400 invalid VALIDATION_ERROR");
  });
});

describe("PATCH", () => {
  test.each([
    ["cancelled", "cancelled", "cancelled"],
    ["noshow", "noshow", "no_show"],
    ["fulfilled", "fulfilled", "completed"],
    ["arrived", "fulfilled", "completed"],
    ["checked-in", "fulfilled", "completed"],
    ["booked", "booked", "confirmed"],
  ])("status %s", async (status, shown, own) => {
    const made = await created();
    const answer = await patch(made.id, replace("/status", status));
    expect([answer.status, answer.body.status, (await rowOf(made))?.status as string]).toEqual([200, shown, own]);
    expect(answer.headers.get("etag")).toBe(`W/"${answer.body.meta?.versionId}"`);
    expect((await hospital.fhir("GET", `/Appointment/${made.id}`)).body).toEqual(answer.body);
  });

  test("moves to another Slot, and the time follows", async () => {
    const made = await created();
    const { status, body } = await patch(
      made.id,
      replace("/slot/0/reference", `Slot/${window.calendar_id}-${NEXT_MONDAY}`),
    );
    expect([status, body.start, body.slot]).toEqual([200, "2026-11-23T03:30:00.000Z", slotOn(NEXT_MONDAY)]);
  });

  test("adds and removes a comment, a service and an identifier", async () => {
    const made = await created();
    const coding = [{ system: "urn:ringward:service", code: OTHER_SERVICE }];
    const { body } = await patch(made.id, [
      { op: "test", path: "/status", value: "booked" },
      { op: "add", path: "/comment", value: "Fasting" },
      { op: "add", path: "/serviceType", value: [{ coding }] },
      { op: "add", path: "/identifier", value: [{ system, value: "P-1" }] },
    ]);
    expect(await rowOf(made)).toMatchObject({
      notes: "Fasting",
      appointment_type_id: OTHER_SERVICE,
      external_id: "P-1",
      source_id: sourceId,
    });
    await patch(
      made.id,
      ["comment", "serviceType", "identifier"].map((name) => ({ op: "remove", path: `/${name}` })),
    );
    expect(await rowOf(made)).toMatchObject({ notes: null, appointment_type_id: null, external_id: null });
    expect(body.comment).toBe("Fasting");
  });

  test("with If-Match: the version that was read, and no older one", async () => {
    const made = await created();
    const first = `W/"${made.meta?.versionId}"`;
    const changed = await patch(made.id, [{ op: "add", path: "/comment", value: "1" }], { "if-match": first });
    expect(changed.status).toBe(200);
    const stale = await patch(made.id, replace("/comment", "2"), { "if-match": first });
    expect(issue(stale)).toBe("412 conflict PRECONDITION_FAILED");
    const etag = changed.headers.get("etag") ?? "";
    expect((await patch(made.id, replace("/comment", "3"), { "if-match": etag })).status).toBe(200);
  });

  test("of twenty changes of one version one is made", async () => {
    const made = await created();
    const ifMatch = { "if-match": `W/"${made.meta?.versionId}"` };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => patch(made.id, [{ op: "add", path: "/comment", value: `${i}` }], ifMatch)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(19).fill(412),
    ]);
  });

  test.each<[string, unknown, string]>([
    ["the person", replace("/participant/0/actor/display", "Ravi"), "participant"],
    ["the time without the Slot", replace("/start", "2026-11-16T10:00:00Z"), "start"],
    ["the id", replace("/id", "apt-1"), "id"],
    ["an element that is not kept", [{ op: "add", path: "/priority", value: 1 }], "priority"],
    ["an unknown status", replace("/status", "waitlist"), "status"],
    ["the resource itself", replace("", { resourceType: "Patient" }), "resourceType"],
    ["a test that fails", [{ op: "test", path: "/status", value: "cancelled" }], "[0]"],
    ["no patch", { status: "cancelled" }, ""],
  ])("%s is refused, and nothing is changed", async (_name, operations, field) => {
    const made = await created();
    const answer = await patch(made.id, operations);
    expect([answer.status, faultOf(answer) ?? ""]).toEqual([400, field]);
    expect((await hospital.fhir("GET", `/Appointment/${made.id}`)).body).toEqual(made);
  });

  test("final, unknown and foreign appointments, other types and scopes", async () => {
    const made = await created();
    await patch(made.id, replace("/status", "cancelled"));
    expect(issue(await patch(made.id, replace("/status", "booked")))).toBe("409 conflict CONFLICT");
    // Cancelled again: nothing changes.
    expect((await patch(made.id, replace("/status", "cancelled"))).status).toBe(200);
    for (const id of ["apt-1", "nonsense", "hld-1"])
      expect(issue(await patch(id, replace("/status", "booked")))).toBe("404 not-found NOT_FOUND");
    const { key } = await hospital.neighbour();
    const foreign = await hospital.fhir("PATCH", `/Appointment/${made.id}`, {
      key,
      body: replace("/status", "booked"),
      headers: { "content-type": "application/json-patch+json" },
    });
    expect(issue(foreign)).toBe("404 not-found NOT_FOUND");
    expect(issue(await patch(made.id, replace("/status", "booked"), { "idempotency-key": "1" }))).toBe(
      "400 invalid VALIDATION_ERROR",
    );
    const asJson = await hospital.fhir("PATCH", `/Appointment/${made.id}`, { body: replace("/status", "booked") });
    expect(issue(asJson)).toBe("415 not-supported UNSUPPORTED_MEDIA_TYPE");
    expect(issue(await hospital.fhir("PUT", `/Appointment/${made.id}`, { body: made }))).toBe(
      "405 not-supported METHOD_NOT_ALLOWED",
    );
  });
});

test("the CapabilityStatement says what can be written", async () => {
  const { body } = await hospital.fhir<never>("GET", "/metadata", { key: null });
  const { rest, patchFormat } = body as unknown as {
    patchFormat: string[];
    rest: {
      resource: {
        type: string;
        interaction: { code: string }[];
        operation?: { name: string }[];
        conditionalCreate: boolean;
      }[];
    }[];
  };
  const appointment = rest[0]?.resource.find(({ type }) => type === "Appointment");
  expect(appointment?.interaction.map(({ code }) => code)).toEqual([
    "read",
    "search-type",
    "create",
    "update",
    "patch",
  ]);
  expect(appointment?.operation?.map(({ name }) => name)).toEqual(["find", "hold", "book"]);
  expect([appointment?.conditionalCreate, patchFormat]).toEqual([true, ["application/json-patch+json"]]);
});
