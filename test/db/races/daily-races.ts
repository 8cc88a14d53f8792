// Races on everyday work, by four processes: bookings, calls, events.
import { describe, expect, test } from "bun:test";
import { insertPending } from "../../../src/calls/analysis/pending-store.ts";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS } from "../../../src/core/clock.ts";
import { FAILURES_UNTIL_DISABLED } from "../../../src/events/retry-schedule.ts";
import {
  callsOf,
  DATE,
  db,
  newAddress,
  newAgent,
  newCalls,
  newOrganisation,
  newSlot,
  services,
  team,
  TRIES,
} from "./ground.ts";
import { counted, startTeam } from "./team.ts";
import { LINES_OF_THE_PLAN } from "./world.ts";

function bookingRaces(): void {
  describe("the calendar", () => {
    test("20 slots are booked 20 times by 80 tries, and the counter equals the appointments", async () => {
      const organisationId = await newOrganisation();
      const slot = await newSlot(organisationId, { ai_slots: 0, max_slots: 20 });
      const told = await team.race({ work: "book", organisationId, subject: slot });
      expect(counted(told)).toEqual({ done: 20, SLOT_FULL: TRIES - 20 });
      const rows = await db.reader.selectFrom("appointments").select("id").where("status", "<>", "cancelled").execute();
      const dates = await db.reader.selectFrom("window_dates").select("filled").where("date", "=", DATE).execute();
      expect([rows.length, dates]).toEqual([20, [{ filled: 20 }]]);
    });

    test("three slots are reserved for three callers", async () => {
      const organisationId = await newOrganisation();
      const slot = await newSlot(organisationId, { ai_slots: 3, max_slots: 20 });
      const told = await team.race({ work: "hold", organisationId, subject: slot });
      expect(counted(told)).toEqual({ done: 3, refused: TRIES - 3 });
    });

    test("a person is booked once where staff are asked first", async () => {
      const organisationId = await newOrganisation();
      const slot = await newSlot(organisationId, { ai_slots: 0, max_slots: 20 });
      const told = await team.race({ work: "bookOnce", organisationId, subject: slot });
      expect(counted(told)).toEqual({ done: 1, CONFLICT: TRIES - 1 });
    });
  });
}

function planRaces(): void {
  describe("accounts", () => {
    test("a plan's keys and endpoints stay within its limits", async () => {
      const organisationId = await newOrganisation();
      expect(counted(await team.race({ work: "key", organisationId }))).toEqual({
        done: 5,
        PLAN_LIMIT_REACHED: TRIES - 5,
      });
      expect(counted(await team.race({ work: "endpoint", organisationId }))).toEqual({
        done: 1,
        PLAN_LIMIT_REACHED: TRIES - 1,
      });
    });

    test("a balance is the sum of its entries", async () => {
      const organisationId = await newOrganisation();
      expect(counted(await team.race({ work: "credit", organisationId }))).toEqual({ done: TRIES });
      const { sum } = await db.reader
        .selectFrom("credit_entries")
        .select((eb) => eb.fn.sum<number>("amount").as("sum"))
        .where("organisation_id", "=", organisationId)
        .executeTakeFirstOrThrow();
      const { credit_balance } = await db.reader
        .selectFrom("organisations")
        .select("credit_balance")
        .where("id", "=", organisationId)
        .executeTakeFirstOrThrow();
      expect(credit_balance).toBe(sum);
    });

    test("80 edits of an agent are 80 versions, without a gap", async () => {
      const organisationId = await newOrganisation();
      const { agentId } = await newAgent(organisationId);
      expect(counted(await team.race({ work: "version", organisationId, subject: agentId }))).toEqual({ done: TRIES });
      const rows = await db.reader
        .selectFrom("agent_versions")
        .select("version")
        .where("agent_id", "=", agentId)
        .orderBy("version")
        .execute();
      expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: TRIES + 1 }, (_, i) => i + 1));
    });

    test("an empty appliance is set up once", async () => {
      const strangers = await startTeam(await newAddress(), 2);
      const told = await strangers.race({ work: "first", organisationId: "", subject: "a long password", times: 1 });
      await strangers.stop();
      expect(counted(told)).toEqual({ done: 1, CONFLICT: 1 });
    });

    test("a hook's requests of the day stay within its quota", async () => {
      const organisationId = await newOrganisation();
      await services.hooks.regenerate(organisationId, CLI_ACTOR);
      const told = await team.race({ work: "quota", organisationId, subject: "30" });
      expect(counted(told)).toEqual({ done: 30, refused: TRIES - 30 });
    });
  });
}

