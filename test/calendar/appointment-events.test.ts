// Events and audit entries of an appointment, and the isolation of organisations.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { Slot } from "../../src/payloads/slot.ts";
import { settle } from "../support/manual-clock.ts";
import { BRANCH, createClinic, MONDAY, NEXT_MONDAY, on, refusal, SERVICE, type Clinic } from "./clinic.ts";

let clinic: Clinic;
let window: Slot;
beforeEach(async () => {
  clinic = await createClinic({ logged: true });
  await clinic.app.services.directory.setService(clinic.organisationId, SERVICE, "Cardiology", CLI_ACTOR);
  window = await clinic.createWindow({ appointment_type_id: SERVICE });
  await clinic.newEvents();
});
afterEach(() => clinic.close());

describe("the events of an appointment", () => {
  const fillOf = ({ type, data }: { type: string; data: Record<string, unknown> }) => [
    type,
    data["slot_id"],
    data["filled_slots"],
    data["available_slots"],
  ];

  test("a booking: the whole appointment with the service's name, then the date's new counts", async () => {
    const made = await clinic.book(on(window, MONDAY), { contact_name: "Meera" });
    const [created, slot, ...more] = await clinic.newEvents();
    expect(created!).toEqual({ type: "appointment.created", data: { ...made } });
    expect(made.appointment_type_name).toBe("Cardiology");
    expect(fillOf(slot!)).toEqual(["slot.updated", on(window, MONDAY), 1, 9]);
    expect(more).toEqual([]);
  });

  test("a change, a move, a completion, a cancellation, a no-show", async () => {
    const made = await clinic.book(on(window, MONDAY));
    const other = await clinic.book(on(window, MONDAY));
    await clinic.newEvents();

    const changed = await clinic.change(made.appointment_id, { notes: "x" });
    expect(await clinic.newEvents()).toEqual([{ type: "appointment.updated", data: { ...changed } }]);

    const moved = await clinic.change(made.appointment_id, { slot_id: on(window, NEXT_MONDAY) });
    const moves = await clinic.newEvents();
    expect(moves.slice(0, 2).map(fillOf)).toEqual([
      ["slot.updated", on(window, MONDAY), 1, 9],
      ["slot.updated", on(window, NEXT_MONDAY), 1, 9],
    ]);
    expect(moves.slice(2)).toEqual([{ type: "appointment.updated", data: { ...moved } }]);

    const absent = await clinic.change(made.appointment_id, { status: "no_show" });
    expect(await clinic.newEvents()).toEqual([{ type: "appointment.updated", data: { ...absent } }]);

    const completed = await clinic.change(made.appointment_id, { status: "completed" });
    expect(await clinic.newEvents()).toEqual([{ type: "appointment.completed", data: { ...completed } }]);

    const cancelled = await clinic.change(other.appointment_id, { status: "cancelled" });
    const ended = await clinic.newEvents();
    expect(fillOf(ended[0]!)).toEqual(["slot.updated", on(window, MONDAY), 0, 10]);
    expect(ended.slice(1)).toEqual([{ type: "appointment.cancelled", data: { ...cancelled } }]);
  });

  test("a rejection fires no event", async () => {
    const small = await clinic.createWindow({ ai_slots: 0, max_slots: 0 });
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    await clinic.newEvents();
    await clinic.postAppointment(on(small, MONDAY));
    await clinic.patchAppointment(appointment_id, { slot_id: on(small, MONDAY) });
    await clinic.patchAppointment(appointment_id, { contact_number: "12" });
    expect(await clinic.newEvents()).toEqual([]);
  });

  test("a booking in the dashboard is marked as such", async () => {
    const made = await clinic.app.services.appointments.create(
      clinic.organisationId,
      { slot_id: on(window, MONDAY) },
      "dashboard",
      CLI_ACTOR,
    );
    expect(made.source).toBe("dashboard");
    expect((await clinic.newEvents())[0]!.data["source"]).toBe("dashboard");
  });
});

