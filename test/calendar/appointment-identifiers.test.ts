// Identifiers of patients on appointments: given, changed, found, told in events, and handed from call to appointment
// and back.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Appointment } from "../../src/payloads/appointment.ts";
import type { Identifier } from "../../src/payloads/identifiers.ts";
import { listAppointments } from "../../src/calendar/appointment-store.ts";
import { identifiersLike, identifiersOfNumbers } from "../../src/calendar/identifier-store.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { outcome } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";
import { plansOf } from "../support/query-plans.ts";
import type { RequestOptions } from "../support/test-app.ts";
import { BRANCH, createClinic, MONDAY, NEXT_MONDAY, on, refusal, type Clinic } from "./clinic.ts";

const NUMBER = "+919810012345";
const MRN = { system: "mrn", value: "MRN-004711" };
const ABHA = { system: "https://healthid.ndhm.gov.in", value: "91-1234-5678-9012" };
const SIBLING = { system: "mrn", value: "MRN-004712" };

let clinic: Clinic;
let slot: string;
beforeEach(async () => {
  clinic = await createClinic({ agent: { branch_id: BRANCH } });
  slot = on(await clinic.createWindow(), MONDAY);
  await clinic.app.start();
});
afterEach(() => clinic.close());

const found = async (identifier: Identifier, more: object = {}, options: RequestOptions = {}) => {
  const body = { identifier, ...more };
  return clinic.request("POST", "/v1/appointments/search", { body, ...options });
};
const idsOf = async (...asked: Parameters<typeof found>) =>
  ((await found(...asked)).json.data as unknown as Appointment[]).map(({ appointment_id }) => appointment_id);
const kept = () =>
  clinic.db.reader.selectFrom("contact_identifiers").select(["value", "number", "name"]).orderBy("value").execute();

describe("an appointment", () => {
  test("has its identifiers in answers and events", async () => {
    const { contact_identifiers, appointment_id } = await clinic.book(slot, { contact_identifiers: [MRN, ABHA] });
    expect(contact_identifiers).toEqual([MRN, ABHA]);
    const { json } = await clinic.request("GET", `/v1/appointments/${appointment_id}`);
    expect(json.data as unknown as Appointment).toMatchObject({ contact_identifiers: [MRN, ABHA] });
    const [created] = (await clinic.newEvents()).filter(({ type }) => type === "appointment.created");
    expect(created?.data).toMatchObject({ contact_identifiers: [MRN, ABHA] });
    expect((await clinic.book(slot)).contact_identifiers).toEqual([]);
  });

  test("keeps them where a change does not name them, and loses them by null or an empty list", async () => {
    const { appointment_id: id } = await clinic.book(slot, { contact_identifiers: [MRN], contact_number: NUMBER });
    expect((await clinic.change(id, { contact_name: "Meera" })).contact_identifiers).toEqual([MRN]);
    expect(await kept()).toEqual([{ value: MRN.value, number: NUMBER, name: "Meera" }]);
    expect((await clinic.change(id, { contact_identifiers: [ABHA] })).contact_identifiers).toEqual([ABHA]);
    expect(await kept()).toEqual([{ value: ABHA.value, number: NUMBER, name: "Meera" }]);
    expect((await clinic.change(id, { contact_identifiers: [] })).contact_identifiers).toEqual([]);
    expect(await kept()).toEqual([]);
    await clinic.change(id, { contact_identifiers: [MRN] });
    expect((await clinic.change(id, { contact_identifiers: null })).contact_identifiers).toEqual([]);
    expect(await kept()).toEqual([]);
  });

  test.each([
    [[{ system: "mrn" }], "contact_identifiers"],
    [[{ system: "", value: "1" }], "contact_identifiers"],
    [[{ system: "mrn", value: " " }], "contact_identifiers"],
    [[{ system: "mrn", value: "x".repeat(101) }], "contact_identifiers"],
    [[{ system: "x".repeat(201), value: "1" }], "contact_identifiers"],
    [[{ system: "mrn", value: "1\u0007" }], "contact_identifiers"],
    [[{ system: "mrn", value: "1\u202e" }], "contact_identifiers"],
    [[{ system: "mrn", value: 4711 }], "contact_identifiers"],
    [[MRN, MRN], "contact_identifiers.1"],
    [Array.from({ length: 11 }, (_, i) => ({ system: "mrn", value: String(i) })), "contact_identifiers"],
    ["mrn|1", "contact_identifiers"],
  ])("is refused with %j", async (contact_identifiers, field) => {
    const answer = await clinic.postAppointment(slot, { contact_identifiers });
    expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", field]);
    expect(answer.text).not.toContain("004711");
  });

  test("takes the longest identifiers, and any script", async () => {
    const longest = Array.from({ length: 10 }, (_, i) => ({ system: "s".repeat(200), value: `${i}${"व".repeat(99)}` }));
    expect((await clinic.book(slot, { contact_identifiers: longest })).contact_identifiers).toEqual(longest);
  });
});

