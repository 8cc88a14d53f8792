// The stage of the races: one database, its server, four processes, and an organisation per test.
import { insertCall } from "../../../src/calls/call/store.ts";
import { newCallRow } from "../../../src/calls/call/new-call.ts";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { openDatabase, type Database } from "../../../src/db/database.ts";
import { agentMeaning, type Agent } from "../../../src/agents/records.ts";
import type { Call } from "../../../src/calls/call/records.ts";
import type { Services } from "../../../src/compose/services.ts";
import { isOnPostgres } from "../../support/engines.ts";
import { newPostgresUrl, openAt } from "../../support/postgres.ts";
import { newDataFolder } from "../../support/temp.ts";
import { servicesOn } from "../postgres/services-on.ts";
import { SETTINGS } from "./settings.ts";
import { startTeam, type Team } from "./team.ts";

const PROCESSES = 4;
/** Of all processes together, unless a test says otherwise. */
export const TRIES = 80;
export const BRANCH = "0190a1b2-0000-7000-8000-00000000000b";
export const DATE = new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 10);
/** So many subjects, one after the other, are raced for where a single one might miss the moment. */
export const ROUNDS = 6;

export let db: Database;
export let services: Services;
export let team: Team;

/** Of an empty database, as a racer is told: where PostgreSQL has it, or its folder. */
export const newAddress = (): Promise<string> => (isOnPostgres ? newPostgresUrl() : newDataFolder());

export async function openGround(): Promise<void> {
  const address = await newAddress();
  // Not one of openTempDatabase(), which tries each command twice: the time goes on.
  db = await (isOnPostgres
    ? openAt(address)
    : openDatabase({ dataDir: address }, { logger: silentLogger, as: "server" }));
  services = servicesOn(db, SETTINGS);
  team = await startTeam(address, PROCESSES);
}

export async function closeGround(): Promise<void> {
  await team.stop();
  await db.close();
}

/** With credits enough. */
export async function newOrganisation(): Promise<string> {
  const { id } = await services.organisations.create({ name: "Test Hospital", timeZone: "UTC" }, CLI_ACTOR);
  await services.credits.setUnlimited(id, true, CLI_ACTOR);
  return id;
}

let numbers = 0;

/** With a number of its own. */
export async function newAgent(
  organisationId: string,
  { type = "outbound", ...line }: { type?: "inbound" | "outbound"; concurrentCalls?: number; trunkId?: string } = {},
): Promise<{ agentId: string; number: string }> {
  const { agent_id } = await services.agents.create(
    organisationId,
    { type, name: "Asha", greeting: "Hello.", calling_hours: null },
    CLI_ACTOR,
  );
  const number = `+91114000${1_010 + numbers++}`;
  const wanted = { number, agentId: agent_id, concurrentCalls: 100, ...line };
  await services.agents.addNumber(organisationId, wanted, CLI_ACTOR);
  return { agentId: agent_id, number };
}

/** A window of so many places on `date`; the slot's id. */
export async function newSlot(
  organisationId: string,
  places: { ai_slots: number; max_slots: number },
  date = DATE,
): Promise<string> {
  const day = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" }).format(new Date(date)).toLowerCase();
  const window = await services.windows.create(
    organisationId,
    { branch_id: BRANCH, day: day as "monday", session: "Morning", ...places },
    CLI_ACTOR,
  );
  return `${window.calendar_id}||${date}`;
}

/** Books the slot the given number of times, each for another person; returns the ids. */
export async function newBookings(organisationId: string, slot_id: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const input = { slot_id, contact_name: "Test Patient", contact_number: numberOf(i) };
    ids.push((await services.appointments.create(organisationId, input, "api", CLI_ACTOR)).appointment_id);
  }
  return ids;
}

/** Of the `i`th person. */
export const numberOf = (i: number): string => `+9198100${10_000 + i}`;

export const agentRow = async (agentId: string): Promise<Agent> =>
  agentMeaning.read(
    await db.reader.selectFrom("agents").selectAll().where("id", "=", agentId).executeTakeFirstOrThrow(),
  );

/** Calls that are due now, each to another number; `change` overrides fields. */
export async function newCalls(
  organisationId: string,
  agentId: string,
  count: number,
  change: Partial<Call> = {},
): Promise<Call[]> {
  const agent = await agentRow(agentId);
  const nobody = { contactName: null, contactEmail: null, preferredLanguage: null, additionalInfo: null };
  const now = Date.now();
  const calls = Array.from({ length: count }, (_, i) => ({
    ...newCallRow(
      services.ids,
      { organisationId, agent, source: "api", contactNumber: numberOf(i), scheduledAt: now, ...nobody },
      now,
    ),
    ...change,
  }));
  await db.write(async (tx) => {
    for (const call of calls) await insertCall(tx, call);
  });
  return calls;
}

export const callsOf = (organisationId: string) =>
  db.reader.selectFrom("calls").selectAll().where("organisation_id", "=", organisationId).execute();

/** What the appointments of a slot come to, and what its counter says. */
export async function fillOf(slot: string): Promise<{ booked: number; counted: number }> {
  const [windowId = "", date = ""] = slot.split("||");
  const booked = await db.reader
    .selectFrom("appointments")
    .select("id")
    .where("window_id", "=", windowId)
    .where("date", "=", date)
    .where("status", "<>", "cancelled")
    .execute();
  const { filled } = await db.reader
    .selectFrom("window_dates")
    .select("filled")
    .where("window_id", "=", windowId)
    .where("date", "=", date)
    .executeTakeFirstOrThrow();
  return { booked: booked.length, counted: filled };
}
