// Changes, moves and ends of appointments over HTTP: state and capacity change together.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Slot } from "../../src/payloads/slot.ts";
import {
  createClinic,
  MONDAY,
  NEXT_MONDAY,
  on,
  OTHER_SERVICE,
  refusal,
  SERVICE,
  TODAY,
  UNKNOWN_UUID,
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
  notes: "first visit",
};

describe("changing an appointment", () => {
  test("updates only the given fields; null clears", async () => {
    const made = await clinic.book(on(window, MONDAY), PATIENT);
    await clinic.clock.advance(1_000);
    const updated_at = "2026-11-15T06:00:01.000Z";
    expect(await clinic.change(made.appointment_id, { notes: null, contact_name: "M. Iyer" })).toEqual({
      ...made,
      notes: null,
      contact_name: "M. Iyer",
      updated_at,
    });
  });

  test.each([
    ["nothing", {}],
    ["unknown fields alone", { source: "ai", call_id: "call_1", date: TODAY, batch: "Z" }],
  ])("%s is rejected", async (_what, body) => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    expect(refusal(await clinic.patchAppointment(appointment_id, body))).toEqual([400, "VALIDATION_ERROR"]);
  });

  test("read-only fields are ignored beside writable ones", async () => {
    const made = await clinic.book(on(window, MONDAY));
    const body = { notes: "x", source: "ai", call_id: "call_1", organisation_id: "org_1", created_at: 0, id: "apt_1" };
    expect(await clinic.change(made.appointment_id, body)).toEqual({ ...made, notes: "x" });
  });

  test("an unknown one is 404, an unknown status 400", async () => {
    expect(refusal(await clinic.patchAppointment("apt_unknown", { notes: "x" }))).toEqual([404, "NOT_FOUND"]);
    expect(refusal(await read("apt_unknown"))).toEqual([404, "NOT_FOUND"]);
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    expect(refusal(await clinic.patchAppointment(appointment_id, { status: "late" }))).toEqual([
      400,
      "VALIDATION_ERROR",
      "status",
    ]);
  });
});

describe("rescheduling", () => {
  test("takes the new slot and releases the old one", async () => {
    const evening = await clinic.createWindow({ session: "Evening", batch_name: "E" });
    const made = await clinic.book(on(window, MONDAY), PATIENT);
    const moved = await clinic.change(made.appointment_id, { slot_id: on(evening, NEXT_MONDAY) });
    expect(moved).toEqual({
      ...made,
      slot_id: on(evening, NEXT_MONDAY),
      date: NEXT_MONDAY,
      start_time: "17:00",
      end_time: "21:00",
      starts_at: "2026-11-23T11:30:00.000Z",
      ends_at: "2026-11-23T15:30:00.000Z",
      batch: "E",
    });
    const filled = (await clinic.availability()).filter(({ filled_slots }) => filled_slots! > 0);
    expect(filled.map(({ slot_id, filled_slots }) => [slot_id, filled_slots])).toEqual([[on(evening, NEXT_MONDAY), 1]]);
  });

  test("to a full or closed slot is 409, and the old slot is kept with everything else", async () => {
    const small = await clinic.createWindow({ session: "Evening", ai_slots: 1, max_slots: 1 });
    await clinic.book(on(small, MONDAY));
    const made = await clinic.book(on(window, MONDAY));
    const body = { slot_id: on(small, MONDAY), notes: "moved" };
    expect(refusal(await clinic.patchAppointment(made.appointment_id, body))).toEqual([409, "SLOT_FULL"]);
    await clinic.override(on(small, NEXT_MONDAY), { status: "CLOSED" });
    expect(refusal(await clinic.patchAppointment(made.appointment_id, { slot_id: on(small, NEXT_MONDAY) }))).toEqual([
      409,
      "SLOT_FULL",
    ]);
    expect((await read(made.appointment_id)).json.data as object).toEqual(made);
    expect((await clinic.tracking(`?to=${MONDAY}`)).map(({ filled_slots }) => filled_slots)).toEqual([1, 1]);
  });

  test("within a full window to another date works, because the slot differs", async () => {
    const made = [];
    for (let i = 0; i < 3; i++) made.push(await clinic.book(on(window, MONDAY)));
    expect((await clinic.change(made[0]!.appointment_id, { slot_id: on(window, NEXT_MONDAY) })).date).toBe(NEXT_MONDAY);
    expect([await fill(MONDAY), await fill(NEXT_MONDAY)]).toEqual([2, 1]);
  });

  test("to its current slot changes nothing, even when the window is full, moved or over", async () => {
    const made = [];
    for (let i = 0; i < 3; i++) made.push(await clinic.book(on(window, MONDAY)));
    const { appointment_id } = made[0]!;
    expect((await clinic.change(appointment_id, { slot_id: on(window, MONDAY) })).slot_id).toBe(on(window, MONDAY));
    await clinic.patchWindow(window.slot_id, { day: "tuesday" });
    expect((await clinic.change(appointment_id, { slot_id: on(window, MONDAY) })).slot_id).toBe(on(window, MONDAY));
    clinic.clock.jump(3 * 86_400_000);
    const done = await clinic.change(appointment_id, { slot_id: on(window, MONDAY), status: "completed" });
    expect(done).toMatchObject({ status: "completed", slot_id: on(window, MONDAY) });
    const row = await clinic.db.reader.selectFrom("window_dates").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ date: MONDAY, filled: 3 });
  });

  test("into a window for another service is rejected", async () => {
    const eyes = await clinic.createWindow({ session: "Evening", appointment_type_id: OTHER_SERVICE });
    const made = await clinic.book(on(window, MONDAY), { appointment_type_id: SERVICE });
    expect(refusal(await clinic.patchAppointment(made.appointment_id, { slot_id: on(eyes, MONDAY) }))).toEqual([
      400,
      "VALIDATION_ERROR",
      "appointment_type_id",
    ]);
    const both = { slot_id: on(eyes, MONDAY), appointment_type_id: OTHER_SERVICE };
    expect(await clinic.change(made.appointment_id, both)).toMatchObject({
      appointment_type_id: OTHER_SERVICE,
      slot_id: both.slot_id,
    });
  });

  test("out of a window for one service can change the service in the same request", async () => {
    const heart = await clinic.createWindow({ session: "Evening", appointment_type_id: SERVICE });
    const made = await clinic.book(on(heart, MONDAY));
    const both = { slot_id: on(window, MONDAY), appointment_type_id: OTHER_SERVICE };
    expect(await clinic.change(made.appointment_id, both)).toMatchObject({
      appointment_type_id: OTHER_SERVICE,
      slot_id: both.slot_id,
    });
  });

  test("to the past, the wrong weekday or an unknown window is rejected", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    for (const slot_id of [
      on(window, "2026-11-09"),
      on(window, "2026-11-17"),
      `${UNKNOWN_UUID}||${MONDAY}`,
      window.slot_id,
    ]) {
      expect(refusal(await clinic.patchAppointment(appointment_id, { slot_id }))).toEqual([
        400,
        "VALIDATION_ERROR",
        "slot_id",
      ]);
    }
  });
});

