// Reminders by rule: who is called when, once, and with what result.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { MONDAY, NEXT_MONDAY, on, SERVICE, OTHER_SERVICE, BRANCH } from "../calendar/clinic.ts";
import { settle } from "../support/manual-clock.ts";
import { createWard, type Ward } from "./ward.ts";

/** The clock starts on Sunday, 15 November 2026, 11:30 in India; 09:00 there is 03:30 in UTC. */
const SUNDAY_15_00 = "2026-11-15T09:30:00Z";
const CONTACT = "+919810012345";

let ward: Ward;
beforeEach(async () => {
  ward = await createWard({
    agent: {
      greeting: "Hello {{user_name}}, about {{visit}} with {{doctor}} at {{branch}}.",
      prompt: "Confirm it.",
      retry_attempts: 3,
      retry_minutes: 1,
      retry_outcomes: ["busy", "no_answer"],
    },
  });
});
afterEach(() => ward.close());

const book = (date = MONDAY, changes: Record<string, unknown> = {}) =>
  ward.book(on(ward.window, date), { contact_name: "Meera", contact_number: CONTACT, ...changes });
const at = (time: string, changes: object = {}) => ward.rule({ at: time, ...changes });
const read = async (id: string) =>
  (await ward.request("GET", `/v1/appointments/${id}`)).json.data as Record<string, unknown>;

async function dialledDesk() {
  const [call] = ward.carrier.dialled;
  ward.carrier.ring(call!.callId);
  ward.carrier.answer(call!.callId);
  await settle();
  await call!.desk!.appointment();
  return { callId: call!.callId, desk: call!.desk!, brief: call!.brief };
}

async function end(callId: string): Promise<void> {
  ward.carrier.complete(callId);
  await settle();
}

describe("an untrusted clock", () => {
  test.each([
    ["65 minutes ahead", 65],
    ["a week ahead", 7 * 24 * 60],
    ["a week behind", -7 * 24 * 60],
  ])(
    "%s: reminds nobody, takes no reminder back, and each goes out once when the clock is back",
    async (_, minutes) => {
      await at("15:00");
      await book();
      await ward.goTo("2026-11-15T09:00:00Z");
      ward.clock.jump(minutes * 60_000);
      // 15:00 by elapsed time, too.
      for (let i = 0; i < 4; i++) {
        ward.clock.pass(10 * 60_000);
        await ward.clock.advance(31_000);
      }
      expect([ward.dialled(), await ward.fates()]).toEqual([[], ["pending"]]);
      ward.clock.jump(-minutes * 60_000);
      await ward.clock.advance(31_000);
      await ward.clock.advance(31_000);
      expect([ward.dialled().length, await ward.fates()]).toEqual([1, ["calling"]]);
    },
  );
});