function callingRaces(): void {
  describe("calls", () => {
    test("150 rounds of the same Idempotency-Key: each runs once with the same answer, and none fails", async () => {
      const organisationId = await newOrganisation();
      const { agentId } = await newAgent(organisationId);
      const { key } = await services.keys.create(organisationId, { name: "k", scopes: ["calls:create"] }, CLI_ACTOR);
      const subject = `${key} ${agentId} ${new Date(Date.now() + DAY_MS).toISOString()}`;
      const { outcomes } = await team.race({ work: "keyed", organisationId, subject, times: 150, atOnce: 10 });
      const rounds = Array.from({ length: 150 }, (_, i) => outcomes.map((ofOne) => (ofOne[i] ?? "").split(" ")));
      for (const round of rounds) {
        expect(round.map(([status]) => status)).toEqual(["201", "201", "201", "201"]);
        expect(new Set(round.map(([, callId]) => callId)).size).toBe(1);
        expect(round.filter(([, , which]) => which === "first")).toHaveLength(1);
      }
      expect(await callsOf(organisationId)).toHaveLength(150);
    });

    test("due calls are queued once", async () => {
      const organisationId = await newOrganisation();
      await newCalls(organisationId, (await newAgent(organisationId)).agentId, 200);
      const { outcomes } = await team.race({ work: "promote", organisationId, subject: "7", times: 15, atOnce: 4 });
      expect(outcomes.flat().reduce((sum, each) => sum + Number(each), 0)).toBe(200);
      expect((await callsOf(organisationId)).every(({ state }) => state === "queued")).toBe(true);
      await db.write((tx) => tx.deleteFrom("calls").where("organisation_id", "=", organisationId).execute());
    });

    test("dialled calls stay within the plan's lines, and each is dialled by one process", async () => {
      const organisationId = await newOrganisation();
      await newCalls(organisationId, (await newAgent(organisationId)).agentId, 60);
      const told = await team.race({ work: "claim", organisationId, times: 3, atOnce: 1 });
      expect(counted(told)).toEqual({ done: 12 });
      const begun = (await callsOf(organisationId)).filter(({ state }) => state === "initiated").map(({ id }) => id);
      expect(begun).toHaveLength(LINES_OF_THE_PLAN);
      expect(told.dialled.toSorted()).toEqual(begun.toSorted());
    });

    test("accepted calls stay within the number's lines", async () => {
      const organisationId = await newOrganisation();
      const { trunk_id } = await services.trunks.create(organisationId, { name: "pbx", host: "192.0.2.1" }, CLI_ACTOR);
      const line = { type: "inbound" as const, concurrentCalls: 3, trunkId: trunk_id };
      const { number } = await newAgent(organisationId, line);
      const told = await team.race({ work: "arrive", organisationId, subject: `${trunk_id} ${number}`, times: 5 });
      expect(counted(told)).toEqual({ done: 3, refused: 4 * 5 - 3 });
      expect(await callsOf(organisationId)).toHaveLength(3);
    });

    test("an analysis is settled once, and stands on the worklist once", async () => {
      const organisationId = await newOrganisation();
      const [call] = await newCalls(organisationId, (await newAgent(organisationId)).agentId, 1);
      const subject = call?.id ?? "";
      await db.write((tx) => insertPending(tx, { call_id: subject, deadline_at: Date.now() + DAY_MS, rules: "{}" }));
      const settled = await team.race({ work: "analysis", organisationId, subject });
      expect(counted(settled)).toEqual({ done: 1, refused: TRIES - 1 });
      expect(counted(await team.race({ work: "worklist", organisationId, subject }))).toEqual({ done: TRIES });
      const items = await db.reader
        .selectFrom("worklist_items")
        .select("id")
        .where("subject_id", "=", subject)
        .execute();
      expect(items).toHaveLength(1);
    });
  });
}

