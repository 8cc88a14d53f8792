// Store of agents and phone numbers.
import { remembered } from "../db/prepared.ts";
import type { Position } from "../core/pages.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { KnownValues } from "../payloads/known-values.ts";
import { knownNamesIn } from "./known-values.ts";
import { agentMeaning, type Agent, type CallingNumber, type PhoneNumber } from "./records.ts";

/** Limit of the archive list; older agents are kept but not listed. */
const MOST_ARCHIVED = 200;

export async function insertAgent(tx: Tx, row: Agent): Promise<void> {
  await tx.insertInto("agents").values(agentMeaning.write(row)).execute();
}

export async function updateAgent(
  tx: Tx,
  id: string,
  change: Partial<Omit<Agent, "id" | "organisation_id">>,
): Promise<void> {
  await tx.updateTable("agents").set(agentMeaning.write(change)).where("id", "=", id).execute();
}

const selectAgent = remembered<{ organisationId: string; id: string }>(["agents"])(
  (db, { organisationId, id }) =>
    db.selectFrom("agents").selectAll().where("id", "=", id).where("organisation_id", "=", organisationId),
  (row) => agentMeaning.read(row),
);

/** An agent with the organisation values its texts refer to. */
export type KnownAgent = Agent & {
  /** Undefined if its texts refer to none. */
  known?: KnownValues;
};