describe("a rule", () => {
  test("calls at its hour, with the appointment's values and the appointment linked to the call", async () => {
    await ward.app.services.directory.setBranch(ward.organisationId, BRANCH, { name: "Main" }, CLI_ACTOR);
    await ward.app.services.directory.setService(ward.organisationId, SERVICE, "Cardiology", CLI_ACTOR);
    await at("15:00");
    const { appointment_id } = await book(MONDAY, { appointment_type_id: SERVICE });
    await ward.goTo("2026-11-15T09:28:00Z");
    expect(ward.dialled()).toEqual([]);
    await ward.goTo(SUNDAY_15_00);
    const { callId, desk, brief } = await dialledDesk();
    expect(brief.greeting).toBe("Hello Meera, about Monday, 16 November, 9:00 am with Cardiology at Main.");
    expect(await desk.confirm()).toBe(true);
    await end(callId);
    expect(await ward.fates()).toEqual(["done: confirmed"]);
    const now = new Date(ward.clock.now()).toISOString();
    expect(await read(appointment_id)).toMatchObject({ contact_confirmed_at: now, contact_moved_at: null });
    const entries = await ward.actionsOnRecord();
    expect(entries).toContain("reminder_rule.created");
  });

  test("covers appointments booked before it was created, of its branch and service only", async () => {
    await book(MONDAY, { appointment_type_id: SERVICE });
    await book(MONDAY, { appointment_type_id: OTHER_SERVICE });
    await book(MONDAY);
    await at("15:00", { appointment_type_id: SERVICE, branch_id: BRANCH });
    expect(await ward.fates()).toEqual(["pending"]);
  });

  test("that is created after its hour calls no one immediately", async () => {
    await book();
    await at("11:00");
    expect(await ward.fates()).toEqual([]);
    await ward.goTo("2026-11-15T12:00:00Z");
    expect(ward.dialled()).toEqual([]);
  });

  test("skips people who booked by phone shortly before its hour, but not appointments imported by the hospital's system", async () => {
    await at("15:00");
    await book();
    const slot = on(ward.window, MONDAY);
    await ward.app.services.appointments.create(ward.organisationId, { slot_id: slot }, "ai", CLI_ACTOR);
    await ward.goTo(SUNDAY_15_00);
    expect(await ward.fates()).toEqual(["calling", "done: just_booked"]);
    await book();
    expect((await ward.fates())[2]).toBe("done: just_booked");
  });

  test("that is disabled cancels pending calls, also those waiting for a line, and plans them again when enabled", async () => {
    const id = await at("15:00");
    await book();
    await ward.changeRule(id, { enabled: false });
    expect(await ward.fates()).toEqual(["cancelled: rule_off"]);
    await ward.changeRule(id, { enabled: true, at: "16:00" });
    expect(await ward.fates()).toEqual(["pending"]);
    ward.carrier.trunkLines = () => ({ kind: "open", lines: 0 });
    await ward.goTo("2026-11-15T10:30:00Z");
    expect(await ward.fates()).toEqual(["calling"]);
    await ward.changeRule(id, { enabled: false });
    expect(await ward.fates()).toEqual(["cancelled: rule_off"]);
    const [call] = await ward.db.reader.selectFrom("calls").select("state").execute();
    expect(call?.state).toBe("cancelled");
    expect(ward.dialled()).toEqual([]);
  });

  test("that is changed after a person was called does not call them again", async () => {
    const id = await at("15:00");
    await book();
    await ward.goTo(SUNDAY_15_00);
    await end(ward.dialled()[0]!);
    await ward.changeRule(id, { at: "17:00" });
    await ward.goTo("2026-11-15T12:00:00Z");
    expect(ward.dialled()).toHaveLength(1);
    expect(await ward.fates()).toEqual(["done: reached"]);
  });

  test("waits for its own hours after downtime, and gives up when the appointment starts", async () => {
    await at("15:00");
    await book();
    // 23:00 in India.
    await ward.goTo("2026-11-15T17:30:00Z");
    expect(ward.dialled()).toEqual([]);
    await ward.goTo("2026-11-16T03:31:00Z");
    expect(await ward.fates()).toEqual(["done: too_late"]);
    expect(ward.dialled()).toEqual([]);
  });

  test("skips people who have already confirmed", async () => {
    await at("15:00");
    const { appointment_id } = await book();
    await ward.db.write((tx) =>
      tx.updateTable("appointments").set({ contact_confirmed_at: 1 }).where("id", "=", appointment_id).execute(),
    );
    await ward.goTo(SUNDAY_15_00);
    expect(await ward.fates()).toEqual(["done: already_confirmed"]);
  });

  test("follows changes of the branch's clock", async () => {
    await at("15:00");
    await book();
    const zone = { timeZone: "Asia/Dubai" };
    await ward.app.services.directory.setBranch(ward.organisationId, BRANCH, zone, CLI_ACTOR);
    await ward.clock.advance(31_000);
    expect((await ward.rows()).map(({ due_at }) => new Date(due_at).toISOString())).toEqual([
      "2026-11-15T11:00:00.000Z",
    ]);
  });
});

