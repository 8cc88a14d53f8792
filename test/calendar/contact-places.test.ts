// The contact's time zone and state, given with an appointment or a waiting-list entry: every call about it follows the
// rules of that place, not those of the area code.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { PatchWaitingInput } from "../../src/waiting-list/model.ts";
import { messageOf } from "../../src/core/errors.ts";
import { hoursFor, callableAt, waitingSettings } from "../../src/waiting-list/rules.ts";
import { settle } from "../support/manual-clock.ts";
import { createWard, type Ward } from "../reminders/ward.ts";
import { BRANCH, MONDAY, on, refusal } from "./clinic.ts";

/** New York: there, an announcement is enough to record. */
const NEW_YORK_NUMBER = "+12125550123";
const CALIFORNIA = { contact_time_zone: "America/Los_Angeles", contact_region: "CA" };
const PATIENT = { contact_name: "Rosa", contact_number: NEW_YORK_NUMBER };

let ward: Ward;
beforeEach(async () => {
  ward = await createWard();
});
afterEach(() => ward.close());

const book = (place: object) => ward.book(on(ward.window, MONDAY), { ...PATIENT, ...place });
const callRow = async () => {
  await settle();
  return ward.db.reader.selectFrom("calls").selectAll().orderBy("id", "desc").executeTakeFirstOrThrow();
};
const wait = (changes: object = {}) =>
  ward.request("POST", "/v1/waitlist", { body: { branch_id: BRANCH, ...PATIENT, ...changes } });

describe("a call about an appointment", () => {
  test.each([
    ["of a Californian asks before it records", CALIFORNIA, "ask"],
    ["without a place goes by the area code", {}, "announce"],
  ] as const)("%s, whatever the number says", async (_, place, mode) => {
    await ward.rule({ at: "15:00" });
    await book(place);
    await ward.goTo("2026-11-15T09:30:00Z");
    const [call] = ward.carrier.dialled;
    expect({ to: call!.to, mode: call!.brief.recording }).toEqual({ to: NEW_YORK_NUMBER, mode });
    expect(await callRow()).toMatchObject({ source: "reminder", ...place });
  });

  test("on a closed day takes the place into its row and call", async () => {
    await book(CALIFORNIA);
    const { closures, closureCalls } = ward.app.services;
    const closing = { branch_ids: [BRANCH], ranges: [{ from: MONDAY, to: MONDAY }], otherwise: "call" as const };
    await closures.close(ward.organisationId, { ...closing, agent_id: ward.agentId }, CLI_ACTOR);
    await closureCalls.runDue();
    expect(await ward.db.reader.selectFrom("campaign_rows").selectAll().execute()).toMatchObject([CALIFORNIA]);
  });
});

describe("a call about a free slot", () => {
  test("takes the place of the waiting-list entry, and so does the appointment it books", async () => {
    const full = await ward.createWindow({ ai_slots: 1, max_slots: 1, session: "Evening" });
    const taken = await ward.book(on(full, MONDAY), { contact_name: "Booked" });
    expect((await wait({ ...CALIFORNIA, sessions: ["Evening"] })).status).toBe(201);
    await ward.change(taken.appointment_id, { status: "cancelled" });
    await ward.clock.advance(1);
    const [call] = ward.carrier.dialled;
    expect(call!.brief.recording).toBe("ask");
    expect(await callRow()).toMatchObject({ source: "waiting_list", ...CALIFORNIA });
    await call!.desk!.offer(1);
    await call!.desk!.book("A");
    expect((await ward.appointmentRows()).at(-1)).toMatchObject({ status: "confirmed", ...CALIFORNIA });
  });

  test("waits for the agent's hours in that place", () => {
    const settings = { ...waitingSettings(ward.config), hoursAreEnforced: true };
    const hours = hoursFor({ calling_hours: { start: "09:00", end: "20:00", days: [0, 1, 2, 3, 4, 5, 6] } }, settings);
    const nineInNewYork = Date.parse("2026-11-16T14:00:00Z");
    const entry = { contact_number: NEW_YORK_NUMBER, contact_time_zone: null, contact_region: null };
    expect(callableAt(hours, entry, nineInNewYork)).toBe(nineInNewYork);
    const nineInCalifornia = Date.parse("2026-11-16T17:00:00Z");
    expect(callableAt(hours, { ...entry, ...CALIFORNIA }, nineInNewYork)).toBe(nineInCalifornia);
  });
});

