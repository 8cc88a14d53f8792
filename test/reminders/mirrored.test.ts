// Reminders of appointments in the hospital's own system: planned, called, and a wish counts as the patient's answer.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/clock.ts";
import { BRANCH } from "../calendar/clinic.ts";
import { settle } from "../support/manual-clock.ts";
import { createWard, type Ward } from "./ward.ts";

let ward: Ward;
let sourceId: string;
let startsAt: number;
beforeEach(async () => {
  ward = await createWard();
  const { sources } = ward.app.services;
  sourceId = (await sources.create(ward.organisationId, { name: "HIS", kind: "api" }, CLI_ACTOR)).source_id;
  startsAt = ward.clock.now() + 2 * DAY_MS;
  await ward.rule({ timing: "hours_before", hours_before: 24 });
});
afterEach(() => ward.close());

const put = (changes: object = {}) =>
  ward.app.services.mirror.put(
    ward.organisationId,
    sourceId,
    {
      externalId: "A-1",
      changedAt: ward.clock.now(),
      status: "confirmed",
      startsAt,
      branchId: BRANCH,
      contactNumber: "+919810012345",
      ...changes,
    },
    SYSTEM_ACTOR,
  );

async function reminded() {
  await ward.goTo(new Date(startsAt - DAY_MS + 60_000).toISOString());
  const callId = ward.dialled().at(-1)!;
  ward.carrier.ring(callId);
  ward.carrier.answer(callId);
  await settle();
  const desk = ward.carrier.dialled.find((request) => request.callId === callId)!.desk!;
  await desk.appointment();
  return { callId, desk };
}

test("an appointment that its source moves or cancels is reminded of at its new time, or not", async () => {
  await put();
  expect(await ward.fates()).toEqual(["pending"]);
  startsAt += DAY_MS;
  await put({ changedAt: ward.clock.now() + 1 });
  expect(await ward.fates()).toEqual(["cancelled: appointment_moved", "pending"]);
  await put({ changedAt: ward.clock.now() + 2, status: "cancelled" });
  expect(await ward.fates()).toEqual(["cancelled: appointment_moved", "cancelled: appointment_cancelled"]);
});

test("an appointment that its source sends an hour before its reminder is reminded of", async () => {
  await ward.goTo(new Date(startsAt - DAY_MS - HOUR_MS).toISOString());
  await put();
  expect(await ward.fates()).toEqual(["pending"]);
});

test("a wish to cancel counts as cancelled, although the appointment stands", async () => {
  await put();
  const { callId, desk } = await reminded();
  await desk.cancel();
  ward.carrier.complete(callId);
  await settle();
  expect(await ward.fates()).toEqual(["done: cancelled"]);
  expect((await ward.appointmentRows())[0]).toMatchObject({ status: "confirmed", wish: "cancel" });
});

test("a wish for another time counts as that, also where the source agrees at once", async () => {
  await put();
  const { callId, desk } = await reminded();
  await desk.requestChange();
  startsAt += 3 * DAY_MS;
  await put({ changedAt: ward.clock.now() + 1 });
  ward.carrier.complete(callId);
  await settle();
  expect((await ward.fates())[0]).toBe("done: change_requested");
});
