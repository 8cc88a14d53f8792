// New windows say whom of the waiting list they call, and wait with those calls if staff say so.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { DialAhead } from "../../src/calls/dial-ahead.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { BRANCH, OTHER_SERVICE, SERVICE } from "../calendar/clinic.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";
import { createWard, type Ward } from "./ward.ts";

const MORNINGS = { day: "monday", session: "Morning", appointment_type_id: null };

let ward: Ward;
let staff: Visitor;
beforeEach(async () => {
  ward = await createWard();
  staff = await signedIn(ward.app, ward.organisationId, "staff");
  await ward.app.start();
});
afterEach(() => ward.close());

const ask = (path: string, body: object) => staff.ask("POST", `/dashboard/api/${path}`, body);
const awaited = async (windows?: object[]) =>
  (await ask("waiting-list/awaited", { branch_id: BRANCH, ...(windows && { windows }) })).json as unknown as {
    people: number;
    ahead: DialAhead;
  };
const NEW = { branch_id: BRANCH, day: "monday", session: "Morning", ai_slots: 2, max_slots: 4 };

test("the people whom a new window suits are counted before it is saved", async () => {
  await ward.waits("Meena");
  await ward.waits("Ravi", { sessions: ["Evening"] });
  await ward.waits("Sita", { appointment_type_id: OTHER_SERVICE });
  expect((await awaited([MORNINGS])).people).toBe(2);
  expect((await awaited([{ ...MORNINGS, appointment_type_id: SERVICE }])).people).toBe(1);
  expect((await awaited([{ ...MORNINGS, session: "Afternoon" }])).people).toBe(2);
  expect((await awaited([MORNINGS])).ahead).toMatchObject({ now: 2, later: 0, pending: [] });
  expect(ward.ringing()).toEqual([]);
});

test("a new window calls the list, as it says", async () => {
  await ward.waits("Meena");
  expect((await ask("calendar/windows", NEW)).status).toBe(200);
  await ward.clock.advance(1);
  expect(ward.ringing()).toEqual(["Meena"]);
});

test.each([
  ["one window", "calendar/windows", NEW],
  [
    "several windows",
    "calendar/windows/many",
    { ...NEW, day: undefined, session: undefined, days: ["monday"], sessions: ["Morning"] },
  ],
])("%s made without calls rings nobody until staff start the calls", async (_, path, body) => {
  await ward.waits("Meena");
  expect((await ask(path, { ...body, calls_waiting_list: false })).status).toBe(200);
  await ward.later(3_600_000);
  expect(ward.ringing()).toEqual([]);
  expect((await awaited()).people).toBe(1);
  expect((await ask("waiting-list/call-all", { branch_id: BRANCH })).json as unknown).toEqual({ windows: 1 });
  await ward.clock.advance(1);
  expect(ward.ringing()).toEqual(["Meena"]);
  expect(await ward.actionsOnRecord()).toContain("waiting.called");
});

test("a place that opens later calls the list all the same", async () => {
  await ask("calendar/windows", { ...NEW, ai_slots: 1, max_slots: 1, calls_waiting_list: false });
  const [slot] = await ward.availability(`?branch_id=${BRANCH}`);
  const { appointment_id } = await ward.book(slot!.slot_id, { contact_name: "Booked" });
  await ward.waits("Meena");
  await ward.app.services.appointments.update(ward.organisationId, appointment_id, { status: "cancelled" }, CLI_ACTOR);
  await ward.clock.advance(1);
  expect(ward.ringing()).toEqual(["Meena"]);
});