describe("a search by identifier", () => {
  test("finds the person's appointments, newest first, in pages, and none of another value or system", async () => {
    const next = slot.replace(MONDAY, NEXT_MONDAY);
    const ids: string[] = [];
    for (const where of [slot, next]) {
      ids.unshift((await clinic.book(where, { contact_identifiers: [ABHA, MRN] })).appointment_id);
      await clinic.book(where, { contact_identifiers: [SIBLING] });
    }
    expect(await idsOf(MRN)).toEqual(ids);
    expect(await idsOf(MRN, { from: NEXT_MONDAY })).toEqual(ids.slice(0, 1));
    expect(await idsOf(MRN, { status: "cancelled" })).toEqual([]);
    expect(await idsOf({ ...MRN, system: "abha" })).toEqual([]);
    expect(await idsOf({ ...MRN, value: "mrn004711" })).toEqual([]);
    const first = (await found(MRN, { limit: 1 })).json as unknown as { next_cursor: string };
    expect(await idsOf(MRN, { limit: 1, cursor: first.next_cursor })).toEqual(ids.slice(1));
    const foreign = await found(SIBLING, { limit: 1, cursor: first.next_cursor });
    expect(refusal(foreign)).toEqual([400, "VALIDATION_ERROR", "cursor"]);
  });

  test("stays within the organisation and its scope, and out of URLs", async () => {
    await clinic.book(slot, { contact_identifiers: [MRN] });
    const { key } = await clinic.neighbour();
    expect(await idsOf(MRN, {}, { key })).toEqual([]);
    const other = await clinic.newKey(["calls:read", "appointments:write"]);
    expect(outcome(await found(MRN, {}, { key: other }))).toBe("403 INSUFFICIENT_SCOPE");
    const inUrl = await clinic.request("GET", "/v1/appointments?identifier=mrn%7CMRN-004711");
    expect(refusal(inUrl)).toEqual([400, "VALIDATION_ERROR", "identifier"]);
  });
});

describe("a call", () => {
  /** An answered call, and its agent's desk. */
  async function answered(changes: object) {
    const callId = await clinic.dial({ user_number: NUMBER, ...changes });
    clinic.carrier.ring(callId);
    clinic.carrier.answer(callId);
    await settle();
    return { callId, desk: clinic.carrier.dialled.find((request) => request.callId === callId)!.desk! };
  }

  test("hands its identifiers to the appointment that it books", async () => {
    const { desk } = await answered({ user_identifiers: [MRN] });
    await desk.offer(1);
    expect(await desk.book("A")).not.toBeNull();
    const [row] = await clinic.appointmentRows();
    expect(row?.contact_identifiers).toBe(JSON.stringify([MRN]));
  });

  test("is not told the appointment of a sibling who shares the telephone", async () => {
    await clinic.book(slot, { contact_number: NUMBER, contact_identifiers: [SIBLING] });
    const { callId, desk } = await answered({ user_identifiers: [MRN] });
    expect(await desk.appointment()).toBeNull();
    clinic.carrier.complete(callId);
    await settle();
    await clinic.book(slot.replace(MONDAY, NEXT_MONDAY), { contact_number: NUMBER, contact_identifiers: [MRN] });
    const again = await answered({ user_identifiers: [MRN] });
    expect(await again.desk.appointment()).toMatchObject({ date: NEXT_MONDAY });
  });
});

