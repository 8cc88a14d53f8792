// Closed days across windows and branches: booked people are listed, moved, called or left; a crash loses nothing.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Actor } from "../../src/core/actor.ts";
import { AppError } from "../../src/core/errors.ts";
import type { CloseInput } from "../../src/calendar/closure-model.ts";
import type { Slot } from "../../src/payloads/slot.ts";
import {
  BRANCH,
  createClinic,
  MONDAY,
  NEXT_MONDAY,
  on,
  OTHER_SERVICE,
  refusal,
  SERVICE,
  TODAY,
  type Clinic,
} from "./clinic.ts";

const TUESDAY = "2026-11-17";
const OTHER_BRANCH = "0190a1b2-0000-7000-8000-00000000000c";
const ACTOR: Actor = { kind: "person", id: null };

let clinic: Clinic;
let window: Slot;
beforeEach(async () => {
  clinic = await createClinic();
  window = await clinic.createWindow({ ai_slots: 1, max_slots: 2 });
});
afterEach(() => clinic.close());

const closures = () => clinic.app.services.closures;
const close = (changes: Partial<CloseInput> = {}) =>
  closures().close(
    clinic.organisationId,
    { branch_ids: [BRANCH], ranges: [{ from: MONDAY, to: MONDAY }], otherwise: "leave", ...changes },
    ACTOR,
  );
const preview = (changes: Partial<CloseInput> = {}) =>
  closures().preview(
    clinic.organisationId,
    { branch_ids: [BRANCH], ranges: [{ from: MONDAY, to: MONDAY }], ...changes },
    ACTOR,
  );
const list = () => closures().list(clinic.organisationId);
const openDates = async (query = "") => (await clinic.availability(query)).map(({ slot_id }) => slot_id);
const faultOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: unknown) => (error instanceof AppError ? error : null),
  );
const codeOf = async (asked: Promise<unknown>) => (await faultOf(asked))?.code;
const where = async () => (await clinic.appointmentRows()).map(({ window_id, date }) => `${window_id}||${date}`);

describe("the preview", () => {
  test("lists the booked people, each with the next free slot of the same service, and changes nothing", async () => {
    const eyes = await clinic.createWindow({
      session: "Evening",
      appointment_type_id: SERVICE,
      max_slots: 1,
      ai_slots: 0,
    });
    await clinic.createWindow({ day: "tuesday", appointment_type_id: OTHER_SERVICE });
    for (const contact_name of ["A", "B"]) await clinic.book(on(window, MONDAY), { contact_name });
    await clinic.book(on(eyes, MONDAY), { contact_name: "C" });
    await clinic.book(on(window, NEXT_MONDAY), { contact_name: "D" });
    const { windows, people, has_more } = await preview();
    expect([windows, has_more]).toEqual([2, false]);
    // One slot is left next Monday; the second person gets the following week.
    expect(people.map(({ appointment, next_place }) => [appointment.contact_name, next_place?.slot_id])).toEqual([
      ["A", on(window, NEXT_MONDAY)],
      ["B", on(window, "2026-11-30")],
      ["C", on(eyes, NEXT_MONDAY)],
    ]);
    expect(await openDates(`?to=${MONDAY}`)).toEqual([on(window, MONDAY), on(eyes, MONDAY)]);
  });

  test("offers no slot that is about to be closed, and none if there is none", async () => {
    await clinic.book(on(window, MONDAY), { contact_name: "A" });
    const [first] = (await preview({ ranges: [{ from: MONDAY, to: "2026-11-29" }] })).people;
    expect(first?.next_place?.date).toBe("2026-11-30");
    await clinic.patchWindow(window.slot_id, { status: "CLOSED" });
    const [second] = (await preview()).people;
    expect(second?.next_place).toBeNull();
  });
});

