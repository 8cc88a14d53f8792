// Store of calls. States are written here by compare-and-set along the table in state.ts, and for whole batches in
// queue-store.ts.
import { sql } from "kysely";
import { callWithin } from "../../accounts/reach-store.ts";
import { noteIdentifiers } from "../../calendar/identifier-store.ts";
import type { Reach } from "../../core/reach.ts";
import { holds } from "../../db/like.ts";
import { noteNewCall } from "../../db/noted-changes.ts";
import { preparedList } from "../../db/prepared-list.ts";
import { prepared, preparedChange, preparedWrite } from "../../db/prepared.ts";
import type { Executor, Row, Tx } from "../../db/tables.ts";
import { identifiersIn } from "../../payloads/identifiers.ts";
import type { Purpose } from "../../payloads/lawful.ts";
import { noteContact, numbersHolding } from "../people/contact-store.ts";
import { callMeaning, type Call, type CallResult } from "./records.ts";
import { nextState, type CallEvent } from "./state.ts";

const insertCallQuery = prepared<Row<"calls">>()((db, p) =>
  db.insertInto("calls").values({
    id: p.id,
    organisation_id: p.organisation_id,
    agent_id: p.agent_id,
    phone_number_id: p.phone_number_id,
    state: p.state,
    direction: p.direction,
    source: p.source,
    contact_number: p.contact_number,
    contact_name: p.contact_name,
    contact_email: p.contact_email,
    preferred_language: p.preferred_language,
    additional_info: p.additional_info,
    missing_placeholders: p.missing_placeholders,
    scheduled_at: p.scheduled_at,
    next_at: p.next_at,
    hold_reason: p.hold_reason,
    triggered_at: p.triggered_at,
    ringing_at: p.ringing_at,
    answered_at: p.answered_at,
    completed_at: p.completed_at,
    cancelled_at: p.cancelled_at,
    finished_at: p.finished_at,
    duration_seconds: p.duration_seconds,
    credits_consumed: p.credits_consumed,
    error_code: p.error_code,
    error_message: p.error_message,
    recording_file: p.recording_file,
    follows_call_id: p.follows_call_id,
    retry_count: p.retry_count,
    scheduled_call_id: p.scheduled_call_id,
    event_sequence: p.event_sequence,
    created_at: p.created_at,
    updated_at: p.updated_at,
    appointment_id: p.appointment_id,
    outcome: p.outcome,
    campaign_id: p.campaign_id,
    campaign_retries: p.campaign_retries,
    calling_hours: p.calling_hours,
    simulated: p.simulated,
    blocked_since: p.blocked_since,
    released_at: p.released_at,
    contact_time_zone: p.contact_time_zone,
    contact_region: p.contact_region,
    user_identifiers: p.user_identifiers,
    branch_id: p.branch_id,
    about_appointment_id: p.about_appointment_id,
  }),
);

export async function insertCall(tx: Tx, row: Call): Promise<void> {
  await insertCallQuery(tx, callMeaning.write(row));
  await noteNewCall(tx, row.organisation_id, row.id);
  await noteContact(tx, row.organisation_id, row.contact_number, row.contact_name);
  if (row.user_identifiers !== null) await noteIdentifiers(tx, subjectOf(row), identifiersIn(row.user_identifiers));
}

const subjectOf = (call: Call) => ({
  id: call.id,
  organisationId: call.organisation_id,
  number: call.contact_number,
  name: call.contact_name,
  at: call.created_at,
});

const selectCall = prepared<{ id: string }>()((db, { id }) => db.selectFrom("calls").selectAll().where("id", "=", id));

/** For internal use only; requests go through callOf. */
export async function callById(executor: Executor, id: string): Promise<Call | undefined> {
  const [row] = await selectCall(executor, { id });
  return row && callMeaning.read(row);
}

const selectCalls = preparedList<object>()((db, ids) => db.selectFrom("calls").selectAll().where("id", "in", ids));

/** The same for several ids. */
export async function callsById(executor: Executor, ids: readonly string[]): Promise<Map<string, Call>> {
  return new Map(callMeaning.readAll(await selectCalls(executor, ids, {})).map((call) => [call.id, call]));
}

/** Another organisation's call is treated like an unknown one. */
export async function callOf(executor: Executor, organisationId: string, id: string): Promise<Call | undefined> {
  const row = await callById(executor, id);
  return row?.organisation_id === organisationId ? row : undefined;
}

type Change<Of> = Partial<Omit<Of, "id" | "organisation_id" | "state" | "created_at">> & { updated_at: number };
export type CallChange = Change<Call>;
type StoredChange = Change<Row<"calls">>;

