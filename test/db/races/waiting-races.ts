// Races on the waiting list and reminders, by four processes.
import { describe, expect, test } from "bun:test";
import { noteOpening } from "../../../src/waiting-list/offer-store.ts";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { addDays } from "../../../src/core/zones.ts";
import type { Wish } from "./calendar-works.ts";
import {
  BRANCH,
  callsOf,
  DATE,
  db,
  newAgent,
  newBookings,
  newOrganisation,
  newSlot,
  numberOf,
  ROUNDS,
  services,
  team,
} from "./ground.ts";
import { counted } from "./team.ts";

/** So many who wait; the first two share a phone. */
async function newWaiting(organisationId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const person = { contact_name: `Patient ${i}`, contact_number: numberOf(Math.max(i, 1)) };
    const input = { branch_id: BRANCH, from: DATE, to: DATE, ...person };
    ids.push((await services.waitingList.add(organisationId, input, "dashboard", CLI_ACTOR)).waiting_id);
  }
  return ids;
}

const entriesOf = (organisationId: string) =>
  db.reader.selectFrom("waiting_list").selectAll().where("organisation_id", "=", organisationId).execute();

const offersOf = (organisationId: string) =>
  db.reader.selectFrom("waiting_offers").selectAll().where("organisation_id", "=", organisationId).execute();

/** An organisation with the given number of free slots on DATE, none of them offered yet. */
async function withPlaces(places: number): Promise<{ organisationId: string; slot: string }> {
  const organisationId = await newOrganisation();
  await newAgent(organisationId);
  return { organisationId, slot: await newSlot(organisationId, { ai_slots: 0, max_slots: places }) };
}

async function opened(organisationId: string, slot: string): Promise<void> {
  const [window_id = ""] = slot.split("||");
  await db.write((tx) => noteOpening(tx, { window_id, date: DATE, organisation_id: organisationId }, Date.now()));
}

function listRaces(): void {
  test("a person waits for the same once", async () => {
    const { organisationId } = await withPlaces(1);
    const told = await team.race({ work: "wait", organisationId, subject: BRANCH, times: 10 });
    expect(counted(told)).toEqual({ done: 1, CONFLICT: 39 });
    expect(await entriesOf(organisationId)).toHaveLength(1);
  });

  test("five places: five people are called, no phone about two of them", async () => {
    const { organisationId, slot } = await withPlaces(5);
    await newWaiting(organisationId, 10);
    await opened(organisationId, slot);
    await team.race({ work: "look", organisationId, times: 3, atOnce: 3 });
    const offers = await offersOf(organisationId);
    const calls = await callsOf(organisationId);
    expect(new Set(calls.map(({ contact_number }) => contact_number)).size).toBe(5);
    expect(offers.map(({ call_id }) => call_id).toSorted()).toEqual(calls.map(({ id }) => id).toSorted());
    const asked = (await entriesOf(organisationId)).filter(({ state }) => state === "offered").map(({ id }) => id);
    expect(offers.map(({ entry_id }) => entry_id).toSorted()).toEqual(asked.toSorted());
    expect(asked).toHaveLength(5);
  });

  test("out of turn: as many are called as there are places", async () => {
    const { organisationId, slot } = await withPlaces(3);
    const subject = JSON.stringify(await newWaiting(organisationId, 20));
    const told = await team.race({ work: "callNow", organisationId, subject, times: 5 });
    expect(counted(told)).toEqual({ done: 3, CONFLICT: 17 });
    const [windowId = ""] = slot.split("||");
    const holds = await db.reader.selectFrom("slot_holds").select("id").where("window_id", "=", windowId).execute();
    expect(holds).toHaveLength(3);
  });

  test("a person who asks for another day meanwhile is not offered the previous one", async () => {
    const { organisationId, slot } = await withPlaces(20);
    const ids = (await newWaiting(organisationId, ROUNDS + 1)).slice(1);
    const day = addDays(DATE, 1);
    const subject = JSON.stringify(ids.map((id): Wish => ({ id, day })));
    await team.race({ work: "callOrChange", organisationId, subject, times: ROUNDS, atOnce: ROUNDS });
    const offers = await offersOf(organisationId);
    const entries = (await entriesOf(organisationId)).filter(({ id }) => ids.includes(id));
    for (const { id, state, from_date } of entries) {
      const isCalled = offers.some(({ entry_id }) => entry_id === id);
      expect([state, from_date]).toEqual(isCalled ? ["offered", DATE] : ["waiting", day]);
    }
    const [windowId = ""] = slot.split("||");
    const holds = await db.reader.selectFrom("slot_holds").select("id").where("window_id", "=", windowId).execute();
    expect([entries.length, holds.length]).toEqual([ROUNDS, offers.length]);
  });

  test("a person who says yes in the call and is booked at the desk meanwhile is booked once", async () => {
    const { organisationId, slot } = await withPlaces(20);
    await newWaiting(organisationId, 11);
    await opened(organisationId, slot);
    await services.waitingLoop.runDue();
    const calls = await callsOf(organisationId);
    const subject = JSON.stringify(
      calls.map(({ id, contact_name, contact_number }) => ({
        callId: id,
        person: { contact_name, contact_number },
        slot_id: slot,
      })),
    );
    expect(calls).toHaveLength(10);
    await team.race({ work: "yesTwice", organisationId, subject, times: 10, atOnce: 10 });
    const booked = await db.reader
      .selectFrom("appointments")
      .select(["id", "contact_number"])
      .where("organisation_id", "=", organisationId)
      .execute();
    const numbers = calls.map(({ contact_number }) => contact_number);
    expect(booked.map(({ contact_number }) => String(contact_number)).toSorted()).toEqual(numbers.toSorted());
    const entries = (await entriesOf(organisationId)).filter(({ state }) => state === "booked");
    expect(entries.map(({ appointment_id }) => String(appointment_id)).toSorted()).toEqual(
      booked.map(({ id }) => id).toSorted(),
    );
    const holds = await db.reader.selectFrom("slot_holds").select("call_id").execute();
    expect(holds.filter(({ call_id }) => calls.some(({ id }) => id === call_id))).toEqual([]);
  });

  test("concurrent changes of one entry are all kept", async () => {
    const { organisationId } = await withPlaces(1);
    const [id = ""] = await newWaiting(organisationId, 1);
    const days = [addDays(DATE, -1), addDays(DATE, 1)];
    const subject = [id, ...days].join(" ");
    expect(counted(await team.race({ work: "changeWish", organisationId, subject, times: 5 }))).toEqual({ done: 20 });
    const [entry] = await entriesOf(organisationId);
    expect([entry?.from_date, entry?.to_date, entry?.sessions, entry?.notes]).toEqual([
      ...days,
      "Evening",
      "in a wheelchair",
    ]);
  });
}

