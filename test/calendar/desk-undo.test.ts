// Undo within the same call: the calendar returns to its previous state, or a person is notified.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { BookingDesk } from "../../src/calendar/desk-port.ts";
import type { Slot } from "../../src/payloads/slot.ts";
import { settle } from "../support/manual-clock.ts";
import { BRANCH, createClinic, MONDAY, NEXT_MONDAY, on, type Clinic } from "./clinic.ts";

const CONTACT = "+919810012345";

let clinic: Clinic;
let window: Slot;
beforeEach(async () => {
  clinic = await createClinic();
  window = await clinic.createWindow({ max_slots: 1, ai_slots: 1 });
  await clinic.app.start();
});
afterEach(() => clinic.close());

async function call(): Promise<{ callId: string; desk: BookingDesk }> {
  const callId = await clinic.dial({ user_number: CONTACT, additional_info: { branch_id: BRANCH } });
  clinic.carrier.ring(callId);
  clinic.carrier.answer(callId);
  await settle();
  return { callId, desk: clinic.carrier.dialled.find((request) => request.callId === callId)!.desk! };
}

const book = (date = MONDAY, number = CONTACT) => clinic.book(on(window, date), { contact_number: number });
const read = async (id: string) =>
  (await clinic.request("GET", `/v1/appointments/${id}`)).json.data as Record<string, unknown>;
const ofContact = async () =>
  (await clinic.request("GET", `/v1/appointments?contact_number=${encodeURIComponent(CONTACT)}`)).json
    .data as unknown as Record<string, unknown>[];

test("a confirmation: the appointment is unconfirmed, and the hospital's systems are notified", async () => {
  const { appointment_id } = await book();
  const { desk } = await call();
  await desk.appointment();
  await desk.confirm();
  await clinic.newEvents();
  expect(await desk.undo!()).toEqual({ isDone: true, appointment: { date: MONDAY, startTime: "09:00" } });
  expect(await read(appointment_id)).toMatchObject({
    status: "confirmed",
    contact_confirmed_at: null,
    change_requested_at: null,
  });
  expect(await clinic.newEvents()).toMatchObject([{ type: "appointment.updated" }]);
  // A repeated undo has no effect; the contact can confirm again.
  expect(await desk.undo!()).toMatchObject({ isDone: true });
  expect(await desk.confirm()).toBeTrue();
  expect((await read(appointment_id))["contact_confirmed_at"]).not.toBeNull();
});

test("a move: the old slot was kept for the contact, and is theirs again", async () => {
  const { appointment_id } = await book();
  const { desk } = await call();
  await desk.appointment();
  const [offer] = await desk.offer(1, null);
  expect(await desk.book(offer!.label)).toMatchObject({ date: NEXT_MONDAY });
  // Its only slot is held during the call.
  const other = { slot_id: on(window, MONDAY), contact_number: "+919810000001" };
  const taken = await clinic.request("POST", "/v1/appointments", { body: other });
  expect(taken.json.error.code).toBe("SLOT_FULL");
  expect(await desk.undo!()).toEqual({ isDone: true, appointment: { date: MONDAY, startTime: "09:00" } });
  expect(await read(appointment_id)).toMatchObject({ date: MONDAY, contact_confirmed_at: null });
  // The new slot is open to others.
  expect(await book(NEXT_MONDAY, "+919810000001")).toMatchObject({ date: NEXT_MONDAY });
});

test("a move whose old slot is taken stays, and the hospital is told that another time is wanted", async () => {
  const { appointment_id } = await book();
  const { desk } = await call();
  await desk.appointment();
  const [offer] = await desk.offer(1, null);
  await desk.book(offer!.label);
  await clinic.clock.advance(91_000);
  await book(MONDAY, "+919810000001");
  expect(await desk.undo!()).toEqual({ isDone: false, appointment: { date: NEXT_MONDAY, startTime: "09:00" } });
  expect(await read(appointment_id)).toMatchObject({ date: NEXT_MONDAY, contact_confirmed_at: null });
  expect((await read(appointment_id))["change_requested_at"]).not.toBeNull();
});

test("a new booking: it is cancelled, its slot open, and the same one can be booked again", async () => {
  const { callId, desk } = await call();
  expect(await desk.appointment()).toBeNull();
  const [offer] = await desk.offer(1, null);
  await desk.book(offer!.label);
  expect(await ofContact()).toMatchObject([{ status: "confirmed" }]);
  expect(await desk.undo!()).toEqual({ isDone: true, appointment: null });
  expect(await ofContact()).toMatchObject([{ status: "cancelled" }]);
  expect(await desk.book(offer!.label)).toMatchObject({ date: offer!.date });
  const statuses = (await ofContact()).map(({ status }) => String(status));
  expect(new Set(statuses)).toEqual(new Set(["cancelled", "confirmed"]));
  clinic.carrier.complete(callId);
  await settle();
});

test("a cancellation: the contact has an appointment in the same slot again", async () => {
  const { appointment_id } = await book();
  const { desk } = await call();
  await desk.appointment();
  expect(await desk.cancel()).toBeTrue();
  expect(await desk.undo!()).toEqual({ isDone: true, appointment: { date: MONDAY, startTime: "09:00" } });
  expect(await read(appointment_id)).toMatchObject({ status: "cancelled" });
  const again = (await ofContact()).find(({ status }) => status === "confirmed");
  expect(again).toMatchObject({ date: MONDAY, contact_confirmed_at: null });
  expect(await desk.confirm()).toBeTrue();
});

test("nothing: a call without changes undoes nothing", async () => {
  const { appointment_id } = await book();
  const { desk } = await call();
  await desk.appointment();
  expect(await desk.undo!()).toMatchObject({ isDone: true });
  expect(await read(appointment_id)).toMatchObject({ status: "confirmed", date: MONDAY });
});