/**
 * Applies an event. Returns the changed call, or null if the event does not apply to its state or the state has changed
 * since it was read.
 */
export async function applyEvent(tx: Tx, call: Call, event: CallEvent, change: CallChange): Promise<Call | null> {
  const state = nextState(call.state, event);
  if (state === null) return null;
  const changed = await moveQuery(Object.keys(change))(tx, {
    ...callMeaning.write(change),
    id: call.id,
    from: call.state,
    to: state,
  });
  return changed === 1 ? { ...call, ...change, state } : null;
}

/**
 * The same for a call read in this transaction: its state cannot have changed, so the update is not awaited. Returns
 * null if the event does not apply to its state.
 */
export async function applyEventToRead(tx: Tx, call: Call, event: CallEvent, change: CallChange): Promise<Call | null> {
  const state = nextState(call.state, event);
  if (state === null) return null;
  await moveReadQuery(Object.keys(change))(tx, {
    ...callMeaning.write(change),
    id: call.id,
    from: call.state,
    to: state,
  });
  return { ...call, ...change, state };
}

type MoveValues = StoredChange & { id: string; from: Call["state"]; to: Call["state"] };

/** One compiled statement per set of columns; about a dozen sets exist. */
function bySet<Query>(make: (columns: readonly string[]) => Query): (columns: readonly string[]) => Query {
  const queries = new Map<string, Query>();
  return (columns) => {
    const name = columns.join(" ");
    let query = queries.get(name);
    if (!query) queries.set(name, (query = make(columns)));
    return query;
  };
}

/** Values of these columns. */
const changeOf = (columns: readonly string[], values: StoredChange): StoredChange =>
  Object.fromEntries(columns.map((column) => [column, values[column as keyof StoredChange]])) as StoredChange;

const moveOf = (columns: readonly string[]) => (db: Executor, values: MoveValues) =>
  db
    .updateTable("calls")
    .set({ ...changeOf(columns, values), state: values.to })
    .where("id", "=", values.id)
    .where("state", "=", values.from);

const moveQuery = bySet((columns) => preparedChange<MoveValues>()(moveOf(columns)));
const moveReadQuery = bySet((columns) => preparedWrite<MoveValues>(1)(moveOf(columns)));

const changeQuery = bySet((columns) =>
  preparedWrite<StoredChange & { id: string }>()((db, values) =>
    db.updateTable("calls").set(changeOf(columns, values)).where("id", "=", values.id),
  ),
);

/** Updates any columns except the state. */
export async function updateCall(tx: Tx, id: string, change: CallChange): Promise<void> {
  await changeQuery(Object.keys(change))(tx, { ...callMeaning.write(change), id });
}

/** Reschedules a call that is still scheduled. */
export async function moveCall(tx: Tx, id: string, at: number, now: number): Promise<void> {
  await tx
    .updateTable("calls")
    .set({ scheduled_at: at, next_at: at, updated_at: now })
    .where("id", "=", id)
    .where("state", "=", "scheduled")
    .execute();
}

const selectResult = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("call_results").selectAll().where("call_id", "=", id),
);

export async function resultOf(executor: Executor, callId: string): Promise<CallResult | undefined> {
  const [row] = await selectResult(executor, { id: callId });
  return row;
}

export async function resultsOf(executor: Executor, callIds: readonly string[]): Promise<Map<string, CallResult>> {
  if (callIds.length === 0) return new Map();
  const rows = await executor.selectFrom("call_results").selectAll().where("call_id", "in", callIds).execute();
  return new Map(rows.map((row) => [row.call_id, row]));
}

const upsertResult = preparedWrite<CallResult>()((db, p) => {
  const rest = {
    transcript: p.transcript,
    analytics: p.analytics,
    extracted_details: p.extracted_details,
    analysis_source: p.analysis_source,
    turn_times: p.turn_times,
    notices: p.notices,
    recording: p.recording,
    recording_expired_at: p.recording_expired_at,
  };
  return db
    .insertInto("call_results")
    .values({ call_id: p.call_id, ...rest })
    .onConflict((conflict) => conflict.column("call_id").doUpdateSet(rest));
});

/** Replaces the result stored during the call. */
export async function keepResult(tx: Tx, row: CallResult): Promise<void> {
  await upsertResult(tx, row);
}

export interface CallFilter {
  organisationId: string;
  status?: Call["state"] | undefined;
  agentId?: string | undefined;
  contactNumber?: string | undefined;
  campaignId?: string | undefined;
  /** Substring of a name or number. */
  search?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  /** Scheduled time. */
  plannedFrom?: number | undefined;
  plannedTo?: number | undefined;
  updatedFrom?: number | undefined;
  updatedTo?: number | undefined;
  outcome?: string | undefined;
  /** Absent: the whole organisation. */
  reach?: Reach | undefined;
  /** Last call of the previous page. */
  before?: { createdAt: number; id: string } | undefined;
  limit: number;
}

