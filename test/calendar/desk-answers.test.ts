// Answers of a contact to a reminder: the appointment is found, confirmed, moved, or marked for another time.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { BookingDesk } from "../../src/calendar/desk-port.ts";
import type { Slot } from "../../src/payloads/slot.ts";
import { settle } from "../support/manual-clock.ts";
import { BRANCH, createClinic, MONDAY, NEXT_MONDAY, on, type Clinic } from "./clinic.ts";

const CONTACT = "+919810012345";

let clinic: Clinic;
let window: Slot;
beforeEach(async () => {
  clinic = await createClinic();
  window = await clinic.createWindow();
  await clinic.app.start();
});
afterEach(() => clinic.close());

async function call(changes: Record<string, unknown> = {}): Promise<{ callId: string; desk: BookingDesk }> {
  const callId = await clinic.dial({ user_number: CONTACT, ...changes });
  clinic.carrier.ring(callId);
  clinic.carrier.answer(callId);
  await settle();
  return { callId, desk: clinic.carrier.dialled.find((request) => request.callId === callId)!.desk! };
}

const book = (date = MONDAY, changes: Record<string, unknown> = {}) =>
  clinic.book(on(window, date), { contact_number: CONTACT, ...changes });
const read = async (id: string) =>
  (await clinic.request("GET", `/v1/appointments/${id}`)).json.data as Record<string, unknown>;

describe("the appointment that a call is about", () => {
  test("is the one named by the call", async () => {
    await book(MONDAY);
    const later = await book(NEXT_MONDAY, { contact_number: "+919810000001" });
    const { desk } = await call({ additional_info: { appointment_id: later.appointment_id } });
    expect(await desk.appointment()).toEqual({ date: NEXT_MONDAY, startTime: "09:00" });
  });

  test("is otherwise the contact's next one, found by number", async () => {
    await book(NEXT_MONDAY);
    await book(MONDAY);
    await book(MONDAY, { contact_number: "+919810000001" });
    expect(await (await call()).desk.appointment()).toEqual({ date: MONDAY, startTime: "09:00" });
  });

  test("is none if it was cancelled, is over, or belongs to another organisation", async () => {
    const cancelled = await book();
    await clinic.change(cancelled.appointment_id, { status: "cancelled" });
    expect(await (await call()).desk.appointment()).toBeNull();
    const { desk } = await call({
      additional_info: { appointment_id: "apt_of_somebody_else" },
      user_number: "+919810000002",
    });
    expect(await desk.appointment()).toBeNull();
  });
});

describe("an answer", () => {
  test("of yes is stored with the appointment and published by appointment.updated", async () => {
    const { appointment_id } = await book();
    const { callId, desk } = await call();
    await desk.appointment();
    await clinic.newEvents();
    expect(await desk.confirm()).toBe(true);
    const now = new Date(clinic.clock.now()).toISOString();
    expect(await read(appointment_id)).toMatchObject({ status: "confirmed", contact_confirmed_at: now });
    const [event] = await clinic.newEvents();
    expect(event).toMatchObject({ type: "appointment.updated", data: { appointment_id, contact_confirmed_at: now } });

    clinic.carrier.complete(callId);
    await settle();
    const completed = (await clinic.eventsOf(callId)).at(-1)!;
    expect(completed.parsed.appointment_details).toMatchObject({ appointment_id });
  });

  test("of yes to a time that has changed since it was read out is not stored", async () => {
    const { appointment_id } = await book();
    const { desk } = await call();
    await desk.appointment();
    await clinic.change(appointment_id, { slot_id: on(window, NEXT_MONDAY) });
    expect(await desk.confirm()).toBe(false);
    expect(await read(appointment_id)).toMatchObject({ date: NEXT_MONDAY, contact_confirmed_at: null });
    expect(await desk.requestChange()).toBe(true);
  });

  test("of another time is stored, and revokes an earlier yes", async () => {
    const { appointment_id } = await book();
    const { desk } = await call();
    await desk.appointment();
    await desk.confirm();
    expect(await desk.requestChange()).toBe(true);
    const now = new Date(clinic.clock.now()).toISOString();
    expect(await read(appointment_id)).toMatchObject({ contact_confirmed_at: null, change_requested_at: now });
  });

  test("is rejected before the appointment is looked up, and after it is cancelled", async () => {
    const { appointment_id } = await book();
    const { desk } = await call();
    expect(await desk.confirm()).toBe(false);
    await desk.appointment();
    await clinic.change(appointment_id, { status: "cancelled" });
    expect(await desk.confirm()).toBe(false);
    expect(await desk.requestChange()).toBe(false);
  });

  test("is cleared when the appointment is moved", async () => {
    const { appointment_id } = await book();
    const { desk } = await call();
    await desk.appointment();
    await desk.confirm();
    await clinic.change(appointment_id, { slot_id: on(window, NEXT_MONDAY) });
    expect(await read(appointment_id)).toMatchObject({ contact_confirmed_at: null, change_requested_at: null });
  });
});