function listRaces(): void {
  describe("campaigns and reminders", () => {
    test("three may be open at once, and of one list one", async () => {
      const organisationId = await newOrganisation();
      const { agentId } = await newAgent(organisationId);
      const list = await team.race({ work: "list", organisationId, subject: agentId });
      expect(counted(list)).toEqual({ done: 1, CONFLICT: TRIES - 1 });
      const told = await team.race({ work: "campaign", organisationId, subject: agentId });
      expect(counted(told)).toEqual({ done: 2, PLAN_LIMIT_REACHED: TRIES - 2 });
    });

    test("every person on a list is called once, by any process", async () => {
      const organisationId = await newOrganisation();
      const rows = Array.from({ length: 40 }, (_, i) => ({ user_number: `+9198100${10_000 + i}` }));
      const { agentId } = await newAgent(organisationId);
      const input = { name: "List", agent_id: agentId, calls_per_minute: 600, rows };
      const { campaign_id } = await services.campaigns.create(organisationId, input, CLI_ACTOR);
      await team.race({ work: "feed", organisationId, times: 5, atOnce: 1 });
      const called = await db.reader
        .selectFrom("campaign_rows")
        .select(["call_id", "attempts"])
        .where("campaign_id", "=", campaign_id)
        .where("state", "=", "calling")
        .execute();
      const calls = (await callsOf(organisationId)).map(({ id }) => id);
      expect(called.length).toBeGreaterThan(0);
      expect(called.every(({ attempts }) => attempts === 1)).toBe(true);
      expect(called.map(({ call_id }) => String(call_id)).toSorted()).toEqual(calls.toSorted());
    });

    test("an appointment is reminded of once", async () => {
      const organisationId = await newOrganisation();
      const slot = await newSlot(organisationId, { ai_slots: 0, max_slots: 20 });
      const { appointment_id } = await services.appointments.create(
        organisationId,
        { slot_id: slot },
        "api",
        CLI_ACTOR,
      );
      const reminder = {
        organisation_id: organisationId,
        rule_id: null,
        rule_revision: 0,
        agent_id: (await newAgent(organisationId)).agentId,
        by_hand: true,
        appointment_id,
        date: DATE,
        start_time: "09:00",
        starts_at: Date.now() + DAY_MS,
        state: "pending",
        outcome: null,
        due_at: Date.now() + DAY_MS,
        next_at: null,
        attempts: 0,
        call_id: null,
        created_at: 0,
        updated_at: 0,
      };
      const told = await team.race({ work: "remind", organisationId, subject: JSON.stringify(reminder) });
      expect(counted(told)).toEqual({ done: 1, refused: TRIES - 1 });
    });
  });
}

function deliveryRaces(): void {
  test("of the events of one call one is first, and every failure of its receiver is counted", async () => {
    const organisationId = await newOrganisation();
    const wanted = { url: "https://receiver.example/", eventTypes: ["call.completed" as const] };
    const { endpoint_id } = await services.endpoints.create(organisationId, wanted, CLI_ACTOR);
    const told = await team.race({ work: "publish", organisationId, subject: "one call" });
    expect(counted(told)).toEqual({ done: TRIES });
    const deliveries = () =>
      db.reader.selectFrom("deliveries").selectAll().where("endpoint_id", "=", endpoint_id).orderBy("id").execute();
    const made = await deliveries();
    expect(made).toHaveLength(TRIES);
    expect(made.filter(({ is_head }) => is_head === 1)).toHaveLength(1);

    const subject = made.map(({ id }) => id).join(" ");
    expect(counted(await team.race({ work: "fail", organisationId, subject }))).toEqual({ done: TRIES });
    const endpoint = await db.reader
      .selectFrom("webhook_endpoints")
      .select(["consecutive_failures", "enabled"])
      .where("id", "=", endpoint_id)
      .executeTakeFirstOrThrow();
    expect(TRIES).toBeGreaterThan(FAILURES_UNTIL_DISABLED);
    expect(endpoint).toEqual({ consecutive_failures: TRIES, enabled: 0 });
    expect((await deliveries()).every(({ attempts, state }) => attempts === 1 && state === "held")).toBe(true);
    const counts = await db.reader
      .selectFrom("delivery_counts")
      .select((eb) => ["state", eb.fn.sum<number>("count").as("count")])
      .where("endpoint_id", "=", endpoint_id)
      .groupBy("state")
      .execute();
    expect(counts.filter(({ count }) => count !== 0)).toEqual([{ state: "held", count: TRIES }]);
  });
}

export function dailyRaces(): void {
  bookingRaces();
  planRaces();
  callingRaces();
  listRaces();
  deliveryRaces();
}