/** Of the call's agent, as it is now. */
export const OF_AGENT = [
  "agents.name as agent_name",
  "agents.purpose as agent_purpose",
  "agents.dlt_entity_id",
  "agents.dlt_template_id",
] as const;

/** A call with what lists and exports show of its agent. */
export type CallOfAgent = Call & {
  agent_name: string;
  agent_purpose: Purpose;
  dlt_entity_id: string | null;
  dlt_template_id: string | null;
};

/** Newest first. */
export async function listCalls(executor: Executor, filter: CallFilter): Promise<CallOfAgent[]> {
  const numbers = await numbersFor(executor, filter);
  const rows = await narrowed(executor, filter, numbers).selectAll("calls").select(OF_AGENT).execute();
  return callMeaning.readAll(rows);
}

/** Ids of all matching calls, up to the limit. */
export async function listCallIds(executor: Executor, filter: CallFilter): Promise<string[]> {
  const numbers = await numbersFor(executor, filter);
  const rows = await narrowed(executor, filter, numbers).select("calls.id").execute();
  return rows.map(({ id }) => id);
}

/** Lists are padded with their last value to these lengths, so few statements are prepared. */
const LENGTHS = [1, 10, 100, 1_000];

function filledUp(list: readonly string[]): string[] {
  const length = LENGTHS.find((each) => each >= list.length) ?? list.length;
  return Array.from({ length: list.length === 0 ? 0 : length }, (_, i) => list[i] ?? list.at(-1) ?? "");
}

const searchedFor = ({ search }: CallFilter): string => search?.trim() ?? "";

/** Numbers whose calls are searched; null if every call must be scanned. */
async function numbersFor(executor: Executor, filter: CallFilter): Promise<readonly string[] | null> {
  const text = searchedFor(filter);
  return text === "" ? null : numbersHolding(executor, filter.organisationId, text);
}

function narrowed(executor: Executor, filter: CallFilter, numbers: readonly string[] | null) {
  const { status, agentId, contactNumber, campaignId, before, outcome } = filter;
  let query = executor
    .selectFrom("calls")
    .innerJoin("agents", "agents.id", "calls.agent_id")
    .where("calls.organisation_id", "=", filter.organisationId);
  if (status !== undefined) query = query.where("calls.state", "=", status);
  if (agentId !== undefined) query = query.where("calls.agent_id", "=", agentId);
  if (contactNumber !== undefined) query = query.where("calls.contact_number", "=", contactNumber);
  if (campaignId !== undefined) query = query.where("calls.campaign_id", "=", campaignId);
  if (outcome !== undefined) query = query.where("calls.outcome", "=", outcome);
  if (filter.reach) query = query.where(callWithin(filter.reach));
  const text = searchedFor(filter);
  if (numbers !== null) query = query.where("calls.contact_number", "in", filledUp(numbers));
  if (text !== "") {
    query = query.where((eb) =>
      eb.or([holds(eb.ref("calls.contact_name"), text), holds(eb.ref("calls.contact_number"), text)]),
    );
  }
  for (const [column, operator, time] of timesOf(filter)) {
    if (time !== undefined) query = query.where(column, operator, time);
  }
  if (before !== undefined) {
    // Implied by the condition below, but in a form that lets SQLite seek in its index.
    query = query.where("calls.created_at", "<=", before.createdAt);
    query = query.where((eb) =>
      eb.or([
        eb("calls.created_at", "<", before.createdAt),
        eb.and([eb("calls.created_at", "=", before.createdAt), eb("calls.id", "<", before.id)]),
      ]),
    );
  }
  // Without the plus sign SQLite scans all calls by time, although the numbers have few calls.
  const time = numbers === null ? sql.ref<number>("calls.created_at") : sql<number>`+calls.created_at`;
  return query.orderBy(time, "desc").orderBy("calls.id", "desc").limit(filter.limit);
}

const timesOf = ({ createdFrom, createdTo, plannedFrom, plannedTo, updatedFrom, updatedTo }: CallFilter) =>
  [
    ["calls.created_at", ">=", createdFrom],
    ["calls.created_at", "<", createdTo],
    ["calls.scheduled_at", ">=", plannedFrom],
    ["calls.scheduled_at", "<", plannedTo],
    ["calls.updated_at", ">=", updatedFrom],
    ["calls.updated_at", "<", updatedTo],
  ] as const;