test("the same telephone and name with another identifier is no double booking for staff", async () => {
  const { appointments } = clinic.app.services;
  const contact = { contact_name: "Baby Iyer", contact_number: NUMBER };
  const actor = { kind: "person", id: "per_1" } as const;
  const book = (identifier: Identifier) =>
    appointments.create(
      clinic.organisationId,
      { slot_id: slot, ...contact, contact_identifiers: [identifier] },
      "dashboard",
      actor,
      { twice: "asked-first" },
    );
  await book(MRN);
  expect((await book(SIBLING)).contact_identifiers).toEqual([SIBLING]);
  expect(book(MRN)).rejects.toThrow("This person is booked in this window on this date already.");
});

test("the waiting list tells siblings apart, and hands the identifiers on", async () => {
  const post = (identifiers: Identifier[]) =>
    clinic.request("POST", "/v1/waitlist", {
      body: { branch_id: BRANCH, contact_number: NUMBER, contact_name: "Baby", contact_identifiers: identifiers },
    });
  const made = await post([MRN]);
  expect(made.json.data as object).toMatchObject({ contact_identifiers: [MRN] });
  expect(outcome(await post([MRN]))).toBe("409 CONFLICT");
  expect((await post([SIBLING])).status).toBe(201);
  const id = made.json.data["waiting_id"]!;
  const change = { contact_identifiers: [MRN, ABHA] };
  const changed = await clinic.app.services.waitingList.change(clinic.organisationId, id, change, CLI_ACTOR);
  expect(changed).toMatchObject(change);
  expect(refusal(await post([MRN, MRN]))).toEqual([400, "VALIDATION_ERROR", "contact_identifiers.1"]);
});

test("an erased person leaves no identifier, and another with the same telephone elsewhere stays", async () => {
  const { organisationId, key } = await clinic.neighbour();
  await clinic.book(slot, { contact_number: NUMBER, contact_identifiers: [MRN] });
  await clinic.schedule({ user_identifiers: [SIBLING], user_number: "+919810012399" });
  const body = { branch_id: BRANCH, day: "monday", session: "Morning", ai_slots: 4, max_slots: 10 };
  const window = await clinic.request("POST", "/v1/appointment-slots", { key, body });
  const theirs = `${window.json.data["calendar_id"]}||${MONDAY}`;
  await clinic.postAppointment(theirs, { contact_number: NUMBER, contact_identifiers: [MRN] }, { key });
  await clinic.app.services.erasure.eraseContact(clinic.organisationId, NUMBER, CLI_ACTOR);
  const left = await clinic.db.reader.selectFrom("contact_identifiers").select(["organisation_id", "value"]).execute();
  expect(left.toSorted((a, b) => a.value.localeCompare(b.value))).toEqual([
    { organisation_id: organisationId, value: MRN.value },
    { organisation_id: clinic.organisationId, value: SIBLING.value },
  ]);
});

test("searches by identifier and by number use their indexes, whatever else is asked", async () => {
  const org = { organisationId: "org_1" };
  const identifier = MRN;
  const plans = [
    ...(await plansOf((db) => listAppointments(db, { ...org, identifier, limit: 21 }))),
    ...(await plansOf((db) =>
      listAppointments(db, { ...org, identifier, status: "confirmed", from: MONDAY, to: NEXT_MONDAY, limit: 21 }),
    )),
  ];
  expect(plans).toHaveLength(2);
  for (const { steps } of plans)
    expect(steps).toContain("SEARCH appointments USING INDEX sqlite_autoindex_appointments_1 (id=?)");
  const more = [
    ...(await plansOf((db) => identifiersLike(db, "org_1", { value: "1" }, 500))),
    ...(await plansOf((db) => identifiersOfNumbers(db, "org_1", ["+1", "+2"]))),
  ];
  expect(more.map(({ steps }) => steps.find((step) => step.startsWith("SEARCH contact_identifiers")))).toEqual([
    "SEARCH contact_identifiers USING INDEX contact_identifiers_by_value (organisation_id=? AND value_key=?)",
    "SEARCH contact_identifiers USING INDEX contact_identifiers_by_number (organisation_id=? AND number=?)",
  ]);
});
