// Races on the calendar, by four processes: crossing moves, reduced dates, closed days.
import { describe, expect, test } from "bun:test";
import { insertClosure } from "../../../src/calendar/closure-store.ts";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { addDays } from "../../../src/core/zones.ts";
import type { Closure } from "../../../src/calendar/records.ts";
import {
  BRANCH,
  DATE,
  db,
  fillOf,
  newAgent,
  newBookings,
  newOrganisation,
  newSlot,
  numberOf,
  ROUNDS,
  services,
  team,
  TRIES,
} from "./ground.ts";
import { counted } from "./team.ts";

/** Days on which nothing is done yet. */
async function newClosure(organisationId: string, otherwise: "move" | "call", agentId: string | null = null) {
  const now = Date.now();
  const row: Closure = {
    id: services.ids.next("cls"),
    organisation_id: organisationId,
    name: "Holiday",
    from_date: DATE,
    to_date: DATE,
    window_id: null,
    state: "closing",
    otherwise,
    agent_id: agentId,
    campaign_id: null,
    actor_kind: "cli",
    actor_id: null,
    created_at: now,
    updated_at: now,
  };
  await db.write((tx) => insertClosure(tx, row, [BRANCH]));
  return row.id;
}

/** Number of people of closed days in each state. */
async function peopleOf(closureId: string): Promise<Record<string, number>> {
  const rows = await db.reader
    .selectFrom("closure_people")
    .select("state")
    .where("closure_id", "=", closureId)
    .execute();
  return Object.fromEntries([...Map.groupBy(rows, ({ state }) => state)].map(([state, all]) => [state, all.length]));
}

/** All of them at once, in any order. */
const moved = (organisationId: string, moves: readonly unknown[]) =>
  team.race({ work: "move", organisationId, subject: JSON.stringify(moves), times: moves.length / 4 });

function movesRaces(): void {
  test("crossing moves: two full windows stay as they are; with room in both no booking is lost or doubled", async () => {
    const organisationId = await newOrganisation();
    const places = { ai_slots: 0, max_slots: 6 };
    const [here, there] = [await newSlot(organisationId, places), await newSlot(organisationId, places)];
    const booked = [await newBookings(organisationId, here, 6), await newBookings(organisationId, there, 6)] as const;
    const crossing = booked.flatMap((ids, i) => ids.map((id) => [id, [there, here][i]]));
    expect(counted(await moved(organisationId, crossing))).toEqual({ SLOT_FULL: crossing.length });

    for (const [id] of booked.map((ids) => ids))
      await services.appointments.update(organisationId, id ?? "", { status: "cancelled" }, CLI_ACTOR);
    const left = booked.flatMap((ids) => ids.slice(1));
    const moves = Array.from({ length: 40 }, (_, i) => [left[i % left.length], [here, there][i % 2]]);
    const told = counted(await moved(organisationId, moves));
    expect((told["done"] ?? 0) + (told["SLOT_FULL"] ?? 0)).toBe(40);
    const [a, b] = [await fillOf(here), await fillOf(there)];
    expect([a.booked, b.booked, a.booked + b.booked]).toEqual([a.counted, b.counted, left.length]);
    expect(Math.max(a.booked, b.booked)).toBeLessThanOrEqual(6);
  });

  test("a date that is reduced during bookings takes no one beyond those already booked", async () => {
    const organisationId = await newOrganisation();
    const slot = await newSlot(organisationId, { ai_slots: 0, max_slots: 20 });
    const told = await team.race({ work: "narrow", organisationId, subject: slot });
    const at = Number(/\d+/.exec(told.outcomes.flat().find((each) => each.startsWith("narrowed")) ?? "")?.[0]);
    const places = Math.max(10, at);
    expect(counted(told)).toEqual({ done: places, SLOT_FULL: TRIES - 1 - places, [`narrowed at ${at}`]: 1 });
    expect(await fillOf(slot)).toEqual({ booked: places, counted: places });
  });

  test("a counter that is recounted during bookings equals the number of appointments", async () => {
    const organisationId = await newOrganisation();
    const slot = await newSlot(organisationId, { ai_slots: 0, max_slots: 100 });
    const told = await team.race({ work: "countAnew", organisationId, subject: slot, times: 10 });
    expect(counted(told)).toEqual({ done: 40 });
    expect(await fillOf(slot)).toEqual({ booked: 30, counted: 30 });
  });
}

function holdRaces(): void {
  test("forty clients hold and book twenty places: twenty are booked, and no hold is left", async () => {
    const organisationId = await newOrganisation();
    const slot = await newSlot(organisationId, { ai_slots: 0, max_slots: 20 });
    const told = await team.race({ work: "holdThenBook", organisationId, subject: slot, times: 10, atOnce: 10 });
    expect(counted(told)).toEqual({ done: 20, SLOT_FULL: 20 });
    expect(await fillOf(slot)).toEqual({ booked: 20, counted: 20 });
    const [windowId = ""] = slot.split("||");
    expect(await db.reader.selectFrom("slot_holds").select("id").where("window_id", "=", windowId).execute()).toEqual(
      [],
    );
  });
}

