// Creating appointments over HTTP: the slot, the service, and rejections.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { Appointment } from "../../src/payloads/appointment.ts";
import type { Slot } from "../../src/payloads/slot.ts";
import {
  createClinic,
  MONDAY,
  NEXT_MONDAY,
  on,
  OTHER_SERVICE,
  refusal,
  SERVICE,
  UNKNOWN_UUID,
  BRANCH,
  type Clinic,
} from "./clinic.ts";

let clinic: Clinic;
let window: Slot;
beforeEach(async () => {
  clinic = await createClinic();
  window = await clinic.createWindow({ batch_name: "A", ai_slots: 1, max_slots: 3 });
});
afterEach(() => clinic.close());

const fill = async (date = MONDAY) => {
  const [slot] = await clinic.availability(`?from=${date}&to=${date}`);
  return slot?.filled_slots;
};
const read = (id: string, key?: string) =>
  clinic.request("GET", `/v1/appointments/${id}`, key === undefined ? {} : { key });

const PATIENT = {
  contact_name: "Meera Iyer",
  contact_number: "+919810012345",
  contact_email: "meera@example.org",
  contact_identifiers: [{ system: "mrn", value: "MRN-004711" }],
  notes: "first visit",
};

describe("creating an appointment", () => {
  test("returns 201 with the whole appointment, its batch copied from the window", async () => {
    const answer = await clinic.postAppointment(on(window, MONDAY), PATIENT);
    expect(answer.status).toBe(201);
    const data = answer.json.data as unknown as Appointment;
    expect(data.appointment_id).toMatch(/^apt_\w{26}$/);
    expect(data).toEqual({
      appointment_id: data.appointment_id,
      status: "confirmed",
      branch_id: BRANCH,
      slot_id: on(window, MONDAY),
      date: MONDAY,
      start_time: "09:00",
      end_time: "12:00",
      starts_at: "2026-11-16T03:30:00.000Z",
      ends_at: "2026-11-16T06:30:00.000Z",
      time_zone: "Asia/Kolkata",
      batch: "A",
      appointment_type_id: null,
      appointment_type_name: null,
      ...PATIENT,
      source: "api",
      source_id: null,
      external_id: null,
      practitioner: null,
      wish: null,
      call_id: null,
      created_at: "2026-11-15T06:00:00.000Z",
      updated_at: "2026-11-15T06:00:00.000Z",
      cancelled_at: null,
      completed_at: null,
      contact_confirmed_at: null,
      change_requested_at: null,
      contact_moved_at: null,
      contact_time_zone: null,
      contact_region: null,
      contact_cancelled_at: null,
    });
    expect((await read(data.appointment_id)).json as object).toEqual({ data });
    expect(await fill()).toBe(1);
  });

  test("needs only a slot_id, in any of its dated forms", async () => {
    expect((await clinic.book(`${on(window, MONDAY)}||any`)).contact_name).toBeNull();
    expect((await clinic.book(encodeURIComponent(on(window, MONDAY)))).slot_id).toBe(on(window, MONDAY));
    expect((await clinic.book(on(window, MONDAY).toUpperCase())).slot_id).toBe(on(window, MONDAY));
  });

  test("keeps the hours and batch from its creation, whatever happens to the window", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    await clinic.patchWindow(window.slot_id, { start_time: "07:00", batch_name: "Z" });
    expect((await read(appointment_id)).json.data as object).toMatchObject({ start_time: "09:00", batch: "A" });
  });

  test("takes slots until the window is full on that date, then 409", async () => {
    for (let i = 0; i < 3; i++) await clinic.book(on(window, MONDAY));
    const full = await clinic.postAppointment(on(window, MONDAY));
    expect(refusal(full)).toEqual([409, "SLOT_FULL"]);
    expect(full.json["success"] as unknown).toBeUndefined();
    expect(await fill()).toBe(3);
    await clinic.book(on(window, NEXT_MONDAY));
  });

  test("a closed window accepts no new ones and keeps its appointments", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    await clinic.request("POST", `/v1/appointment-slots/${window.slot_id}/disable`);
    expect(refusal(await clinic.postAppointment(on(window, MONDAY)))).toEqual([409, "SLOT_FULL"]);
    expect((await read(appointment_id)).json.data["status"] as unknown).toBe("confirmed");
    await clinic.patchWindow(window.slot_id, { status: "OPEN" });
    await clinic.book(on(window, MONDAY));
    expect(await fill()).toBe(2);
  });

  test.each([
    ["no slot_id", () => ({ slot_id: undefined })],
    ["a plain window", () => ({ slot_id: window.slot_id })],
    ["garbage", () => ({ slot_id: "garbage" })],
    ["an unknown window", () => ({ slot_id: `${UNKNOWN_UUID}||${MONDAY}` })],
    ["another day of the week", () => ({ slot_id: on(window, "2026-11-17") })],
    ["a day that is over", () => ({ slot_id: on(window, "2026-11-09") })],
    ["no date", () => ({ slot_id: on(window, "2026-02-30") })],
    ["a number", () => ({ slot_id: 7 })],
  ])("slot_id: %s is refused", async (_what, changes) => {
    expect(refusal(await clinic.postAppointment("", changes()))).toEqual([400, "VALIDATION_ERROR", "slot_id"]);
    expect(await clinic.appointmentRows()).toEqual([]);
  });

  test.each([
    ["contact_name", 5],
    ["contact_email", true],
    ["notes", { text: "x" }],
    ["notes", "x".repeat(2_001)],
    ["contact_number", 919810012345],
    ["appointment_type_id", "cardiology"],
  ])("%s of %j is refused", async (field, value) => {
    expect(refusal(await clinic.postAppointment(on(window, MONDAY), { [field]: value }))).toEqual([
      400,
      "VALIDATION_ERROR",
      field,
    ]);
  });

  test.each([
    ["9810012345", "INVALID_PHONE_NUMBER"],
    ["+91 98100 12345", "INVALID_PHONE_NUMBER"],
    ["+9198", "INVALID_PHONE_NUMBER"],
    ["", "INVALID_PHONE_NUMBER"],
    ["+442071838750", "UNSUPPORTED_COUNTRY"],
  ])("contact_number %j is 422 %s", async (contact_number, code) => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    const answers = [
      await clinic.postAppointment(on(window, MONDAY), { contact_number }),
      await clinic.patchAppointment(appointment_id, { contact_number }),
    ];
    for (const answer of answers) expect(refusal(answer).slice(0, 2)).toEqual([422, code]);
    expect(await fill()).toBe(1);
  });

  test("the body is validated before the number, and the number before its window", async () => {
    const contact_number = "+442071838750";
    expect((await clinic.postAppointment("garbage", { contact_number })).status).toBe(400);
    expect((await clinic.postAppointment(`${UNKNOWN_UUID}||${MONDAY}`, { contact_number })).status).toBe(422);
    expect((await clinic.patchAppointment("apt_unknown", { slot_id: "garbage", contact_number })).status).toBe(400);
  });
});