describe("the end of an appointment", () => {
  test("cancelled releases the slot and records the time", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    await clinic.clock.advance(1_000);
    expect(await clinic.change(appointment_id, { status: "cancelled" })).toMatchObject({
      status: "cancelled",
      cancelled_at: "2026-11-15T06:00:01.000Z",
      completed_at: null,
    });
    expect(await fill()).toBe(0);
  });

  test("completed and no_show keep the slot; a no_show can still be completed", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    expect(await clinic.change(appointment_id, { status: "no_show" })).toMatchObject({
      status: "no_show",
      completed_at: null,
    });
    expect(await clinic.change(appointment_id, { status: "completed" })).toMatchObject({
      status: "completed",
      completed_at: "2026-11-15T06:00:00.000Z",
    });
    expect(await fill()).toBe(1);
  });

  test("no_show cannot be cancelled, but a mistaken mark can be undone", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    await clinic.change(appointment_id, { status: "no_show" });
    expect(refusal(await clinic.patchAppointment(appointment_id, { status: "cancelled" }))).toEqual([409, "CONFLICT"]);
    expect((await clinic.change(appointment_id, { status: "confirmed" })).status).toBe("confirmed");
    await clinic.change(appointment_id, { status: "no_show" });
    expect((await clinic.change(appointment_id, { status: "no_show", notes: "called" })).notes).toBe("called");
  });

  test.each(["cancelled", "completed"])("%s is final: every change is 409 and changes nothing", async (end) => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    const ended = await clinic.change(appointment_id, { status: end });
    await clinic.newEvents();
    const before = await clinic.tracking();
    const bodies = [
      ...["confirmed", "cancelled", "completed", "no_show"].map((status) => ({ status })),
      { notes: "x" },
      { slot_id: on(window, NEXT_MONDAY) },
    ];
    for (const body of bodies)
      expect(refusal(await clinic.patchAppointment(appointment_id, body))).toEqual([409, "CONFLICT"]);
    expect((await read(appointment_id)).json.data as object).toEqual(ended);
    expect(await clinic.tracking()).toEqual(before);
    expect(await clinic.newEvents()).toEqual([]);
  });

  test("a move and a cancellation in one PATCH leave no slot taken", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    await clinic.change(appointment_id, { slot_id: on(window, NEXT_MONDAY), status: "cancelled" });
    expect([await fill(MONDAY), await fill(NEXT_MONDAY)]).toEqual([0, 0]);
  });
});