test("an appointment that is booked in a call takes the place of the call", async () => {
  const given = { user_time_zone: CALIFORNIA.contact_time_zone, user_region: CALIFORNIA.contact_region };
  const callId = await ward.dial({ user_number: NEW_YORK_NUMBER, ...given, additional_info: { branch_id: BRANCH } });
  ward.carrier.ring(callId);
  ward.carrier.answer(callId);
  await settle();
  const { desk } = ward.carrier.dialled[0]!;
  await desk!.offer(1);
  await desk!.book("A");
  expect(await ward.appointmentRows()).toMatchObject([{ call_id: callId, ...CALIFORNIA }]);
});

describe("the fields", () => {
  test("are shown, changed and taken away, in upper case", async () => {
    const { appointment_id: id } = await book({ ...CALIFORNIA, contact_region: "ca" });
    const read = async () => (await ward.request("GET", `/v1/appointments/${id}`)).json.data;
    expect(await read()).toMatchObject(CALIFORNIA);
    await ward.change(id, { notes: "first visit" });
    expect(await read()).toMatchObject(CALIFORNIA);
    const event = (await ward.newEvents()).findLast(({ type }) => type === "appointment.updated");
    expect(event?.data).toMatchObject(CALIFORNIA);
    await ward.change(id, { contact_time_zone: null, contact_region: "" });
    expect(await read()).toMatchObject({ contact_time_zone: null, contact_region: null });
  });

  test("of a waiting-list entry too", async () => {
    const made = (await wait(CALIFORNIA)).json.data;
    expect(made).toMatchObject(CALIFORNIA);
    const { waitingList } = ward.app.services;
    const change = (input: PatchWaitingInput) =>
      waitingList.change(ward.organisationId, String(made["waiting_id"]), input, CLI_ACTOR);
    expect(await change({ contact_region: "nv" })).toMatchObject({ ...CALIFORNIA, contact_region: "NV" });
    expect(await change({ contact_region: null })).toMatchObject({ contact_region: null });
    await change({ contact_region: "CA" });
    const indian = change({ contact_number: "+919810012345" }).catch(messageOf);
    expect(await indian).toBe("contact_region is for numbers in the United States. Leave it out for +91.");
  });

  test.each([
    ["a zone that does not exist", { contact_time_zone: "Mars/Base" }, "contact_time_zone"],
    ["a state that does not exist", { contact_region: "ZZ" }, "contact_region"],
    ["a state for an Indian number", { contact_region: "CA", contact_number: "+919810012345" }, "contact_region"],
  ])("refuse %s", async (_, place, field) => {
    const slot = on(ward.window, MONDAY);
    expect(refusal(await ward.postAppointment(slot, { ...PATIENT, ...place }))).toEqual([
      400,
      "VALIDATION_ERROR",
      field,
    ]);
    expect(refusal(await wait(place))).toEqual([400, "VALIDATION_ERROR", field]);
    const { appointment_id: id } = await book(CALIFORNIA);
    expect(refusal(await ward.patchAppointment(id, place))).toEqual([400, "VALIDATION_ERROR", field]);
  });

  test("fit the number after every change", async () => {
    const { appointment_id: id } = await book(CALIFORNIA);
    const indian = { contact_number: "+919810012345" };
    expect(refusal(await ward.patchAppointment(id, indian))).toEqual([400, "VALIDATION_ERROR", "contact_region"]);
    expect((await ward.patchAppointment(id, { ...indian, contact_region: null })).status).toBe(200);
  });
});