describe("the service", () => {
  test("is the window's if the window is restricted to one; another is rejected", async () => {
    const heart = await clinic.createWindow({ appointment_type_id: SERVICE });
    expect((await clinic.book(on(heart, MONDAY))).appointment_type_id).toBe(SERVICE);
    expect(
      (await clinic.book(on(heart, MONDAY), { appointment_type_id: SERVICE.toUpperCase() })).appointment_type_id,
    ).toBe(SERVICE);
    const answer = await clinic.postAppointment(on(heart, MONDAY), { appointment_type_id: OTHER_SERVICE });
    expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", "appointment_type_id"]);
  });

  test("is free otherwise, registered on first use, and shown by its name once it has one", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY), { appointment_type_id: OTHER_SERVICE });
    expect((await clinic.request("GET", "/v1/appointments/services")).json.data as unknown).toEqual([
      { appointment_type_id: OTHER_SERVICE, appointment_type_name: null },
    ]);
    await clinic.app.services.directory.setService(clinic.organisationId, OTHER_SERVICE, "Eye clinic", CLI_ACTOR);
    expect((await read(appointment_id)).json.data["appointment_type_name"] as unknown).toBe("Eye clinic");
    await clinic.newEvents();
    await clinic.change(appointment_id, { notes: "x" });
    expect((await clinic.newEvents())[0]!.data["appointment_type_name"]).toBe("Eye clinic");
  });

  test("can be changed by a PATCH if the window allows it", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    expect(
      (await clinic.change(appointment_id, { appointment_type_id: SERVICE.toUpperCase() })).appointment_type_id,
    ).toBe(SERVICE);
    expect((await clinic.change(appointment_id, { appointment_type_id: null })).appointment_type_id).toBeNull();
    const heart = await clinic.createWindow({ appointment_type_id: SERVICE });
    const restricted = await clinic.book(on(heart, MONDAY));
    expect(
      refusal(await clinic.patchAppointment(restricted.appointment_id, { appointment_type_id: OTHER_SERVICE })),
    ).toEqual([400, "VALIDATION_ERROR", "appointment_type_id"]);
  });
});