describe("attempts", () => {
  test("follow the rule, not the agent, and end as not reached", async () => {
    await at("15:00", { tries: 2, retry_minutes: 30 });
    await book();
    await ward.goTo(SUNDAY_15_00);
    ward.carrier.fail(ward.dialled()[0]!, "busy");
    await ward.clock.advance(5 * 60_000);
    expect(ward.dialled()).toHaveLength(1);
    expect(await ward.fates()).toEqual(["pending"]);
    await ward.goTo("2026-11-15T10:10:00Z");
    expect(ward.dialled()).toHaveLength(2);
    ward.carrier.fail(ward.dialled()[1]!, "no_answer");
    await ward.goTo("2026-11-15T12:00:00Z");
    expect(await ward.fates()).toEqual(["done: not_reached"]);
    expect(ward.dialled()).toHaveLength(2);
  });

  test("continue after a voicemail, and not after a conversation", async () => {
    await at("15:00", { retry_minutes: 30 });
    await book();
    await ward.goTo(SUNDAY_15_00);
    ward.carrier.talk(ward.dialled()[0]!, {
      analytics: { summary: "", sentiment: "neutral", next_steps: "", disposition: "voicemail" },
    });
    await settle();
    expect(await ward.fates()).toEqual(["pending"]);
    await ward.goTo("2026-11-15T10:10:00Z");
    ward.carrier.talk(ward.dialled()[1]!);
    await settle();
    expect(await ward.fates()).toEqual(["done: reached"]);
  });

  test("give way to an agreed callback time", async () => {
    await at("15:00");
    await book();
    await ward.goTo(SUNDAY_15_00);
    const [first] = ward.dialled();
    ward.carrier.talk(first!, { callbackInMinutes: 60 });
    await settle();
    const [row] = await ward.rows();
    expect(row).toMatchObject({ state: "calling", attempts: 1 });
    expect(row!.call_id).not.toBe(first!);
    await ward.goTo("2026-11-15T10:40:00Z");
    ward.carrier.talk(row!.call_id!);
    await settle();
    expect(await ward.fates()).toEqual(["done: reached"]);
  });
});