export async function agentById(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<KnownAgent | undefined> {
  const [row] = await selectAgent(executor, { organisationId, id });
  // Queried only if needed: most calls need no second query.
  if (!row || !namesKnownValues(row)) return row;
  return withKnown(row, await knownValuesOf(executor, organisationId, row.branch_id));
}

export async function callsOut(executor: Executor, organisationId: string, id: string): Promise<boolean> {
  return (await agentById(executor, organisationId, id))?.type === "outbound";
}

/** Memoized per cached row, because every new call asks. A row that is read again is another object. */
const namingKnownValues = new WeakMap<Agent, boolean>();
const knownAgents = new WeakMap<Agent, KnownAgent>();

function namesKnownValues(row: Agent): boolean {
  let names = namingKnownValues.get(row);
  if (names === undefined) namingKnownValues.set(row, (names = knownNamesIn(row).length > 0));
  return names;
}

function withKnown(row: Agent, known: KnownValues): KnownAgent {
  const before = knownAgents.get(row);
  if (before?.known === known) return before;
  const agent = Object.freeze({ ...row, known });
  knownAgents.set(row, agent);
  return agent;
}

/** Empty if the agent does not exist. Does not load its texts. */
export async function agentNameOf(executor: Executor, organisationId: string, id: string): Promise<string> {
  const [row] = await selectAgent(executor, { organisationId, id });
  return row?.name ?? "";
}

const selectKnownValues = remembered<{ organisationId: string; branchId: string }>(["organisations", "branches"])(
  (db, { organisationId, branchId }) =>
    db
      .selectFrom("organisations")
      .leftJoin("branches", (join) =>
        join.onRef("branches.organisation_id", "=", "organisations.id").on("branches.id", "=", branchId),
      )
      .select(["organisations.name as hospital", "organisations.callback_number", "branches.name as branch"])
      .where("organisations.id", "=", organisationId),
);

/** No branch has this id. */
const NO_BRANCH = "";

export async function knownValuesOf(
  executor: Executor,
  organisationId: string,
  branchId: string | null,
): Promise<KnownValues> {
  const [row] = await selectKnownValues(executor, { organisationId, branchId: branchId ?? NO_BRANCH });
  return row ?? { hospital: "", branch: null, callback_number: null };
}

export async function agentsOf(executor: Executor, organisationId: string): Promise<Agent[]> {
  const rows = await executor
    .selectFrom("agents")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("archived_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return agentMeaning.readAll(rows);
}

export interface PageQuestion {
  organisationId: string;
  before: Position | undefined;
  limit: number;
}

/** Newest first. */
export async function listAgents(
  executor: Executor,
  { organisationId, isArchived, before, limit }: PageQuestion & { isArchived: boolean },
): Promise<Agent[]> {
  let query = executor
    .selectFrom("agents")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("archived_at", isArchived ? "is not" : "is", null);
  if (before !== undefined)
    query = query
      .where("created_at", "<=", before.createdAt)
      .where((eb) => eb.or([eb("created_at", "<", before.createdAt), eb("id", "<", before.id)]));
  return agentMeaning.readAll(await query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute());
}

/** Archived agents, latest first. */
export async function archivedAgentsOf(executor: Executor, organisationId: string): Promise<Agent[]> {
  const rows = await executor
    .selectFrom("agents")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("archived_at", "is not", null)
    .orderBy("archived_at", "desc")
    .orderBy("id")
    .limit(MOST_ARCHIVED)
    .execute();
  return agentMeaning.readAll(rows);
}

/** The oldest active outbound agent of the appliance, in any organisation. */
export async function firstAgent(executor: Executor): Promise<Agent | undefined> {
  const row = await executor
    .selectFrom("agents")
    .selectAll()
    .where("archived_at", "is", null)
    .where("type", "=", "outbound")
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row && agentMeaning.read(row);
}

export async function insertNumber(tx: Tx, row: PhoneNumber): Promise<void> {
  await tx.insertInto("phone_numbers").values(row).execute();
}

const selectNumbersOfAgent = remembered<{ agentId: string }>(["phone_numbers", "trunks"])((db, { agentId }) =>
  db
    .selectFrom("phone_numbers")
    .leftJoin("trunks", "trunks.id", "phone_numbers.trunk_id")
    .selectAll("phone_numbers")
    .select("trunks.caller_id as trunk_caller_id")
    .where("phone_numbers.agent_id", "=", agentId)
    .orderBy("phone_numbers.created_at")
    .orderBy("phone_numbers.id"),
);

export async function numbersOfAgent(executor: Executor, agentId: string): Promise<CallingNumber[]> {
  return selectNumbersOfAgent(executor, { agentId });
}

export async function numbersOf(executor: Executor, organisationId: string): Promise<PhoneNumber[]> {
  return executor
    .selectFrom("phone_numbers")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("removed_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Newest first. */
export async function listNumbers(
  executor: Executor,
  { organisationId, before, limit }: PageQuestion,
): Promise<PhoneNumber[]> {
  let query = executor
    .selectFrom("phone_numbers")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("removed_at", "is", null);
  if (before !== undefined)
    query = query
      .where("created_at", "<=", before.createdAt)
      .where((eb) => eb.or([eb("created_at", "<", before.createdAt), eb("id", "<", before.id)]));
  return query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

export async function numberById(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<PhoneNumber | undefined> {
  return executor
    .selectFrom("phone_numbers")
    .selectAll()
    .where("id", "=", id)
    .where("organisation_id", "=", organisationId)
    .where("removed_at", "is", null)
    .executeTakeFirst();
}

/** All belong to the organisation of the trunk. */
export async function numbersOfTrunk(executor: Executor, trunkId: string): Promise<PhoneNumber[]> {
  return executor.selectFrom("phone_numbers").selectAll().where("trunk_id", "=", trunkId).orderBy("id").execute();
}

/** Numbers whose agent answers calls. */
export async function numbersTakingCalls(executor: Executor, trunkId: string): Promise<PhoneNumber[]> {
  return executor
    .selectFrom("phone_numbers")
    .innerJoin("agents", "agents.id", "phone_numbers.agent_id")
    .selectAll("phone_numbers")
    .where("phone_numbers.trunk_id", "=", trunkId)
    .where("agents.type", "=", "inbound")
    .orderBy("phone_numbers.id")
    .execute();
}

export async function numberByText(executor: Executor, number: string): Promise<PhoneNumber | undefined> {
  return executor.selectFrom("phone_numbers").selectAll().where("number", "=", number).executeTakeFirst();
}

export async function updateNumber(
  tx: Tx,
  id: string,
  change: Partial<Pick<PhoneNumber, "number" | "agent_id" | "concurrent_calls" | "trunk_id" | "removed_at">>,
): Promise<void> {
  await tx.updateTable("phone_numbers").set(change).where("id", "=", id).execute();
}

export async function takeNumbersFrom(tx: Tx, agentId: string): Promise<void> {
  await tx.updateTable("phone_numbers").set({ agent_id: null }).where("agent_id", "=", agentId).execute();
}
