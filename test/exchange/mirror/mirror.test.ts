// Mirrored appointments: what a source says is taken once, and the newest wins.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/clock.ts";
import type { MirroredAppointment } from "../../../src/exchange/mirror/port.ts";
import { BRANCH, createClinic, SERVICE, type Clinic } from "../../calendar/clinic.ts";

let clinic: Clinic;
let sourceId: string;
let now: number;
beforeEach(async () => {
  clinic = await createClinic();
  const { sources } = clinic.app.services;
  sourceId = (await sources.create(clinic.organisationId, { name: "HIS", kind: "api" }, CLI_ACTOR)).source_id;
  now = clinic.clock.now();
  await clinic.newEvents();
});
afterEach(() => clinic.close());

const told = (changes: Partial<MirroredAppointment> = {}): MirroredAppointment => ({
  externalId: "A-1",
  changedAt: now,
  status: "confirmed",
  startsAt: now + DAY_MS,
  endsAt: (changes.startsAt ?? now + DAY_MS) + 15 * MINUTE_MS,
  branchId: BRANCH,
  contactName: "Asha Rao",
  contactNumber: "+919810012345",
  ...changes,
});
const put = (changes?: Partial<MirroredAppointment>) =>
  clinic.app.services.mirror.put(clinic.organisationId, sourceId, told(changes), SYSTEM_ACTOR);
const row = async () => (await clinic.appointmentRows())[0]!;
const types = async () => (await clinic.newEvents()).map(({ type }) => type);

