// Races on calls and events, by four processes.
import { describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { callsOf, db, newAgent, newCalls, newOrganisation, services, team } from "./ground.ts";
import { noonZone } from "../../support/noon.ts";
import { counted } from "./team.ts";

const FINISHED = { state: "completed" as const, next_at: 0, completed_at: 1, finished_at: 1 };

function dialRaces(): void {
  test("a person is called again once", async () => {
    const organisationId = await newOrganisation();
    const { agentId } = await newAgent(organisationId);
    const [call] = await newCalls(organisationId, agentId, 1, FINISHED);
    const told = await team.race({ work: "again", organisationId, subject: call?.id ?? "", times: 10 });
    expect(counted(told)).toEqual({ done: 1, CONFLICT: 39 });
    expect(await callsOf(organisationId)).toHaveLength(2);
  });

  test("a person who opted out before the call began is not called", async () => {
    const organisationId = await newOrganisation();
    await services.organisations.setPlan(organisationId, "enterprise", CLI_ACTOR);
    const calls = await newCalls(organisationId, (await newAgent(organisationId)).agentId, 12);
    const subject = JSON.stringify(calls);
    const told = await team.race({ work: "undisturbed", organisationId, subject, times: 12, atOnce: 3 });
    const late = new Set(told.outcomes.flat().flatMap((each) => /^late (?<id>.+)$/.exec(each)?.groups?.["id"] ?? []));
    const ids = new Set(calls.map(({ id }) => id));
    expect(told.dialled.filter((id) => ids.has(id)).toSorted()).toEqual([...late].toSorted());
  });

  test("a number is called no more often than the rules allow, over all processes", async () => {
    const organisationId = await newOrganisation();
    await services.organisations.setPlan(organisationId, "enterprise", CLI_ACTOR);
    const { agentId } = await newAgent(organisationId);
    // Three a day for each of four numbers. There it is noon: within the hours, and far from midnight.
    for (let i = 0; i < 4; i++)
      await newCalls(organisationId, agentId, 8, { contact_number: `+91981002000${i}`, contact_time_zone: noonZone() });
    const begun: string[] = [];
    const waiting = async () => (await callsOf(organisationId)).filter(({ state }) => state === "queued");
    for (let round = 0; round < 20; round++) {
      const { outcomes } = await team.race({ work: "dialLawfully", organisationId, times: 3, atOnce: 1 });
      begun.push(...outcomes.flat().flatMap((each) => (each === "nothing" ? [] : each.split(" "))));
      if ((await waiting()).every(({ hold_reason }) => hold_reason === "too_many_calls")) break;
      // Not in five seconds, but now.
      await db.write((tx) =>
        tx.updateTable("calls").set({ next_at: 0 }).where("hold_reason", "=", "number_in_call").execute(),
      );
    }
    const numbers = new Map((await callsOf(organisationId)).map(({ id, contact_number }) => [id, contact_number]));
    // Calls of the organisations of other tests may have become due meanwhile.
    const own = begun.filter((id) => numbers.has(id));
    const perNumber = Object.values(Object.groupBy(own, (id) => numbers.get(id) ?? ""));
    expect(perNumber.map((ids) => ids?.length)).toEqual([3, 3, 3, 3]);
    expect(new Set(own).size).toBe(12);
    const rows = db.reader.selectFrom("dialled_numbers").select("at").where("organisation_id", "=", organisationId);
    expect(await rows.execute()).toHaveLength(12);
    expect(await waiting()).toHaveLength(4 * 8 - 12);
  });

  test("a call is postponed or dialled, never both", async () => {
    const organisationId = await newOrganisation();
    await services.organisations.setPlan(organisationId, "enterprise", CLI_ACTOR);
    const made = await newCalls(organisationId, (await newAgent(organisationId)).agentId, 12);
    const subject = JSON.stringify(made);
    const told = await team.race({ work: "postponeOrDial", organisationId, subject, times: 12, atOnce: 3 });
    const isPutOff = (i: number) => [told.outcomes[0], told.outcomes[2]].some((outcomes) => outcomes?.[i] === "done");
    const states = new Map((await callsOf(organisationId)).map(({ id, state }) => [id, state]));
    expect(made.map(({ id }) => states.get(id))).toEqual(made.map((_, i) => (isPutOff(i) ? "scheduled" : "initiated")));
  });

  test("a call whose end is reported several times ends once, is charged once and published once", async () => {
    const organisationId = await newOrganisation();
    const wanted = { url: "https://receiver.example/", eventTypes: ["call.completed" as const] };
    await services.endpoints.create(organisationId, wanted, CLI_ACTOR);
    const live = { state: "in_progress" as const, triggered_at: 1, answered_at: 1 };
    const [call] = await newCalls(organisationId, (await newAgent(organisationId)).agentId, 1, live);
    const subject = call?.id ?? "";
    expect(counted(await team.race({ work: "end", organisationId, subject, times: 5, atOnce: 1 }))).toEqual({
      done: 20,
    });
    const [ended] = await callsOf(organisationId);
    expect([ended?.state, ended?.event_sequence]).toEqual(["completed", 1]);
    const about = (table: "events" | "credit_entries") =>
      db.reader.selectFrom(table).select("call_id").where("call_id", "=", subject).execute();
    expect([(await about("events")).length, (await about("credit_entries")).length]).toEqual([1, 1]);
  });

  test("a call is cancelled or dialled, never both", async () => {
    const organisationId = await newOrganisation();
    await services.organisations.setPlan(organisationId, "enterprise", CLI_ACTOR);
    const made = await newCalls(organisationId, (await newAgent(organisationId)).agentId, 12);
    const subject = JSON.stringify(made);
    const told = await team.race({ work: "cancelOrDial", organisationId, subject, times: 12, atOnce: 3 });
    const calls = await callsOf(organisationId);
    const inState = (state: string) => calls.filter((call) => call.state === state).map(({ id }) => id);
    const ids = new Set(calls.map(({ id }) => id));
    expect(told.dialled.filter((id) => ids.has(id)).toSorted()).toEqual(inState("initiated").toSorted());
    expect(inState("initiated").length + inState("cancelled").length).toBe(12);
  });
}

function eventRaces(): void {
  const newEndpoint = async (organisationId: string) => {
    const wanted = { url: "https://receiver.example/", eventTypes: ["call.completed" as const] };
    return (await services.endpoints.create(organisationId, wanted, CLI_ACTOR)).endpoint_id;
  };
  const deliveriesTo = (endpointId: string) =>
    db.reader.selectFrom("deliveries").select("state").where("endpoint_id", "=", endpointId).execute();

  test("an event published while its endpoint is disabled is held", async () => {
    const organisationId = await newOrganisation();
    const endpointId = await newEndpoint(organisationId);
    const told = await team.race({ work: "switchOff", organisationId, subject: endpointId, times: 10 });
    expect(counted(told)).toEqual({ done: 40 });
    const states = (await deliveriesTo(endpointId)).map(({ state }) => state);
    expect([states.length, new Set(states)]).toEqual([39, new Set(["held"])]);
  });

  test("nothing is left of an endpoint that is removed while an event is published", async () => {
    const organisationId = await newOrganisation();
    const endpointId = await newEndpoint(organisationId);
    const told = await team.race({ work: "removeEndpoint", organisationId, subject: endpointId, times: 10 });
    expect(counted(told)).toEqual({ done: 40 });
    expect(await deliveriesTo(endpointId)).toEqual([]);
    expect(await services.endpoints.count(organisationId)).toBe(0);
    const events = db.reader.selectFrom("events").select("id").where("organisation_id", "=", organisationId);
    expect(await events.execute()).toEqual([]);
  });

  test("a call has one share link", async () => {
    const organisationId = await newOrganisation();
    await services.shares.configure(organisationId, { enabled: true }, CLI_ACTOR);
    const [call] = await newCalls(organisationId, (await newAgent(organisationId)).agentId, 1, FINISHED);
    const { outcomes } = await team.race({ work: "share", organisationId, subject: call?.id ?? "", times: 10 });
    expect(new Set(outcomes.flat()).size).toBe(1);
  });
}

export function callRaces(): void {
  describe("calls and what is told of them", () => {
    dialRaces();
    eventRaces();
  });
}
