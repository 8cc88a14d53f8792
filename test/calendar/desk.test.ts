// The agent's booking desk: offers real slots, holds them while the caller decides, books within the agent's share.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { BookingDesk } from "../../src/calendar/desk-port.ts";
import { settle } from "../support/manual-clock.ts";
import {
  BRANCH,
  createClinic,
  MONDAY,
  NEXT_MONDAY,
  on,
  OTHER_SERVICE,
  refusal,
  SERVICE,
  UNKNOWN_UUID,
  type Clinic,
} from "./clinic.ts";

let clinic: Clinic;
beforeEach(async () => {
  clinic = await createClinic({ agent: { branch_id: BRANCH } });
  await clinic.app.start();
});
afterEach(() => clinic.close());

let callers = 0;
/** An answered call, and its agent's booking desk. */
async function answeredCall(changes: Record<string, unknown> = {}): Promise<{ callId: string; desk: BookingDesk }> {
  const callId = await clinic.dial({ user_number: `+91981001${String(1_000 + callers++)}`, ...changes });
  clinic.carrier.ring(callId);
  clinic.carrier.answer(callId);
  await settle();
  return { callId, desk: clinic.carrier.dialled.find((request) => request.callId === callId)!.desk! };
}

const first = async (query = "") => (await clinic.availability(query))[0]!;
const holds = () => clinic.db.reader.selectFrom("slot_holds").selectAll().orderBy("id").execute();

describe("an offer", () => {
  test("is the next open slots, named by letters, each held for 90 seconds", async () => {
    await clinic.createWindow();
    await clinic.createWindow({ session: "Evening" });
    const { callId, desk } = await answeredCall();
    expect(await desk.offer(3)).toEqual([
      { label: "A", date: MONDAY, startTime: "09:00", endTime: "12:00" },
      { label: "B", date: MONDAY, startTime: "17:00", endTime: "21:00" },
      { label: "C", date: NEXT_MONDAY, startTime: "09:00", endTime: "12:00" },
    ]);
    const kept = await holds();
    expect(kept.length).toBe(3);
    for (const hold of kept) expect(hold).toMatchObject({ call_id: callId, expires_at: clinic.clock.now() + 90_000 });
  });

  test("counts as taken for everyone else, even on a date without bookings", async () => {
    const window = await clinic.createWindow({ ai_slots: 1, max_slots: 2 });
    const { desk } = await answeredCall();
    await desk.offer(1);
    expect(await first()).toMatchObject({
      filled_slots: 0,
      available_slots: 1,
      ai_filled_slots: 0,
      ai_available_slots: 0,
    });
    expect((await clinic.tracking())[0]).toMatchObject({
      available_slots: 1,
      ai_available_slots: 0,
      overridden: false,
    });
    await clinic.book(on(window, MONDAY));
    expect(refusal(await clinic.postAppointment(on(window, MONDAY)))).toEqual([409, "SLOT_FULL"]);
  });

  test("is still counted after a regeneration", async () => {
    await clinic.createWindow({ ai_slots: 1, max_slots: 2 });
    await (await answeredCall()).desk.offer(1);
    const before = await clinic.tracking();
    await clinic.regenerate({ reset_overrides: true });
    expect(await clinic.tracking()).toEqual(before);
  });

  test("releases the previous offer, and can offer the same slots again", async () => {
    await clinic.createWindow({ ai_slots: 1, max_slots: 1 });
    const { desk } = await answeredCall();
    const offered = await desk.offer(1);
    expect(await desk.offer(1)).toEqual(offered);
    expect(await desk.offer(2)).toMatchObject([{ date: MONDAY }, { date: NEXT_MONDAY }]);
    expect((await holds()).length).toBe(2);
  });

  test("leaves out slots that are full for the agent, closed, over or for another service", async () => {
    await clinic.createWindow({ ai_slots: 0, max_slots: 5 });
    await clinic.createWindow({ status: "CLOSED" });
    await clinic.createWindow({ appointment_type_id: OTHER_SERVICE });
    await clinic.createWindow({ branch_id: UNKNOWN_UUID });
    await clinic.createWindow({ day: "sunday", end_time: "11:00" });
    const full = await clinic.createWindow({ ai_slots: 1, max_slots: 1 });
    await clinic.book(on(full, MONDAY));
    const { desk } = await answeredCall({ additional_info: { branch_id: BRANCH, appointment_type_id: SERVICE } });
    const offered = await desk.offer(5);
    expect(offered.map(({ date, startTime }) => `${date} ${startTime}`)).toEqual([
      "2026-11-22 09:00",
      `${NEXT_MONDAY} 09:00`,
      "2026-11-29 09:00",
    ]);
  });

  test("is empty if nothing is open", async () => {
    const { desk } = await answeredCall();
    expect(await desk.offer(2)).toEqual([]);
    expect(await desk.book("A")).toBeNull();
    expect(await clinic.appointmentRows()).toEqual([]);
  });

  test("contains at most five slots", async () => {
    for (const day of ["monday", "tuesday", "wednesday"]) await clinic.createWindow({ day });
    expect((await (await answeredCall()).desk.offer(100)).map(({ label }) => label)).toEqual(["A", "B", "C", "D", "E"]);
  });
});

