// $find, $hold and $book of IHE ITI Scheduling. Every answer is validated against the profiles of R4.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Appointment, Bundle, OperationOutcome } from "fhir/r4";
import { BRANCH, MONDAY, NEXT_MONDAY, on, OTHER_SERVICE, SERVICE } from "../../calendar/clinic.ts";
import { entriesOf, issueOf, matchesIn, type FhirAnswer } from "../../support/fhir-client.ts";
import {
  appointmentOf,
  ASHA,
  createFhirHospital,
  ON_MONDAY,
  referenceTo,
  type FhirHospital,
} from "../../support/fhir-hospital.ts";

let hospital: FhirHospital;
beforeAll(async () => {
  hospital = await createFhirHospital();
});
afterAll(() => hospital.close());

const issue = (answer: FhirAnswer<unknown>) => issueOf(answer as FhirAnswer<OperationOutcome>);
const severityOf = ({ body }: FhirAnswer<OperationOutcome>) => body.issue[0]?.severity;
const bookedOn = async (window: { calendar_id: string }) =>
  (await hospital.appointmentRows()).filter(({ window_id }) => window_id === window.calendar_id);

/** A window of its own, and its only proposal on Monday. */
async function proposalOf(changes: Record<string, unknown> = {}) {
  const window = await hospital.createWindow({ ai_slots: 0, max_slots: 1, ...changes });
  const [proposal] = (await hospital.find()).filter(({ slot = [] }) =>
    slot[0]?.reference?.includes(window.calendar_id),
  );
  if (!proposal) throw new Error("Nothing was proposed.");
  return { window, proposal };
}