function closureRaces(): void {
  test("a day that is closed during bookings: booked people are noted, and no one is booked afterwards", async () => {
    const organisationId = await newOrganisation();
    const slot = await newSlot(organisationId, { ai_slots: 0, max_slots: 100 });
    const told = counted(await team.race({ work: "close", organisationId, subject: slot, times: 10 }));
    const booked = told["done"] ?? 0;
    expect([told["closed"], booked + (told["SLOT_FULL"] ?? 0)]).toEqual([1, 39]);
    const [closure] = await services.closures.list(organisationId);
    const { counted: inCounter, booked: inRows } = await fillOf(slot);
    expect([closure?.state, closure?.people.left, inRows, inCounter]).toEqual(["closed", booked, booked, booked]);
  });

  test("a person is moved from a closed day once, and no slot is used twice", async () => {
    const organisationId = await newOrganisation();
    const closed = await newSlot(organisationId, { ai_slots: 0, max_slots: 20 });
    const open = await newSlot(organisationId, { ai_slots: 0, max_slots: 12 }, addDays(DATE, 1));
    await newBookings(organisationId, closed, 20);
    const closureId = await newClosure(organisationId, "move");
    await team.race({ work: "closureStep", organisationId, times: 5, atOnce: 5 });
    const [from, to] = [await fillOf(closed), await fillOf(open)];
    expect([from.booked, to.booked]).toEqual([from.counted, to.counted]);
    // Whoever finds it full goes to the week after.
    expect(to.booked).toBe(12);
    expect(await peopleOf(closureId)).toEqual({ done: 20 });
  });

  test("a person is called about a closed day by one list", async () => {
    const organisationId = await newOrganisation();
    const slot = await newSlot(organisationId, { ai_slots: 0, max_slots: 20 });
    await newBookings(organisationId, slot, 10);
    const closureId = await newClosure(organisationId, "call", (await newAgent(organisationId)).agentId);
    await team.race({ work: "closureStep", organisationId, times: 2, atOnce: 1 });
    await team.race({ work: "closureCalls", organisationId, times: 2, atOnce: 2 });
    const campaigns = await db.reader
      .selectFrom("campaigns")
      .select(["id", "row_count"])
      .where("organisation_id", "=", organisationId)
      .execute();
    expect(campaigns.map(({ row_count }) => row_count)).toEqual([10]);
    expect(await peopleOf(closureId)).toEqual({ done: 10 });
  });

  test("an erased person is on no list of calls about a closed day", async () => {
    const organisationId = await newOrganisation();
    const slot = await newSlot(organisationId, { ai_slots: 0, max_slots: 20 });
    await newBookings(organisationId, slot, ROUNDS);
    await newClosure(organisationId, "call", (await newAgent(organisationId)).agentId);
    await team.race({ work: "closureStep", organisationId, times: 2, atOnce: 1 });
    const numbers = Array.from({ length: ROUNDS }, (_, i) => numberOf(i));
    const race = { organisationId, subject: JSON.stringify(numbers), times: ROUNDS, atOnce: ROUNDS };
    const { outcomes } = await team.race({ work: "closureCallsOrErase", ...race });
    const isErased = (i: number) => outcomes.slice(1).some((told) => told[i] === "erased");
    const listed = await db.reader
      .selectFrom("campaign_rows")
      .innerJoin("campaigns", "campaigns.id", "campaign_rows.campaign_id")
      .select("campaign_rows.contact_number")
      .where("campaigns.organisation_id", "=", organisationId)
      .execute();
    expect(
      listed.filter(({ contact_number }) => numbers.some((number, i) => number === contact_number && isErased(i))),
    ).toEqual([]);
    const booked = await db.reader
      .selectFrom("appointments")
      .select("contact_number")
      .where("organisation_id", "=", organisationId)
      .execute();
    expect(booked.flatMap(({ contact_number }) => contact_number ?? []).toSorted()).toEqual(
      numbers.filter((_, i) => !isErased(i)),
    );
  });

  test("an archived branch has no open windows", async () => {
    const organisationId = await newOrganisation();
    const branches = Array.from({ length: ROUNDS }, (_, i) => `0190a1b2-0000-7000-8000-0000000001${10 + i}`);
    for (const id of branches) await services.directory.setBranch(organisationId, id, { name: "Branch" }, CLI_ACTOR);
    const subject = JSON.stringify(branches);
    await team.race({ work: "archiveBranch", organisationId, subject, times: ROUNDS, atOnce: ROUNDS });
    const kept = (await services.directory.branches(organisationId)).map(({ id }) => id);
    const windows = (await services.windows.list(organisationId, undefined)).map(({ branch_id }) => branch_id);
    // Two windows were made in each: whatever came first, the branch is there with them.
    expect(Object.fromEntries(branches.map((id) => [id, windows.filter((each) => each === id).length]))).toEqual(
      Object.fromEntries(branches.map((id) => [id, 2])),
    );
    expect(kept.toSorted()).toEqual(branches);
  });
}

export function calendarRaces(): void {
  describe("moves and closed days", () => {
    movesRaces();
    holdRaces();
    closureRaces();
  });
}