describe("a message about an appointment", () => {
  test("makes a row without a window, once", async () => {
    const first = await put({ practitioner: { id: "D-17", name: "Dr. Mehta" }, appointmentTypeId: SERVICE });
    expect(first.kind).toBe("created");
    expect(await put({ practitioner: { id: "D-17", name: "Dr. Mehta" }, appointmentTypeId: SERVICE })).toEqual({
      ...first,
      kind: "unchanged",
    } as typeof first);
    expect(await clinic.appointmentRows()).toHaveLength(1);
    expect(await row()).toMatchObject({
      window_id: null,
      source: "source",
      source_id: sourceId,
      external_id: "A-1",
      date: "2026-11-16",
      start_time: "11:30",
      end_time: "11:45",
      practitioner_name: "Dr. Mehta",
      contact_name: "Asha Rao",
    });
    const [event, ...more] = await clinic.newEvents();
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: "appointment.created",
      data: { slot_id: null, source: "source", external_id: "A-1", practitioner: { id: "D-17" }, wish: null },
    });
  });

  test("changes what is new, and nothing that is older", async () => {
    await put();
    expect((await put({ changedAt: now + 2, startsAt: now + 2 * DAY_MS })).kind).toBe("updated");
    expect((await put({ changedAt: now + 1, status: "cancelled" })).kind).toBe("stale");
    expect(await row()).toMatchObject({ date: "2026-11-17", status: "confirmed", source_changed_at: now + 2 });
    expect(await types()).toEqual(["appointment.created", "appointment.updated"]);
  });

  test("that moves without an end keeps the duration", async () => {
    await put();
    const { endsAt: _, ...moved } = told({ changedAt: now + 1, startsAt: now + 2 * HOUR_MS });
    await clinic.app.services.mirror.put(clinic.organisationId, sourceId, moved, SYSTEM_ACTOR);
    expect(await row()).toMatchObject({ date: "2026-11-15", start_time: "13:30", end_time: "13:45" });
  });

  test("of a cancellation that comes first keeps a late booking dead", async () => {
    const unknown: MirroredAppointment = { externalId: "A-1", changedAt: now, status: "cancelled", branchId: BRANCH };
    const { mirror } = clinic.app.services;
    expect((await mirror.put(clinic.organisationId, sourceId, unknown, SYSTEM_ACTOR)).kind).toBe("created");
    expect((await put({ changedAt: now - 1 })).kind).toBe("stale");
    expect((await put({ changedAt: now })).kind).toBe("stale");
    expect((await row()).status).toBe("cancelled");
    // Booked anew under the same id.
    const { startsAt: _, ...timeless } = told({ changedAt: now + 1 });
    expect(await mirror.put(clinic.organisationId, sourceId, timeless, SYSTEM_ACTOR)).toMatchObject({
      kind: "refused",
      field: "starts_at",
    });
    expect((await put({ changedAt: now + 1 })).kind).toBe("updated");
    expect(await row()).toMatchObject({ status: "confirmed", cancelled_at: null, start_time: "11:30" });
  });

  test("without a time of its own is the newest", async () => {
    await put({ changedAt: now + HOUR_MS });
    expect((await put({ changedAt: null, status: "cancelled" })).kind).toBe("updated");
    expect((await row()).source_changed_at).toBe(now + HOUR_MS);
  });

  test("changes only what the source owns", async () => {
    const { sources } = clinic.app.services;
    await put();
    await sources.change(clinic.organisationId, sourceId, { owns: ["time"] }, CLI_ACTOR);
    const later = now + 2 * DAY_MS;
    await put({ changedAt: now + 1, startsAt: later, contactName: "Someone", status: "cancelled" });
    expect(await row()).toMatchObject({ date: "2026-11-17", contact_name: "Asha Rao", status: "confirmed" });
  });

  test.each([
    ["external_id", { externalId: " " }],
    ["external_id", { externalId: "x".repeat(201) }],
    ["changed_at", { changedAt: Number.MAX_SAFE_INTEGER }],
    ["starts_at", { startsAt: 0 }],
    ["ends_at", { endsAt: Date.UTC(2027, 0) }],
    ["branch_id", { branchId: "here" }],
    ["appointment_type_id", { appointmentTypeId: "heart" }],
    ["contact_number", { contactNumber: "98100 12345" }],
    ["contact_name", { contactName: "a\u0000b" }],
    ["notes", { notes: "x".repeat(2_001) }],
    ["practitioner", { practitioner: { id: null, name: "x".repeat(201) } }],
  ] as [string, Partial<MirroredAppointment>][])("is refused for its %s", async (field, changes) => {
    expect(await put(changes)).toMatchObject({ kind: "refused", field });
    expect(await clinic.appointmentRows()).toEqual([]);
  });

  test("is refused while its source is switched off, and after its removal", async () => {
    const { sources } = clinic.app.services;
    await sources.change(clinic.organisationId, sourceId, { enabled: false }, CLI_ACTOR);
    expect(await put()).toMatchObject({ kind: "refused", field: "source" });
    await sources.remove(clinic.organisationId, sourceId, false, CLI_ACTOR);
    expect(put()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("of a source of another organisation finds nothing", async () => {
    const { organisationId } = await clinic.neighbour();
    const { mirror } = clinic.app.services;
    expect(mirror.put(organisationId, sourceId, told(), SYSTEM_ACTOR)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("an erased person", () => {
  const erase = () => clinic.app.services.erasure.eraseContact(clinic.organisationId, told().contactNumber!, CLI_ACTOR);

  test("does not come back with a message from before the erasure", async () => {
    await put();
    clinic.clock.pass(HOUR_MS);
    await erase();
    await put({ changedAt: now + 1, startsAt: now + 2 * DAY_MS });
    await put({ changedAt: null, startsAt: now + 2 * DAY_MS });
    expect(await row()).toMatchObject({ date: "2026-11-17", contact_name: null, contact_number: null });
  });

  test("comes back with one that is newer", async () => {
    await put();
    clinic.clock.pass(HOUR_MS);
    await erase();
    await put({ changedAt: now + 2 * HOUR_MS });
    expect(await row()).toMatchObject({ contact_name: "Asha Rao", contact_forgotten_at: null });
  });
});

describe("a wish", () => {
  test("is made by cancelling, and agreed by the source's own cancellation", async () => {
    await put();
    const id = (await row()).id;
    const asked = await clinic.change(id, { status: "cancelled" });
    expect(asked).toMatchObject({ status: "confirmed", wish: { wish: "cancel", state: "open", call_id: null } });
    expect(await clinic.change(id, { status: "cancelled" })).toMatchObject({ wish: asked.wish! });
    await put({ changedAt: now + 1, status: "cancelled" });
    expect(await row()).toMatchObject({ status: "cancelled", wish_state: "agreed" });
  });

  test("for another time is agreed by the source's move", async () => {
    await put();
    const id = (await row()).id;
    const wish = { wish: "move", text: "Friday afternoon" };
    expect(await clinic.change(id, { wish })).toMatchObject({ wish: { ...wish, state: "open" } as never });
    await put({ changedAt: now + 1, contactName: "Asha R. Rao" });
    expect((await row()).wish_state).toBe("open");
    await put({ changedAt: now + 2, startsAt: now + 3 * DAY_MS, endsAt: now + 3 * DAY_MS + HOUR_MS });
    expect(await row()).toMatchObject({ wish_state: "agreed", date: "2026-11-18" });
  });

  test("can be taken back, declined and agreed to", async () => {
    await put();
    const id = (await row()).id;
    const answer = (state: string) => clinic.request("POST", `/v1/appointments/${id}/wish`, { body: { state } });
    expect((await answer("declined")).json.error.code).toBe("CONFLICT");
    await clinic.change(id, { wish: { wish: "cancel" } });
    expect((await clinic.change(id, { wish: null })).wish).toBeNull();
    await clinic.change(id, { wish: { wish: "cancel" } });
    expect((await answer("declined")).json.data).toMatchObject({ status: "confirmed", wish: { state: "declined" } });
    expect((await answer("declined")).status).toBe(200);
    await clinic.change(id, { wish: { wish: "cancel" } });
    clinic.clock.pass(HOUR_MS);
    expect((await answer("agreed")).json.data).toMatchObject({ status: "cancelled", wish: { state: "agreed" } });
    // What was said before the agreement does not revive it.
    expect((await put({ changedAt: now + 1, startsAt: now + 2 * DAY_MS })).kind).toBe("stale");
  });

  test("is no wish where the appointment is in our own calendar", async () => {
    const window = await clinic.createWindow();
    const own = await clinic.book(`${window.slot_id}||2026-11-16`);
    expect((await clinic.patchAppointment(own.appointment_id, { wish: { wish: "cancel" } })).status).toBe(409);
    expect((await clinic.change(own.appointment_id, { status: "cancelled" })).status).toBe("cancelled");
  });
});

describe("a change here", () => {
  test.each([
    { slot_id: "0190a1b2-0000-7000-8000-0000000fffff||2026-11-16" },
    { status: "completed" },
    { appointment_type_id: SERVICE },
    { contact_name: "Someone" },
    { contact_number: null },
    { practitioner: { name: "Dr. Who" } },
    { external_id: "A-2" },
  ])("of what the source owns is refused: %p", async (body) => {
    await put();
    const answer = await clinic.patchAppointment((await row()).id, body);
    expect(answer.status).toBe(409);
    expect(answer.json.error.message).toContain("owned by source HIS");
  });

  test("is made after the source was removed with its appointments released", async () => {
    await put();
    const { id } = await row();
    const remove = (query = "") => clinic.request("DELETE", `/v1/sources/${sourceId}${query}`);
    const kept = await remove();
    expect([kept.status, kept.json.error.code]).toEqual([409, "CONFLICT"]);
    expect((await remove("?release=true")).json.data).toMatchObject({ removed: true, released: 1 });
    expect(await clinic.change(id, { contact_name: "Asha", status: "cancelled" })).toMatchObject({
      contact_name: "Asha",
      status: "cancelled",
    });
  });
});

describe("an appointment in our own calendar that a source knows", () => {
  const SLOT = "2026-11-16";
  const booked = async () => {
    const window = await clinic.createWindow();
    const slot = `${window.slot_id}||${SLOT}`;
    const own = await clinic.book(slot, { source_id: sourceId, external_id: "A-1", practitioner: { name: "Dr. Rao" } });
    const filled = async () => (await clinic.availability()).find(({ slot_id }) => slot_id === slot)?.filled_slots;
    return { own, filled, slot };
  };

  test("keeps its slot while its time is in the session, and gives it back when it moves", async () => {
    const { own, filled, slot } = await booked();
    expect(own).toMatchObject({ external_id: "A-1", source_id: sourceId, practitioner: { id: null, name: "Dr. Rao" } });
    const inSession = now + DAY_MS - 90 * MINUTE_MS;
    await put({ startsAt: inSession, endsAt: inSession + 15 * MINUTE_MS });
    expect(await row()).toMatchObject({ id: own.appointment_id, start_time: "10:00", end_time: "10:15" });
    expect(await filled()).toBe(1);
    await put({ changedAt: now + 1, startsAt: now + 3 * DAY_MS, endsAt: now + 3 * DAY_MS + HOUR_MS });
    expect(await row()).toMatchObject({ window_id: null, date: "2026-11-18" });
    expect(await filled()).toBe(0);
    expect((await clinic.change(own.appointment_id, { status: "cancelled" })).wish).toMatchObject({ state: "open" });
    expect(slot).toContain(SLOT);
  });

  test("gives its slot back when the source cancels, and comes back without one", async () => {
    const { filled } = await booked();
    await put({ status: "cancelled" });
    expect(await filled()).toBe(0);
    const inSession = now + DAY_MS - 90 * MINUTE_MS;
    await put({ changedAt: now + 1, startsAt: inSession, endsAt: inSession + 15 * MINUTE_MS });
    expect(await row()).toMatchObject({ window_id: null, status: "confirmed" });
    expect(await filled()).toBe(0);
  });

  test("has its id alone in its source", async () => {
    const { slot } = await booked();
    const again = await clinic.postAppointment(slot, { source_id: sourceId, external_id: "A-1" });
    expect(again.json.error.code).toBe("CONFLICT");
    expect((await clinic.postAppointment(slot, { external_id: "A-2" })).json.error.details?.[0]?.field).toBe(
      "source_id",
    );
    const { key } = await clinic.neighbour();
    expect(key).not.toBe(clinic.key);
    expect((await clinic.postAppointment(slot, { source_id: "src_other", external_id: "A-2" })).status).toBe(400);
  });
});

describe("a patient", () => {
  const MRN = { system: "mrn", value: "4711" };
  const ABHA = { system: "abha", value: "91-1234" };
  const mirror = () => clinic.app.services.mirror;

  test("with new contact data has it in their appointments of the source, unless these are newer", async () => {
    await put({ identifiers: [MRN] });
    await put({ externalId: "A-2", identifiers: [{ system: "mrn", value: "4712" }] });
    const change = (changedAt: number | null, number: string | null = "+919810099999") =>
      mirror().updatePatient(
        clinic.organisationId,
        sourceId,
        { identifiers: [MRN], name: "Asha Rao-Iyer", number, changedAt },
        SYSTEM_ACTOR,
      );
    expect(await change(now - 1)).toEqual({ changed: 0 });
    expect(await change(now + 5)).toEqual({ changed: 1 });
    expect(await change(now + 5)).toEqual({ changed: 0 });
    expect(await change(now + 6, "not a number")).toEqual({ changed: 0 });
    const numbers = async () => (await clinic.appointmentRows()).map(({ contact_number }) => contact_number);
    expect(await numbers()).toEqual(["+919810099999", "+919810012345"]);
    // An older message may still move the appointment, but does not bring the old number back.
    await put({ changedAt: now + 3, startsAt: now + 2 * DAY_MS, identifiers: [MRN] });
    expect(await row()).toMatchObject({ date: "2026-11-17", contact_number: "+919810099999" });
  });

  test("who is merged into another keeps the appointments and other identifiers", async () => {
    await put({ identifiers: [MRN, ABHA] });
    const to = { system: "mrn", value: "1000" };
    const merge = () =>
      mirror().merge(clinic.organisationId, sourceId, { from: MRN, to, name: "Asha R. Rao" }, SYSTEM_ACTOR);
    expect(await merge()).toEqual({ changed: 1 });
    expect(await merge()).toEqual({ changed: 0 });
    expect(await row()).toMatchObject({
      contact_name: "Asha R. Rao",
      contact_number: "+919810012345",
      contact_identifiers: JSON.stringify([to, ABHA]),
    });
  });

  test("of another organisation's source is not found", async () => {
    const { organisationId } = await clinic.neighbour();
    const merge = { from: MRN, to: ABHA };
    expect(mirror().merge(organisationId, sourceId, merge, SYSTEM_ACTOR)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