describe("closing", () => {
  test("closes every window of every branch on every date, and no other", async () => {
    const other = await clinic.createWindow({ branch_id: OTHER_BRANCH, day: "tuesday" });
    const stays = await clinic.createWindow({ branch_id: crypto.randomUUID(), day: "tuesday" });
    await close({ branch_ids: [BRANCH, OTHER_BRANCH], ranges: [{ from: MONDAY, to: TUESDAY, name: "Diwali" }] });
    expect(await openDates(`?to=${TUESDAY}`)).toEqual([on(stays, TUESDAY)]);
    expect(refusal(await clinic.postAppointment(on(other, TUESDAY)))).toEqual([409, "SLOT_FULL"]);
    expect(await list()).toMatchObject([
      { name: "Diwali", from: MONDAY, to: TUESDAY, state: "closed", branch_ids: [BRANCH, OTHER_BRANCH] },
    ]);
  });

  test("leaves people, moves them to the shown slot, or to the next free one", async () => {
    const [a, b, c] = [
      await clinic.book(on(window, MONDAY), { contact_name: "A" }),
      await clinic.book(on(window, MONDAY), { contact_name: "B" }),
      await clinic.book(on(window, NEXT_MONDAY), { contact_name: "C" }),
    ];
    await close({
      otherwise: "move",
      people: [
        { appointment_id: a.appointment_id, choice: "move", slot_id: on(window, "2026-11-30") },
        { appointment_id: c.appointment_id, choice: "move", slot_id: on(window, "2026-11-30") },
      ],
    });
    // C is not booked on the closed day and is not moved.
    expect(await where()).toEqual([on(window, "2026-11-30"), on(window, NEXT_MONDAY), on(window, NEXT_MONDAY)]);
    expect(await list()).toMatchObject([{ state: "closed", people: { moved: 2, left: 0, refused: 0, waiting: 0 } }]);
    expect(b.slot_id).toBe(on(window, MONDAY));
    const events = (await clinic.newEvents()).filter(({ type }) => type === "appointment.updated");
    expect(events).toHaveLength(2);
  });

  test("moves an appointment of the agent to any free slot", async () => {
    await clinic.patchWindow(window.slot_id, { ai_slots: 0 });
    const made = await clinic.book(on(window, MONDAY));
    await clinic.db.write((tx) => tx.updateTable("appointments").set({ source: "ai" }).execute());
    await clinic.regenerate();
    await close({ otherwise: "move" });
    expect(await where()).toEqual([on(window, NEXT_MONDAY)]);
    expect(made.date).toBe(MONDAY);
  });

  test("reports who could not be moved: the slot was taken meanwhile, or there is none", async () => {
    const made = await clinic.book(on(window, MONDAY), { contact_name: "A" });
    for (let i = 0; i < 2; i++) await clinic.book(on(window, NEXT_MONDAY));
    await close({
      people: [{ appointment_id: made.appointment_id, choice: "move", slot_id: on(window, NEXT_MONDAY) }],
    });
    const [closure] = await list();
    expect(closure?.people).toEqual({ moved: 0, called: 0, left: 0, waiting: 0, refused: 1 });
    const refused = await closures().refused(clinic.organisationId, closure!.closure_id, ACTOR);
    expect(refused.map(({ contact_name, slot_id }) => [contact_name, slot_id])).toEqual([["A", on(window, MONDAY)]]);
  });

  test("neither moves nor calls people whose appointment was earlier today", async () => {
    const today = await clinic.createWindow({ day: "sunday", start_time: "08:00", end_time: "09:00" });
    const later = await clinic.createWindow({ day: "sunday", start_time: "20:00", end_time: "21:00" });
    await clinic.book(on(later, TODAY));
    await clinic.db.write((tx) =>
      tx.updateTable("appointments").set({ window_id: today.calendar_id, end_time: "09:00" }).execute(),
    );
    await close({ otherwise: "move", ranges: [{ from: TODAY, to: TODAY }] });
    expect(await list()).toMatchObject([{ people: { moved: 0, refused: 0, waiting: 0 } }]);
  });

  test("covers a window that is created later, or moved to a closed day", async () => {
    await close({ ranges: [{ from: MONDAY, to: TUESDAY }] });
    const made = await clinic.createWindow({ session: "Evening" });
    expect(await openDates(`?to=${TUESDAY}`)).toEqual([]);
    const moved = await clinic.createWindow({ day: "friday" });
    await clinic.patchWindow(moved.slot_id, { day: "tuesday" });
    expect(await openDates(`?to=${TUESDAY}`)).toEqual([]);
    expect(await openDates(`?from=${NEXT_MONDAY}&to=2026-11-24`)).toEqual([
      on(window, NEXT_MONDAY),
      on(made, NEXT_MONDAY),
      on(moved, "2026-11-24"),
    ]);
  });

  test("of one window only leaves the others open", async () => {
    const evening = await clinic.createWindow({ session: "Evening" });
    await close({ window_id: window.calendar_id });
    expect(await openDates(`?to=${MONDAY}`)).toEqual([on(evening, MONDAY)]);
  });

  test("is rejected for unknown branches, past or too many days, and calls without an agent", async () => {
    const refused = async (changes: Partial<CloseInput>) => (await faultOf(close(changes)))?.details[0]?.field;
    expect(await refused({ branch_ids: [OTHER_BRANCH] })).toBe("branch_ids");
    expect(await refused({ ranges: [{ from: "2026-11-01", to: "2026-11-02" }] })).toBe("to");
    expect(await refused({ ranges: [{ from: MONDAY, to: "2027-11-16" }] })).toBe("to");
    expect(await refused({ ranges: [{ from: "2029-01-01", to: "2029-01-02" }] })).toBe("to");
    expect(await refused({ otherwise: "call" })).toBe("agent_id");
    expect(await list()).toEqual([]);
  });
});