function reminderRaces(): void {
  test("an appointment with a manual reminder is reminded of once, by one call", async () => {
    const { organisationId, slot } = await withPlaces(20);
    const { agentId } = await newAgent(organisationId);
    const booked = await newBookings(organisationId, slot, 10);
    const subject = `${booked[0]} ${agentId}`;
    const { outcomes } = await team.race({ work: "remindByHand", organisationId, subject, times: 10 });
    expect(outcomes.flat().reduce((sum, planned) => sum + Number(planned), 0)).toBe(1);
    const rest = { appointment_ids: booked.slice(1), agent_id: agentId };
    expect((await services.reminders.remind(organisationId, rest, CLI_ACTOR)).planned).toBe(9);

    await team.race({ work: "dueReminders", organisationId, times: 2, atOnce: 2 });
    const reminders = await db.reader
      .selectFrom("reminders")
      .select(["appointment_id", "state", "call_id"])
      .where("organisation_id", "=", organisationId)
      .execute();
    expect(reminders.map(({ appointment_id }) => appointment_id).toSorted()).toEqual(booked.toSorted());
    const calls = await callsOf(organisationId);
    expect(calls.map(({ id }) => id).toSorted()).toEqual(reminders.map(({ call_id }) => String(call_id)).toSorted());
  });

  test("a rule plans one reminder for each appointment", async () => {
    const { organisationId, slot } = await withPlaces(20);
    const { agentId } = await newAgent(organisationId);
    const booked = await newBookings(organisationId, slot, 10);
    await services.reminderRules.create(organisationId, { agent_id: agentId }, CLI_ACTOR);
    await team.race({ work: "dueReminders", organisationId, times: 3, atOnce: 3 });
    const reminders = await db.reader
      .selectFrom("reminders")
      .select("appointment_id")
      .where("organisation_id", "=", organisationId)
      .execute();
    expect(reminders.map(({ appointment_id }) => appointment_id).toSorted()).toEqual(booked.toSorted());
  });
}

export function waitingRaces(): void {
  describe("the waiting list and reminders", () => {
    listRaces();
    reminderRaces();
  });
}