describe("a hold ends", () => {
  test("after 90 seconds, to the millisecond", async () => {
    const window = await clinic.createWindow({ ai_slots: 1, max_slots: 1 });
    await (await answeredCall()).desk.offer(1);
    clinic.clock.pass(90_000 - 1);
    expect(refusal(await clinic.postAppointment(on(window, MONDAY)))).toEqual([409, "SLOT_FULL"]);
    expect((await first()).available_slots).toBe(0);
    clinic.clock.pass(1);
    expect((await first()).available_slots).toBe(1);
    await clinic.book(on(window, MONDAY));
  });

  test.each(["completes", "fails"])("when the call %s", async (way) => {
    const window = await clinic.createWindow({ ai_slots: 1, max_slots: 1 });
    const { callId, desk } = await answeredCall();
    await desk.offer(2);
    if (way === "completes") clinic.carrier.complete(callId);
    else clinic.carrier.fail(callId, "carrier_error");
    await settle();
    expect(await holds()).toEqual([]);
    await clinic.book(on(window, MONDAY));
  });

  test("when the slot is booked, together with the other offers", async () => {
    await clinic.createWindow();
    const { desk } = await answeredCall();
    await desk.offer(2);
    await desk.book("B");
    expect(await holds()).toEqual([]);
    expect(
      (await clinic.availability()).map(({ date, filled_slots, available_slots }) => [
        date,
        filled_slots,
        available_slots,
      ]),
    ).toEqual([
      [MONDAY, 0, 10],
      [NEXT_MONDAY, 1, 9],
    ]);
  });

  test("and its row is deleted within minutes", async () => {
    await clinic.createWindow();
    await (await answeredCall()).desk.offer(2);
    // The first round after a start waits until the clock is trusted.
    await clinic.clock.advance(12 * 60_000);
    await settle();
    expect(await holds()).toEqual([]);
  });
});