describe("a crash in the middle", () => {
  test("loses nothing: the next start continues, and each person is moved once", async () => {
    const { closureWork } = clinic.app.services;
    await clinic.patchWindow(window.slot_id, { max_slots: 200 });
    for (let i = 0; i < 60; i++) await clinic.book(on(window, MONDAY), { contact_name: `P${i}` });
    const step = closureWork.step.bind(closureWork);
    let left = 2;
    // Simulates a crash after the second batch: nothing later runs in this process.
    closureWork.step = async () => left-- > 0 && (await step());
    await close({ otherwise: "move" });
    expect((await list())[0]).toMatchObject({ state: "moving", people: { moved: 50, waiting: 10 } });
    closureWork.step = step;
    expect(await closureWork.runDue()).toBeNull();
    expect((await list())[0]).toMatchObject({ state: "closed", people: { moved: 60, waiting: 0, refused: 0 } });
    expect(new Set(await where())).toEqual(new Set([on(window, NEXT_MONDAY)]));
    const [date] = await clinic.availability(`?from=${NEXT_MONDAY}&to=${NEXT_MONDAY}`);
    expect(date).toMatchObject({ filled_slots: 60 });
  });
});

describe("reopening", () => {
  test("restores every date's previous overrides; moved appointments stay moved", async () => {
    const evening = await clinic.createWindow({ session: "Evening", status: "CLOSED" });
    await clinic.override(on(window, NEXT_MONDAY), { status: "CLOSED" });
    await clinic.book(on(window, MONDAY));
    const [id] = (await close({ otherwise: "move", ranges: [{ from: MONDAY, to: NEXT_MONDAY }] })).closure_ids;
    expect(await openDates(`?to=${NEXT_MONDAY}`)).toEqual([]);
    await closures().reopen(clinic.organisationId, id!, ACTOR);
    expect(await openDates(`?to=${NEXT_MONDAY}`)).toEqual([on(window, MONDAY)]);
    expect(await where()).toEqual([on(window, "2026-11-30")]);
    expect((await list())[0]?.state).toBe("reopened");
    expect(evening.status).toBe("CLOSED");
    expect(await codeOf(closures().reopen(clinic.organisationId, id!, ACTOR))).toBe("CONFLICT");
  });

  test("leaves a day closed that is also closed for another reason, until that one is removed", async () => {
    const [first] = (await close()).closure_ids;
    const [second] = (await close()).closure_ids;
    await closures().reopen(clinic.organisationId, first!, ACTOR);
    expect(await openDates(`?to=${MONDAY}`)).toEqual([]);
    await closures().reopen(clinic.organisationId, second!, ACTOR);
    expect(await openDates(`?to=${MONDAY}`)).toEqual([on(window, MONDAY)]);
  });

  test("is isolated between organisations", async () => {
    const [id] = (await close()).closure_ids;
    const { organisationId } = await clinic.neighbour();
    expect(await codeOf(closures().reopen(organisationId, id!, ACTOR))).toBe("NOT_FOUND");
    expect(await codeOf(closures().refused(organisationId, id!, ACTOR))).toBe("NOT_FOUND");
    expect(await closures().list(organisationId)).toEqual([]);
  });
});

describe("a disabled weekly window", () => {
  const booked = () => clinic.app.services.windows.booked(clinic.organisationId, window.slot_id);

  test("first reports who is still booked in it, and until when", async () => {
    expect(await booked()).toEqual({ people: 0, last_date: null });
    await clinic.book(on(window, MONDAY));
    const later = await clinic.book(on(window, NEXT_MONDAY));
    expect(await booked()).toEqual({ people: 2, last_date: NEXT_MONDAY });
    await clinic.change(later.appointment_id, { status: "cancelled" });
    expect(await booked()).toEqual({ people: 1, last_date: MONDAY });
    const { organisationId } = await clinic.neighbour();
    expect(await codeOf(clinic.app.services.windows.booked(organisationId, window.slot_id))).toBe("NOT_FOUND");
  });

  test("accepts no more bookings, and moves the booked people, in one transaction", async () => {
    const evening = await clinic.createWindow({ session: "Evening" });
    await clinic.book(on(window, MONDAY));
    await clinic.book(on(window, NEXT_MONDAY));
    const change = { ranges: [{ from: MONDAY, to: NEXT_MONDAY }], otherwise: "move" as const, disables_window: true };
    expect(await codeOf(close(change))).toBe("VALIDATION_ERROR");
    expect(await list()).toEqual([]);
    await close({ ...change, window_id: window.calendar_id });
    expect((await list())[0]).toMatchObject({ state: "closed", people: { moved: 2 } });
    expect(new Set(await where())).toEqual(new Set([on(evening, MONDAY), on(evening, NEXT_MONDAY)]));
    expect((await clinic.app.services.windows.get(clinic.organisationId, window.slot_id)).status).toBe("CLOSED");
    expect((await openDates("?to=2026-12-14")).every((slot) => slot.startsWith(evening.calendar_id))).toBe(true);
  });
});