describe("$find", () => {
  test("proposes each window on its date once, as an Appointment of IHE's profile", async () => {
    const window = await hospital.createWindow({ ai_slots: 0, max_slots: 3, appointment_type_id: SERVICE });
    const proposals = (await hospital.find()).filter(({ slot }) => slot?.[0]?.reference?.includes(window.calendar_id));
    expect(proposals).toEqual([
      {
        resourceType: "Appointment",
        id: expect.stringMatching(/^[A-Za-z0-9\-.]{1,64}$/),
        meta: { versionId: expect.any(String) },
        status: "proposed",
        serviceType: [{ coding: [{ system: "urn:ringward:service", code: SERVICE }] }],
        start: "2026-11-16T03:30:00.000Z",
        end: "2026-11-16T06:30:00.000Z",
        slot: [{ reference: `Slot/${window.calendar_id}-${MONDAY}` }],
        participant: [
          { actor: { reference: `Location/${BRANCH}`, type: "Location" }, status: "needs-action" },
          { actor: { reference: `HealthcareService/${SERVICE}`, type: "HealthcareService" }, status: "needs-action" },
        ],
        requestedPeriod: [{ start: "2026-11-15T18:30:00.000Z", end: "2026-11-16T18:29:00.000Z" }],
      },
    ]);
  });

  test("by GET and by POST the same, with _count and the total", async () => {
    await hospital.createWindow();
    await hospital.createWindow();
    const query = `start=${MONDAY}&end=${NEXT_MONDAY}&_count=1`;
    const byGet = await hospital.fhir<Bundle>("GET", `/Appointment/$find?${query}`);
    const byPost = await hospital.operate(
      "find",
      [
        { name: "start", valueDate: MONDAY },
        { name: "end", valueDate: NEXT_MONDAY },
      ],
      { headers: {} },
    );
    expect(byGet.status).toBe(200);
    expect([byGet.body.total, byGet.body.type]).toEqual([byPost.body.total, "searchset"]);
    expect([matchesIn(byGet.body).length, matchesIn(byPost.body).length]).toEqual([1, byPost.body.total ?? 0]);
  });

  test("by branch, by part of its name, and by service; in the order of preference", async () => {
    const other = "0190a1b2-0000-7000-8000-0000000000aa";
    const own = await hospital.createWindow({ session: "Evening", branch_id: other, appointment_type_id: SERVICE });
    const any = await hospital.createWindow({ session: "Evening", branch_id: other });
    await hospital.createWindow({ session: "Evening", branch_id: other, appointment_type_id: OTHER_SERVICE });
    const windowsOf = (found: Appointment[]) => found.map(({ slot }) => slot?.[0]?.reference?.slice(5, 41));
    const at = { name: "location-reference", valueReference: { reference: `Location/${other}` } };
    const visit = (code: string) => ({ name: "visit-type", valueString: `urn:ringward:service|${code}` });
    expect(windowsOf(await hospital.find([at]))).toHaveLength(3);
    const found = await hospital.find([at, visit(SERVICE)]);
    expect(new Set(windowsOf(found))).toEqual(new Set([own.calendar_id, any.calendar_id]));
    // A window for any service is proposed for the one that was asked for.
    expect(found.map(({ serviceType }) => serviceType?.[0]?.coding?.[0]?.code)).toEqual([SERVICE, SERVICE]);
    expect(await hospital.find([at, { name: "visit-type", valueString: "urn:other|1" }])).toEqual([]);
    expect(await hospital.find([{ name: "location-string", valueString: "nowhere" }])).toEqual([]);
    expect(await hospital.find([{ ...at, valueReference: { reference: "Location/unknown" } }])).toEqual([]);
  });

  test("full, closed and past windows are not proposed", async () => {
    const { window, proposal } = await proposalOf();
    await hospital.book(proposal);
    const closed = await hospital.createWindow({ ai_slots: 0, max_slots: 1 });
    await hospital.override(`${on(closed, MONDAY)}||any`, { status: "CLOSED" });
    const ids = (await hospital.find()).map(({ slot }) => slot?.[0]?.reference);
    for (const { calendar_id } of [window, closed]) expect(ids.join()).not.toContain(calendar_id);
    const past = await hospital.operate("find", [
      { name: "start", valueDate: "2026-11-01" },
      { name: "end", valueDate: "2026-11-10" },
    ]);
    expect([past.status, past.body.total, matchesIn(past.body)]).toEqual([200, 0, []]);
  });

  test("what it cannot know is said: doctors find nothing, a reason changes nothing, a year is cut", async () => {
    await hospital.createWindow();
    const notes = async (more: object) => {
      const { body } = await hospital.operate("find", [...ON_MONDAY, more as never]);
      const [outcome] = entriesOf(body, "outcome") as OperationOutcome[];
      return [matchesIn(body).length > 0, outcome?.issue.map(({ severity }) => severity)];
    };
    expect(await notes({ name: "practitioner", valueReference: { reference: "Practitioner/1" } })).toEqual([
      false,
      ["warning"],
    ]);
    expect(await notes({ name: "reason", valueString: "http://snomed.info/sct|1" })).toEqual([true, ["information"]]);
    const year = await hospital.operate("find", [
      { name: "start", valueDate: MONDAY },
      { name: "end", valueDate: "2027-11-16" },
    ]);
    expect((entriesOf(year.body, "outcome") as OperationOutcome[])[0]?.issue[0]?.details?.text).toContain("89 days");
  });

  test.each<[string, object[], string]>([
    ["no start", [ON_MONDAY[1]!], "start"],
    ["no end", [ON_MONDAY[0]!], "end"],
    ["an end before the start", [ON_MONDAY[0]!, { name: "end", valueDate: "2026-11-01" }], "end"],
    ["two starts", [ON_MONDAY[0]!, ...ON_MONDAY], "start"],
    ["a start that is no date", [{ name: "start", valueString: "soon" }, ON_MONDAY[1]!], "start"],
    ["a start without a value", [{ name: "start" }, ON_MONDAY[1]!], "start"],
    ["an unknown parameter", [...ON_MONDAY, { name: "doctor", valueString: "x" }], "doctor"],
  ])("%s is refused", async (_name, parameter, field) => {
    const answer = await hospital.operate("find", parameter as never);
    expect([issue(answer), (answer.body as unknown as OperationOutcome).issue[0]?.expression]).toEqual([
      "400 invalid VALIDATION_ERROR",
      [field],
    ]);
  });

  test("a body that is no Parameters is refused", async () => {
    for (const body of [{}, [], { resourceType: "Patient" }, { resourceType: "Parameters", parameter: {} }])
      expect(issue(await hospital.fhir("POST", "/Appointment/$find", { body }))).toBe("400 invalid VALIDATION_ERROR");
    expect(issue(await hospital.fhir("POST", "/Appointment/$find", { body: "{" }))).toBe(
      "400 invalid VALIDATION_ERROR",
    );
  });
});