describe("booking", () => {
  test("carries the name given by the caller, if the call has none", async () => {
    await clinic.createWindow();
    const contactNameOf = async (callId: string) =>
      (await clinic.db.reader.selectFrom("appointments").selectAll().where("call_id", "=", callId).execute())[0]
        ?.contact_name;
    const unknown = await answeredCall();
    await unknown.desk.offer(1);
    await unknown.desk.book("A", "Asha Rao");
    expect(await contactNameOf(unknown.callId)).toBe("Asha Rao");
    const known = await answeredCall({ user_name: "Meera" });
    await known.desk.offer(1);
    await known.desk.book("A", "Asha Rao");
    expect(await contactNameOf(known.callId)).toBe("Meera");
  });

  test("creates the caller's appointment, with the agent as its source, its events and audit entry", async () => {
    const window = await clinic.createWindow({ appointment_type_id: SERVICE, batch_name: "A" });
    const { callId, desk } = await answeredCall({
      user_name: "Meera",
      user_email: "meera@example.org",
      user_number: "+919810099999",
    });
    await desk.offer(2);
    await clinic.newEvents();
    expect(await desk.book("A")).toEqual({ label: "A", date: MONDAY, startTime: "09:00", endTime: "12:00" });
    const list = await clinic.request("GET", `/v1/appointments?call_id=${callId}`);
    expect(list.json.data as unknown).toMatchObject([
      {
        status: "confirmed",
        source: "ai",
        call_id: callId,
        slot_id: on(window, MONDAY),
        batch: "A",
        appointment_type_id: SERVICE,
        contact_name: "Meera",
        contact_number: "+919810099999",
        contact_email: "meera@example.org",
      },
    ]);
    expect((await clinic.newEvents()).map(({ type }) => type)).toEqual(["appointment.created", "slot.updated"]);
    expect(await first()).toMatchObject({
      filled_slots: 1,
      available_slots: 9,
      ai_filled_slots: 1,
      ai_available_slots: 3,
    });
    expect(await clinic.actionsOnRecord()).toContain("appointment.created");
  });

  test("two calls cannot both be offered the agent's last slot", async () => {
    await clinic.createWindow({ ai_slots: 1, max_slots: 5 });
    const [one, two] = [await answeredCall(), await answeredCall()];
    const offers = await Promise.all([one.desk.offer(1), two.desk.offer(1)]);
    expect(offers.map(([offer]) => offer!.date).toSorted()).toEqual([MONDAY, NEXT_MONDAY]);
    const booked = await Promise.all([one.desk.book("A"), two.desk.book("A")]);
    expect(booked.map((offer) => String(offer?.date)).toSorted()).toEqual([MONDAY, NEXT_MONDAY]);
    const rows = await clinic.db.reader.selectFrom("window_dates").selectAll().orderBy("date").execute();
    expect(rows.map(({ filled, ai_filled }) => [filled, ai_filled])).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  test("with an expired hold still works while there is capacity, and is rejected afterwards", async () => {
    await clinic.createWindow({ ai_slots: 1, max_slots: 5 });
    const [slow, quick, slower] = [await answeredCall(), await answeredCall(), await answeredCall()];
    await slow.desk.offer(1);
    clinic.clock.pass(90_000);
    expect(await slow.desk.book("A")).toMatchObject({ date: MONDAY });
    expect(await slower.desk.offer(1)).toMatchObject([{ date: NEXT_MONDAY }]);
    clinic.clock.pass(90_000);
    expect(await quick.desk.offer(1)).toMatchObject([{ date: NEXT_MONDAY }]);
    expect(await slower.desk.book("A")).toBeNull();
    expect(await quick.desk.book("A")).toMatchObject({ date: NEXT_MONDAY });
  });

  test.each([
    ["closed", (slotId: string) => clinic.override(slotId, { status: "CLOSED" })],
    ["given less to the agent", (slotId: string) => clinic.override(slotId, { ai_slots: 0 })],
    ["made smaller", (slotId: string) => clinic.override(slotId, { max_slots: 0 })],
    ["moved to another day", (slotId: string) => clinic.patchWindow(slotId, { day: "friday" })],
    ["over", async () => clinic.clock.pass(3 * 86_400_000)],
  ])("a place that was %s meanwhile is gone, and the caller keeps nothing", async (_what, happens) => {
    const window = await clinic.createWindow();
    const { desk } = await answeredCall();
    await desk.offer(1);
    await happens(on(window, MONDAY));
    expect(await desk.book("A")).toBeNull();
    expect(await clinic.appointmentRows()).toEqual([]);
  });

  test("a letter that was not offered books nothing", async () => {
    await clinic.createWindow();
    const { desk } = await answeredCall();
    await desk.offer(1);
    for (const label of ["B", "a", "", "Z"]) expect(await desk.book(label)).toBeNull();
    expect(await clinic.appointmentRows()).toEqual([]);
  });

  test("the same letter twice is one appointment", async () => {
    await clinic.createWindow();
    const { desk } = await answeredCall();
    await desk.offer(2);
    const booked = await desk.book("A");
    expect(await desk.book("A")).toEqual(booked);
    expect((await clinic.appointmentRows()).length).toBe(1);
  });

  test("stops at the agent's share while staff can continue", async () => {
    const window = await clinic.createWindow({ ai_slots: 2, max_slots: 4 });
    for (let i = 0; i < 2; i++) {
      const { desk } = await answeredCall();
      await desk.offer(1);
      expect((await desk.book("A"))?.date).toBe(MONDAY);
    }
    expect((await (await answeredCall()).desk.offer(1))[0]?.date).toBe(NEXT_MONDAY);
    for (let i = 0; i < 2; i++) await clinic.book(on(window, MONDAY));
    expect(refusal(await clinic.postAppointment(on(window, MONDAY)))).toEqual([409, "SLOT_FULL"]);
  });

  test("moved by staff, an appointment of the agent takes any free slot and leaves its share", async () => {
    const window = await clinic.createWindow({ ai_slots: 1, max_slots: 2 });
    for (let i = 0; i < 2; i++) {
      const { desk } = await answeredCall();
      await desk.offer(1);
      await desk.book("A");
    }
    const [onMonday] = await clinic.appointmentRows();
    await clinic.change(onMonday!.id, { slot_id: on(window, NEXT_MONDAY) });
    expect(await first()).toMatchObject({ filled_slots: 0, ai_filled_slots: 0, ai_available_slots: 1 });
    const nextMonday = async () => (await clinic.availability(`?from=${NEXT_MONDAY}&to=${NEXT_MONDAY}`))[0];
    const bothThere = { filled_slots: 2, ai_filled_slots: 1, available_slots: 0 };
    expect(await nextMonday()).toMatchObject(bothThere);
    await clinic.regenerate({ from: NEXT_MONDAY });
    expect(await nextMonday()).toMatchObject(bothThere);
    await clinic.change(onMonday!.id, { status: "cancelled" });
    expect(await nextMonday()).toMatchObject({ filled_slots: 1, ai_filled_slots: 1, ai_available_slots: 0 });
  });

  test("moved by staff and then by the agent, it counts in the agent's share again", async () => {
    const window = await clinic.createWindow({ ai_slots: 1, max_slots: 2 });
    const { desk } = await answeredCall();
    await desk.offer(1);
    await desk.book("A");
    const [row] = await clinic.appointmentRows();
    await clinic.change(row!.id, { slot_id: on(window, NEXT_MONDAY) });
    const again = (await answeredCall()).desk;
    await again.appointment();
    await again.offer(1);
    await again.book("A");
    expect(await first()).toMatchObject({ filled_slots: 1, ai_filled_slots: 1, ai_available_slots: 0 });
  });
});

describe("the call with the booking", () => {
  test("carries the appointment in call.completed", async () => {
    const window = await clinic.createWindow();
    const { callId, desk } = await answeredCall();
    await desk.offer(1);
    await desk.book("A");
    clinic.carrier.complete(callId);
    const completed = (await clinic.eventsOf(callId)).at(-1)!;
    expect([completed.type, completed.parsed.appointment_details]).toMatchObject([
      "call.completed",
      { slot_id: on(window, MONDAY), call_id: callId },
    ]);
  });

  test("when erased, erases the patient's data and keeps the slot booked", async () => {
    await clinic.createWindow();
    const { callId, desk } = await answeredCall({ user_name: "Meera" });
    await desk.offer(1);
    await desk.book("A");
    clinic.carrier.complete(callId);
    await settle();
    expect((await clinic.request("DELETE", `/v1/calls/${callId}`)).status).toBe(200);
    const [row] = await clinic.appointmentRows();
    expect(row).toMatchObject({
      status: "confirmed",
      contact_name: null,
      contact_number: null,
      contact_email: null,
      notes: null,
      call_id: null,
    });
    expect(await first()).toMatchObject({ filled_slots: 1, ai_filled_slots: 1 });
    const events = await clinic.db.reader
      .selectFrom("events")
      .select("type")
      .where("appointment_id", "is not", null)
      .execute();
    expect(events).toEqual([]);
  });
});