describe("two organisations", () => {
  test("neither sees, changes, books into or counts the other's, even with the same branch UUID", async () => {
    const { key } = await clinic.neighbour();
    const theirs = await clinic.createWindow({ max_slots: 7, appointment_type_id: SERVICE }, { key });
    const made = await clinic.book(on(window, MONDAY), { contact_name: "Meera" });
    const id = made.appointment_id;

    const unknown = await clinic.request("GET", "/v1/appointments/apt_unknown", { key });
    const withoutId = (text: string) => text.replace(/req_\w+/, "");
    for (const answer of [
      await clinic.request("GET", `/v1/appointments/${id}`, { key }),
      await clinic.patchAppointment(id, { notes: "x" }, { key }),
    ]) {
      expect([answer.status, withoutId(answer.text)]).toEqual([404, withoutId(unknown.text)]);
    }
    for (const answer of [
      await clinic.request("GET", `/v1/appointment-slots/${window.slot_id}`, { key }),
      await clinic.patchWindow(window.slot_id, { ai_slots: 0 }, { key }),
      await clinic.request("POST", `/v1/appointment-slots/${window.slot_id}/disable`, { key }),
      await clinic.override(on(window, MONDAY), { max_slots: 0 }, { key }),
    ]) {
      expect(refusal(answer)).toEqual([404, "NOT_FOUND"]);
    }
    expect(refusal(await clinic.postAppointment(on(window, MONDAY), {}, { key }))).toEqual([
      400,
      "VALIDATION_ERROR",
      "slot_id",
    ]);
    const own = await clinic.postAppointment(on(theirs, MONDAY), {}, { key });
    expect(own.json.data["appointment_type_name"] as unknown).toBeNull();
    const moved = await clinic.patchAppointment(
      own.json.data["appointment_id"]!,
      { slot_id: on(window, MONDAY) },
      { key },
    );
    expect(refusal(moved)).toEqual([400, "VALIDATION_ERROR", "slot_id"]);

    const query = `?branch_id=${BRANCH}&from=${MONDAY}&to=${MONDAY}`;
    expect(await clinic.availability(query, { key })).toMatchObject([
      { slot_id: on(theirs, MONDAY), max_slots: 7, filled_slots: 1 },
    ]);
    expect(await clinic.tracking(query)).toMatchObject([
      { calendar_id: window.calendar_id, max_slots: 10, filled_slots: 1 },
    ]);
    expect((await clinic.request("GET", "/v1/appointments", { key })).json.data as unknown).toMatchObject([
      { contact_name: null },
    ]);
    expect((await clinic.request("GET", "/v1/appointment-slots", { key })).json.data as unknown).toEqual([theirs]);
    expect((await clinic.request("GET", "/v1/appointments/services", { key })).json.data as unknown).toEqual([
      { appointment_type_id: SERVICE, appointment_type_name: null },
    ]);
  });

  test("regenerating and resetting one does not affect the other with the same branch UUID", async () => {
    const { key } = await clinic.neighbour();
    await clinic.createWindow({}, { key });
    await clinic.book(on(window, MONDAY));
    await clinic.override(on(window, MONDAY), { max_slots: 3 });
    await clinic.db.write((tx) => tx.updateTable("window_dates").set({ filled: 2 }).execute());
    expect((await clinic.regenerate({ reset_overrides: true }, { key })).json.data as object).toMatchObject({
      dates: 0,
      overrides_dropped: 0,
    });
    expect((await clinic.tracking())[0]).toMatchObject({ filled_slots: 2, max_slots: 3 });
  });

  test("the same branch UUID has a separate time zone in each", async () => {
    const { organisationId, key } = await clinic.neighbour();
    await clinic.createWindow({}, { key });
    await clinic.app.services.directory.setBranch(
      organisationId,
      BRANCH,
      { name: "Theirs", timeZone: "America/Chicago" },
      CLI_ACTOR,
    );
    const branches = async (as?: string) =>
      (await clinic.request("GET", "/v1/appointments/configuration", as === undefined ? {} : { key: as })).json.data[
        "branches"
      ] as unknown;
    expect(await branches()).toEqual([{ branch_id: BRANCH, name: null, time_zone: "Asia/Kolkata" }]);
    expect(await branches(key)).toEqual([{ branch_id: BRANCH, name: "Theirs", time_zone: "America/Chicago" }]);
  });
});

describe("the audit trail", () => {
  test("records every action with its actor and subject, and no patient data", async () => {
    const patient = {
      contact_name: "Meera Iyer",
      contact_number: "+919810012345",
      contact_email: "meera@example.org",
      notes: "palpitations",
    };
    const { appointment_id } = await clinic.book(on(window, MONDAY), patient);
    await clinic.request("GET", `/v1/appointments/${appointment_id}`);
    await clinic.request("GET", "/v1/appointments?contact_number=%2B919810012345");
    // Reads are recorded a moment later, in a batch.
    await clinic.clock.advance(200);
    await clinic.change(appointment_id, { contact_name: "M. Iyer" });
    await clinic.change(appointment_id, { status: "cancelled" });
    await clinic.patchWindow(window.slot_id, { ai_slots: 1 });
    await clinic.override(on(window, MONDAY), { max_slots: 3 });
    await clinic.regenerate();
    await clinic.patchAppointment(appointment_id, { notes: "refused" });
    await settle();
    const entries = await clinic.db.reader
      .selectFrom("audit_entries")
      .selectAll()
      .where("actor_kind", "=", "key")
      .orderBy("id")
      .execute();
    expect(entries.map(({ action, subject_id }) => [action, subject_id])).toEqual([
      ["window.created", window.calendar_id],
      ["appointment.created", appointment_id],
      ["appointment.read", appointment_id],
      ["appointment.listed", null],
      ["appointment.changed", appointment_id],
      ["appointment.changed", appointment_id],
      ["window.changed", window.calendar_id],
      ["window_date.changed", window.calendar_id],
      ["tracking.regenerated", BRANCH],
    ]);
    expect(
      entries.every(({ actor_id, request_id }) => actor_id?.startsWith("key_") && request_id?.startsWith("req_")),
    ).toBe(true);
    const trailAndLog = JSON.stringify(entries) + clinic.logLines.join("\n");
    for (const word of ["Meera", "Iyer", "9810012345", "meera@", "palpitations", "refused"])
      expect(trailAndLog).not.toContain(word);
  });
});