describe("$hold and $book", () => {
  test("a proposal is held for 90 seconds, then booked", async () => {
    const { window, proposal } = await proposalOf({ appointment_type_id: SERVICE });
    const held = await hospital.hold(proposal);
    const pending = appointmentOf(held);
    expect([pending.status, pending.start, pending.slot]).toEqual(["pending", proposal.start, proposal.slot]);
    expect((entriesOf(held.body, "outcome") as OperationOutcome[])[0]?.issue[0]?.severity).toBe("information");
    expect((await hospital.find()).some(({ id }) => id === proposal.id)).toBe(false);

    const booked = appointmentOf(await hospital.book(pending));
    expect([booked.status, booked.start, booked.slot]).toEqual(["booked", proposal.start, proposal.slot]);
    expect(await bookedOn(window)).toMatchObject([
      {
        status: "confirmed",
        appointment_type_id: SERVICE,
        contact_name: "Asha Rao",
        contact_number: "+919810012345",
        source: "api",
        call_id: null,
      },
    ]);
    const read = await hospital.fhir<Appointment>("GET", `/Appointment/${booked.id}`);
    expect(read.body).toEqual(booked);
    // The hold is used up.
    const again = await hospital.book(pending);
    expect([issue(again), severityOf(again)]).toEqual(["404 not-found NOT_FOUND", "fatal"]);
  });

  test("a proposal is booked without a hold", async () => {
    const { window, proposal } = await proposalOf();
    expect(appointmentOf(await hospital.book(proposal)).status).toBe("booked");
    const second = await hospital.book(proposal);
    expect([issue(second), severityOf(second)]).toEqual(["409 not-found SLOT_FULL", "fatal"]);
    expect(await bookedOn(window)).toHaveLength(1);
  });

  test("a held place is refused to everyone else, and free when the hold ends", async () => {
    const { window, proposal } = await proposalOf();
    const pending = appointmentOf(await hospital.hold(proposal));
    const key = await hospital.newKey(["appointments:write", "appointments:read"]);
    expect(issue(await hospital.hold(proposal))).toBe("409 not-found SLOT_FULL");
    expect(issue(await hospital.book(proposal))).toBe("409 not-found SLOT_FULL");
    expect((await hospital.postAppointment(on(window, MONDAY))).status).toBe(409);
    // Another key cannot use it.
    expect(issue(await hospital.book(pending, { key }))).toBe("404 not-found NOT_FOUND");
    await hospital.clock.advance(90_000);
    expect(issue(await hospital.book(pending))).toBe("404 not-found NOT_FOUND");
    expect(appointmentOf(await hospital.book(proposal, { key })).status).toBe("booked");
  });

  test("a key holds at most fifty places at a time", async () => {
    const { proposal } = await proposalOf({ max_slots: 300 });
    const key = await hospital.newKey(["appointments:write", "appointments:read"]);
    for (let count = 0; count < 50; count++) expect((await hospital.hold(proposal, { key })).status).toBe(200);
    expect(issue(await hospital.hold(proposal, { key }))).toBe("429 throttled RATE_LIMITED");
    expect((await hospital.hold(proposal)).status).toBe(200);
    await hospital.clock.advance(90_000);
    expect((await hospital.hold(proposal, { key })).status).toBe(200);
  });

  test("a hold is released by cancelling it", async () => {
    const { proposal } = await proposalOf();
    const pending = appointmentOf(await hospital.hold(proposal));
    const cancelled = { ...pending, status: "cancelled" } as Appointment;
    const answer = await hospital.operate("book", [{ name: "appointment-resource", resource: cancelled }]);
    expect([appointmentOf(answer).status, appointmentOf(answer).id]).toEqual(["cancelled", pending.id]);
    expect(appointmentOf(await hospital.hold(proposal)).status).toBe("pending");
  });

  test("an Appointment with a Slot is booked; its participant, service and identifier count", async () => {
    const window = await hospital.createWindow({ ai_slots: 0, max_slots: 2 });
    const source = (await hospital.request("POST", "/v1/sources", { body: { name: "HIS", kind: "fhir" } })).json.data;
    const system = `urn:ringward:source:${String(source["source_id"]).replace("_", "-")}`;
    const resource: Appointment = {
      resourceType: "Appointment",
      status: "pending",
      identifier: [{ system, value: "A-1" }],
      serviceType: [{ coding: [{ system: "urn:ringward:service", code: SERVICE }] }],
      slot: [{ reference: `Slot/${window.calendar_id}-${MONDAY}` }],
      comment: "In a wheelchair",
      contained: [{ ...ASHA, id: "asha" }],
      participant: [
        { actor: { reference: "#asha" }, status: "accepted" },
        { actor: { type: "Practitioner", identifier: { value: "D-17" }, display: "Dr. Mehta" }, status: "accepted" },
      ],
    };
    const booked = appointmentOf(await hospital.operate("book", [{ name: "appointment-resource", resource }]));
    expect([booked.identifier, booked.comment]).toEqual([[{ system, value: "A-1" }], "In a wheelchair"]);
    expect(await bookedOn(window)).toMatchObject([
      {
        contact_name: "Asha Rao",
        appointment_type_id: SERVICE,
        external_id: "A-1",
        practitioner_id: "D-17",
        practitioner_name: "Dr. Mehta",
        notes: "In a wheelchair",
      },
    ]);
  });

  test("a booked appointment is moved and cancelled by $book", async () => {
    const { proposal } = await proposalOf();
    const other = await hospital.createWindow({ session: "Evening", ai_slots: 0, max_slots: 1 });
    const booked = appointmentOf(await hospital.book(proposal));
    const slot = [{ reference: `Slot/${other.calendar_id}-${MONDAY}` }];
    const change = (resource: object) =>
      hospital.operate("book", [{ name: "appointment-resource", resource: resource as Appointment }]);
    const moved = appointmentOf(await change({ ...booked, slot }));
    expect([moved.id, moved.status, moved.slot, moved.start === booked.start]).toEqual([
      booked.id,
      "booked",
      slot,
      false,
    ]);
    expect((await hospital.find()).some(({ id }) => id === proposal.id)).toBe(true);
    // Its own time cannot be written.
    expect(issue(await change({ ...moved, start: "2026-11-16T10:00:00Z" }))).toBe("400 invalid VALIDATION_ERROR");
    expect(appointmentOf(await change({ ...moved, status: "cancelled" })).status).toBe("cancelled");
    expect(issue(await change({ ...moved, status: "booked" }))).toBe("409 conflict CONFLICT");
  });

  test("the same Idempotency-Key books once, and with another body not at all", async () => {
    const { window, proposal } = await proposalOf({ max_slots: 2 });
    const headers = { "idempotency-key": "booking-1" };
    const [first, second] = [await hospital.book(proposal, { headers }), await hospital.book(proposal, { headers })];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await bookedOn(window)).toHaveLength(1);
    const other = await hospital.book(proposal, { headers, patient: { ...ASHA, name: [{ text: "Ravi" }] } });
    expect(issue(other)).toBe("422 conflict IDEMPOTENCY_KEY_REUSED");
  });

  test.each<[string, object[]]>([
    ["nothing to book", [{ name: "patient-resource", resource: ASHA }]],
    [
      "both a reference and a resource",
      [
        { name: "appointment-reference", valueReference: { reference: "Appointment/x" } },
        { name: "appointment-resource", resource: { resourceType: "Appointment", status: "pending", participant: [] } },
      ],
    ],
    ["a resource of another type", [{ name: "appointment-resource", resource: ASHA }]],
    [
      "a modifier that is not understood",
      [
        {
          name: "appointment-resource",
          resource: { resourceType: "Appointment", status: "pending", implicitRules: "urn:x", participant: [] },
        },
      ],
    ],
    [
      "a new appointment that is booked already",
      [{ name: "appointment-resource", resource: { resourceType: "Appointment", status: "booked", participant: [] } }],
    ],
    [
      "no Slot",
      [{ name: "appointment-resource", resource: { resourceType: "Appointment", status: "pending", participant: [] } }],
    ],
  ])("%s is refused", async (_name, parameter) => {
    expect(issue(await hospital.operate("book", parameter as never))).toBe("400 invalid VALIDATION_ERROR");
  });

  test("a person is needed, one, with a number that can be dialled", async () => {
    const { window, proposal } = await proposalOf();
    const reference = { name: "appointment-reference", valueReference: referenceTo(proposal) };
    const patient = (resource: object) => ({ name: "patient-resource", resource: resource as never });
    expect(issue(await hospital.operate("book", [reference]))).toBe("400 invalid VALIDATION_ERROR");
    expect(issue(await hospital.operate("book", [reference, patient(ASHA), patient(ASHA)]))).toBe(
      "400 invalid VALIDATION_ERROR",
    );
    const unreachable = { ...ASHA, telecom: [{ system: "phone", value: "12" }] };
    expect(issue(await hospital.operate("book", [reference, patient(unreachable)]))).toBe(
      "422 value INVALID_PHONE_NUMBER",
    );
    expect(await bookedOn(window)).toEqual([]);
  });

  test("nonsense, other organisations' proposals and missing scopes", async () => {
    const { proposal } = await proposalOf();
    const neighbour = await hospital.neighbour();
    expect(issue(await hospital.hold({ ...proposal, id: "zz.20261116" }))).toBe("400 invalid VALIDATION_ERROR");
    for (const id of ["nonsense", "apt-1", "", "a.b.c"])
      expect(issue(await hospital.hold({ ...proposal, id }))).toBe("404 not-found NOT_FOUND");
    for (const act of ["hold", "book"] as const)
      expect(issue(await hospital[act](proposal, { key: neighbour.key }))).toBe("400 invalid VALIDATION_ERROR");
    const reader = await hospital.newKey(["appointments:read"]);
    expect(issue(await hospital.hold(proposal, { key: reader }))).toBe("403 forbidden INSUFFICIENT_SCOPE");
    expect(issue(await hospital.book(proposal, { key: null }))).toBe("401 login UNAUTHORIZED");
    const writer = await hospital.newKey(["slots:read"]);
    expect(issue(await hospital.operate("find", ON_MONDAY, { key: writer }))).toBe("403 forbidden INSUFFICIENT_SCOPE");
  });
});