describe("another time, chosen in the call", () => {
  test("moves the appointment, releases the old slot and takes no slot twice", async () => {
    const { appointment_id } = await book();
    const { desk } = await call();
    await desk.appointment();
    const [offer] = await desk.offer(1);
    expect(offer).toMatchObject({ date: NEXT_MONDAY });
    expect(await desk.book("A")).toMatchObject({ date: NEXT_MONDAY, startTime: "09:00" });
    expect(await read(appointment_id)).toMatchObject({ date: NEXT_MONDAY, source: "api" });
    expect((await read(appointment_id))["contact_confirmed_at"]).not.toBeNull();
    const filled = (await clinic.tracking()).map(({ date, filled_slots }) => [date, filled_slots]);
    expect(filled).toContainEqual([MONDAY, 0]);
    expect(filled).toContainEqual([NEXT_MONDAY, 1]);
    expect(await clinic.appointmentRows()).toHaveLength(1);
  });

  test("is offered at the appointment's own branch, although the agent has none", async () => {
    await clinic.createWindow({ branch_id: "0190a1b2-0000-7000-8000-00000000000c" });
    await book();
    const { desk } = await call();
    expect(desk.canBook).toBe(false);
    expect(await desk.offer(5)).toEqual([]);
    await desk.appointment();
    expect((await desk.offer(5)).map(({ date }) => date)).not.toContain(MONDAY);
    expect(window.branch_id).toBe(BRANCH);
  });

  test("that was taken meanwhile keeps the appointment where it was", async () => {
    const { appointment_id } = await book();
    const { desk } = await call();
    await desk.appointment();
    await desk.offer(1);
    await clinic.override(on(window, NEXT_MONDAY), { status: "CLOSED" });
    expect(await desk.book("A")).toBeNull();
    expect(await read(appointment_id)).toMatchObject({ date: MONDAY });
  });

  test("without an appointment books one", async () => {
    const { desk } = await call({ additional_info: { branch_id: BRANCH } });
    expect(await desk.appointment()).toBeNull();
    await desk.offer(1);
    await desk.book("A");
    expect((await clinic.appointmentRows())[0]).toMatchObject({ source: "ai", date: MONDAY });
  });
});

describe("a contact who will not attend", () => {
  test("cancels: the slot is open again, and the hospital is notified", async () => {
    const { appointment_id } = await book();
    const { desk } = await call();
    await desk.appointment();
    await clinic.newEvents();
    expect(await desk.cancel()).toBe(true);
    expect(await read(appointment_id)).toMatchObject({ status: "cancelled" });
    expect((await clinic.newEvents()).map(({ type }) => type)).toContain("appointment.cancelled");
    expect(await desk.cancel()).toBe(false);
  });

  test("does not cancel a time that was not read out", async () => {
    const { appointment_id } = await book();
    const { desk } = await call();
    await desk.appointment();
    await clinic.change(appointment_id, { slot_id: on(window, NEXT_MONDAY) });
    expect(await desk.cancel()).toBe(false);
    expect(await read(appointment_id)).toMatchObject({ status: "confirmed" });
  });
});

describe("a contact who names a day", () => {
  const wish = (date: string | null, time: string | null = null) => ({ date, dateEnd: null, time, partOfDay: null });

  test("is offered that day first, however far ahead, and otherwise the nearest ones", async () => {
    const { desk } = await call({ additional_info: { branch_id: BRANCH } });
    const [first] = await desk.offer(3, wish(NEXT_MONDAY));
    expect(first).toMatchObject({ date: NEXT_MONDAY });
    const farAhead = new Date(Date.parse(MONDAY) + 8 * 7 * 86_400_000).toISOString().slice(0, 10);
    expect((await desk.offer(1, wish(farAhead)))[0]).toMatchObject({ date: farAhead });
    const dayBefore = new Date(Date.parse(farAhead) - 86_400_000).toISOString().slice(0, 10);
    expect((await desk.offer(1, wish(dayBefore)))[0]).toMatchObject({ date: farAhead });
    expect(await desk.offer(1, wish("2099-01-01"))).toHaveLength(1);
  });
});