describe("an appointment", () => {
  test("that is cancelled has no reminder", async () => {
    await at("15:00");
    const { appointment_id } = await book();
    await ward.change(appointment_id, { status: "cancelled" });
    expect(await ward.fates()).toEqual(["cancelled: appointment_cancelled"]);
    await ward.goTo(SUNDAY_15_00);
    expect(ward.dialled()).toEqual([]);
  });

  test("that is moved is reminded of at its new time, and again at the old one if moved back", async () => {
    await at("15:00");
    const { appointment_id } = await book();
    await ward.change(appointment_id, { slot_id: on(ward.window, NEXT_MONDAY) });
    expect(await ward.fates()).toEqual(["cancelled: appointment_moved", "pending"]);
    await ward.change(appointment_id, { slot_id: on(ward.window, MONDAY) });
    expect(await ward.fates()).toEqual(["pending", "cancelled: appointment_moved"]);
    await ward.goTo(SUNDAY_15_00);
    expect(ward.dialled()).toHaveLength(1);
  });

  test("that the patient moves in the call is reported as moved, and the new time has its own reminder", async () => {
    await at("15:00");
    const { appointment_id } = await book();
    await ward.goTo(SUNDAY_15_00);
    const { callId, desk } = await dialledDesk();
    const [offer] = await desk.offer(1);
    expect(await desk.book(offer!.label)).not.toBeNull();
    await end(callId);
    expect(await ward.fates()).toEqual(["done: moved", "pending"]);
    const now = new Date(ward.clock.now()).toISOString();
    expect(await read(appointment_id)).toMatchObject({ date: NEXT_MONDAY, contact_moved_at: now });
  });

  test("that the patient cancels in the call is reported as cancelled", async () => {
    await at("15:00");
    const { appointment_id } = await book();
    await ward.goTo(SUNDAY_15_00);
    const { callId, desk } = await dialledDesk();
    expect(await desk.cancel()).toBe(true);
    await end(callId);
    expect(await ward.fates()).toEqual(["done: cancelled"]);
    const now = new Date(ward.clock.now()).toISOString();
    expect(await read(appointment_id)).toMatchObject({ status: "cancelled", contact_cancelled_at: now });
  });

  test("without a number is listed, and called once it has one", async () => {
    await at("15:00");
    const { appointment_id } = await book(MONDAY, { contact_number: null });
    await ward.goTo(SUNDAY_15_00);
    expect(await ward.fates()).toEqual(["done: no_number"]);
    await ward.change(appointment_id, { contact_number: CONTACT });
    await ward.clock.advance(31_000);
    expect(ward.dialled()).toHaveLength(1);
  });

  test("of a person on the do-not-disturb list is not called about", async () => {
    await ward.app.services.doNotDisturb.add(ward.organisationId, CONTACT, CLI_ACTOR);
    await at("15:00");
    await book();
    await ward.goTo(SUNDAY_15_00);
    expect(await ward.fates()).toEqual(["done: do_not_disturb"]);
    expect(await ward.db.reader.selectFrom("calls").select("id").execute()).toEqual([]);
  });

  test("is never called about by a call that still waits when it starts", async () => {
    await at("15:00");
    await book();
    ward.carrier.trunkLines = () => ({ kind: "open", lines: 0 });
    await ward.goTo(SUNDAY_15_00);
    expect(await ward.fates()).toEqual(["calling"]);
    await ward.goTo("2026-11-16T03:31:00Z");
    expect(await ward.fates()).toEqual(["cancelled: too_late"]);
  });
});

test("a unique index rejects a second reminder of one time by one rule", async () => {
  await at("15:00");
  await book();
  const [row] = await ward.rows();
  const twice = ward.db.write((tx) =>
    tx
      .insertInto("reminders")
      .values({ ...row!, id: "rmd_twice" })
      .execute(),
  );
  expect(twice).rejects.toThrow(/unique/i);
});

test("an erased call is removed from its reminder, which stays", async () => {
  await at("15:00");
  await book();
  await ward.goTo(SUNDAY_15_00);
  const callId = ward.dialled()[0]!;
  ward.carrier.talk(callId);
  await settle();
  await ward.app.services.erasure.erase(ward.organisationId, callId, CLI_ACTOR);
  expect((await ward.rows()).map(({ call_id, outcome }) => [call_id, outcome])).toEqual([[null, "reached"]]);
});

test("old reminders are deleted with their retention", async () => {
  await at("15:00");
  await book();
  await ward.goTo(SUNDAY_15_00);
  ward.carrier.talk(ward.dialled()[0]!);
  await settle();
  await ward.app.services.reminderRetention.run(Date.parse("2029-01-01"));
  expect(await ward.rows()).toEqual([]);
});

test.each([
  ["the person", { subject: "person" as const, contact_number: CONTACT }],
  ["the organisation", { subject: "organisation" as const }],
])("old reminders stay while a hold keeps %s, and go after its release", async (_, subject) => {
  await at("15:00");
  await book();
  await ward.goTo(SUNDAY_15_00);
  ward.carrier.talk(ward.dialled()[0]!);
  await settle();
  const { holds, reminderRetention } = ward.app.services;
  const { hold_id } = await holds.add(ward.organisationId, { ...subject, reason: "Case 7/2026" }, CLI_ACTOR);
  await reminderRetention.run(Date.parse("2029-01-01"));
  expect(await ward.rows()).toHaveLength(1);
  await holds.release(ward.organisationId, hold_id, "It is over.", CLI_ACTOR);
  await reminderRetention.run(Date.parse("2029-01-01"));
  expect(await ward.rows()).toEqual([]);
});
