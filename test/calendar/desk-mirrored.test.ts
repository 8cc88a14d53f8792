// An appointment that lives in the hospital's own system, on the telephone: confirming is a fact, cancelling and moving
// become wishes.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { BookingDesk } from "../../src/calendar/desk-port.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import { settle } from "../support/manual-clock.ts";
import { BRANCH, createClinic, type Clinic } from "./clinic.ts";

const CONTACT = "+919810012345";

let clinic: Clinic;
let sourceId: string;
let appointmentId: string;
beforeEach(async () => {
  clinic = await createClinic();
  await clinic.createWindow();
  await clinic.app.start();
  const { sources } = clinic.app.services;
  sourceId = (await sources.create(clinic.organisationId, { name: "HIS", kind: "api" }, CLI_ACTOR)).source_id;
  appointmentId = await put({});
});
afterEach(() => clinic.close());

async function put(changes: object): Promise<string> {
  const now = clinic.clock.now();
  const told = { externalId: "A-1", changedAt: now, status: "confirmed" as const, startsAt: now + DAY_MS };
  const message = { ...told, branchId: BRANCH, contactNumber: CONTACT, ...changes };
  const outcome = await clinic.app.services.mirror.put(clinic.organisationId, sourceId, message, SYSTEM_ACTOR);
  return outcome.kind === "refused" ? "" : outcome.appointmentId;
}

async function call(): Promise<{ callId: string; desk: BookingDesk }> {
  const additional_info = { branch_id: BRANCH, appointment_id: appointmentId };
  const callId = await clinic.dial({ user_number: CONTACT, additional_info });
  clinic.carrier.ring(callId);
  clinic.carrier.answer(callId);
  await settle();
  return { callId, desk: clinic.carrier.dialled.find((request) => request.callId === callId)!.desk! };
}

const read = async () =>
  (await clinic.request("GET", `/v1/appointments/${appointmentId}`)).json.data as Record<string, unknown>;

const KNOWN = { date: "2026-11-16", startTime: "11:30" };

describe("an appointment of a source", () => {
  test("is known with what is only passed on, and no time of ours is offered for it", async () => {
    const { desk } = await call();
    expect(await desk.appointment()).toEqual({ ...KNOWN, passedOn: ["cancel", "move"] });
    expect(await desk.offer(3, null)).toEqual([]);
  });

  test("is confirmed as a fact, which takes an open wish back", async () => {
    await clinic.change(appointmentId, { wish: { wish: "cancel" } });
    const { desk } = await call();
    await desk.appointment();
    expect(await desk.confirm()).toBeTrue();
    expect(await read()).toMatchObject({ status: "confirmed", wish: null });
    expect((await read())["contact_confirmed_at"]).not.toBeNull();
  });

  test("that is cancelled becomes a wish, told in an event; a change of mind takes it back", async () => {
    const { callId, desk } = await call();
    await desk.appointment();
    await clinic.newEvents();
    expect(await desk.cancel()).toBeTrue();
    const wish = { wish: "cancel", state: "open", call_id: callId, text: null };
    expect(await read()).toMatchObject({ status: "confirmed", wish, contact_cancelled_at: null });
    expect(await clinic.newEvents()).toMatchObject([{ type: "appointment.updated", data: { wish } }]);
    expect(await desk.undo!()).toEqual({ isDone: true, appointment: { ...KNOWN, passedOn: ["cancel", "move"] } });
    expect(await read()).toMatchObject({ wish: null, contact_confirmed_at: null });
  });

  test("that is to be moved becomes a wish with the time that was asked for", async () => {
    const { desk } = await call();
    await desk.appointment();
    const wish = { date: "2026-11-20", dateEnd: null, time: "15:00", isAfter: true as const, partOfDay: null };
    expect(await desk.requestChange(wish)).toBeTrue();
    expect(await read()).toMatchObject({ wish: { wish: "move", state: "open", text: "2026-11-20, from 15:00" } });
    expect((await read())["change_requested_at"]).not.toBeNull();
    const later = clinic.clock.now() + 1;
    await put({ changedAt: later, startsAt: later + 3 * DAY_MS });
    expect(await read()).toMatchObject({ wish: { state: "agreed" }, change_requested_at: null });
  });

  test("that its source cancelled meanwhile is not confirmed", async () => {
    const { desk } = await call();
    await desk.appointment();
    await put({ changedAt: clinic.clock.now() + 1, status: "cancelled" });
    expect(await desk.confirm()).toBeFalse();
    expect(await desk.cancel()).toBeFalse();
  });

  test("is erased with the call in which its wish was made", async () => {
    const { callId, desk } = await call();
    await desk.appointment();
    await desk.requestChange({ date: "2026-11-20", dateEnd: null, time: null, partOfDay: "morning" });
    clinic.carrier.complete(callId);
    await settle();
    expect((await clinic.request("DELETE", `/v1/calls/${callId}`)).status).toBe(200);
    expect(await read()).toMatchObject({ wish: { wish: "move", call_id: null, text: null } });
  });
});

test("a source that leaves time and status to us lets the agent cancel", async () => {
  const { sources } = clinic.app.services;
  await sources.change(clinic.organisationId, sourceId, { owns: ["contact"] }, CLI_ACTOR);
  const { desk } = await call();
  expect(await desk.appointment()).toEqual(KNOWN);
  expect(await desk.offer(3, null)).not.toEqual([]);
  expect(await desk.cancel()).toBeTrue();
  expect(await read()).toMatchObject({ status: "cancelled", wish: null });
});
