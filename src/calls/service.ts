// Service for calls: create, read, list, cancel. Erasure is in life/erasure.ts.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import { organisationById } from "../accounts/organisation-store.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import { numbersOfAgent } from "../agents/store.ts";
import type { Config } from "../config/schema.ts";
import { UNKNOWN_PLACE } from "../core/callee-zone.ts";
import { MINUTE_MS, toIso, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import { parseIsoTime } from "../core/iso-time.ts";
import { decodeCursor, encodeCursor, pageSize } from "../core/pages.ts";
import type { Alongside } from "../db/alongside.ts";
import type { Database } from "../db/database.ts";
import type { Call, CallSource } from "./call/records.ts";
import type { Tx } from "../db/tables.ts";
import type { MediaLinks } from "../media/links.ts";
import { createCallReads } from "./call-reads.ts";
import { checkedCall } from "./checked-call.ts";
import type { DialFactsSource } from "./queue/dial-facts.ts";
import { dryRun } from "./dry-run.ts";
import type { CallView, CreateCallInput, DryRun, ListCallsInput } from "./model.ts";
import { newCallRow, type NewCall } from "./call/new-call.ts";
import type { FinalCalls } from "./call/final-calls.ts";
import { LinesInUse } from "./queue/lines-in-use.ts";
import { isRefusedForCredits, whenLinesAreQuiet, type PolicyFacts } from "./queue/policy.ts";
import { liveCalls } from "./queue/queue-store.ts";
import { CALL_STATES } from "../payloads/call-state.ts";
import { applyEvent, callOf, insertCall, listCalls, resultsOf, type CallFilter } from "./call/store.ts";
import { callView, heldByClock } from "./view.ts";

export interface CallServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  config: Config;
  audit: Audit;
  readNotes: ReadNotes;
  links: MediaLinks;
  /** Work is due at that time, perhaps earlier than the scheduler expects. */
  wake: (dueAt: number) => void;
  dialFacts: DialFactsSource;
  finalCalls: Pick<FinalCalls, "tell">;
}

export interface CreatedCall {
  call_id: string;
  status: Call["state"];
  scheduled_at: string;
}

export interface CancelledCall {
  call_id: string;
  status: "cancelled";
  cancelled_at: string;
}

/** A dry run reports busy lines only for calls within this time; for later calls they mean nothing. */
const SOON_MS = MINUTE_MS;

export function createCallService(deps: CallServiceDeps) {
  const { db, clock, ids, config, audit, readNotes, links, wake } = deps;

  const unknownCall = () => new AppError("NOT_FOUND", "There is no call with this id.");

  const readCall = createCallReads({ reader: db.reader, links });

  return {
    /** `alongside` runs in the same transaction: the idempotency record commits with the call or not at all. */
    async create(
      organisationId: string,
      input: CreateCallInput,
      source: CallSource,
      actor: Actor,
      alongside: Alongside<CreatedCall> = async () => {},
    ): Promise<CreatedCall> {
      const now = clock.now();
      const checked = await checkedCall(db.reader, organisationId, input, source, config, now);
      if (source === "hook") await assertCredits(deps, checked);
      const call = newCallRow(ids, checked, now);
      const created: CreatedCall = { call_id: call.id, status: call.state, scheduled_at: toIso(call.scheduled_at) };
      await db.write(async (tx) => {
        await insertCall(tx, call);
        await audit.record(tx, { organisationId, actor, action: "call.created", subjectId: call.id });
        await alongside(tx, created);
      });
      wake(call.next_at);
      return created;
    },

    /** Reveals whether a number is on the do-not-disturb list, so it is recorded as a read. */
    async dryRun(organisationId: string, input: CreateCallInput, actor: Actor): Promise<DryRun> {
      const call = await checkedCall(db.reader, organisationId, input, "api", config, clock.now());
      await readNotes.note({ organisationId, actor, action: "call.dry_run", subjectId: call.agent.id });
      const facts = await factsOf(deps, call);
      return dryRun(call, call.scheduledAt - clock.now() <= SOON_MS ? facts : whenLinesAreQuiet(facts));
    },

    async get(organisationId: string, id: string, actor: Actor): Promise<CallView> {
      const view = await readCall(organisationId, id);
      if (!view) throw unknownCall();
      await readNotes.note({ organisationId, actor, action: "call.read", subjectId: id });
      return heldByClock(clock)(view);
    },

    async list(organisationId: string, input: CallQuestion, actor: Actor) {
      const limit = pageSize(input.limit);
      // One extra row shows whether there are more.
      const calls = await listCalls(db.heavy, {
        ...filterOf(input),
        organisationId,
        reach: actor.reach,
        limit: limit + 1,
      });
      const page = calls.slice(0, limit);
      const callIds = page.map(({ id }) => id);
      const results = await resultsOf(db.heavy, callIds);
      await readNotes.note({ organisationId, actor, action: "call.listed", detail: { count: page.length } });
      const last = page.at(-1);
      return {
        data: page.map((call) => callView(call, call.agent_name, results.get(call.id), links)).map(heldByClock(clock)),
        next_cursor:
          calls.length > limit && last ? encodeCursor({ createdAt: last.created_at, id: last.id }, input) : null,
      };
    },

    /** Cancels a call that has not started, in the caller's transaction. */
    cancelWithin: (tx: Tx, call: Call, actor: Actor) => cancelAndTell(deps, tx, call, actor, clock.now()),

    /** Idempotent: a cancelled call returns its first time. */
    async cancel(
      organisationId: string,
      id: string,
      actor: Actor,
      alongside: Alongside<CancelledCall> = async () => {},
    ): Promise<CancelledCall> {
      return db.write(async (tx) => {
        const call = await callOf(tx, organisationId, id);
        if (!call) throw unknownCall();
        const now = clock.now();
        const wasCancelledAt = call.state === "cancelled" ? call.cancelled_at : null;
        if (wasCancelledAt === null) await cancelAndTell(deps, tx, call, actor, now);
        const cancelled = cancelledView(call.id, wasCancelledAt ?? now);
        await alongside(tx, cancelled);
        return cancelled;
      });
    },
  };
}

export type CallService = ReturnType<typeof createCallService>;

/** Facts of the dispatcher if the call were due now. */
async function factsOf({ db, dialFacts }: CallServiceDeps, call: NewCall): Promise<PolicyFacts> {
  const { organisationId, agent, contactNumber, source, scheduledAt, place = UNKNOWN_PLACE } = call;
  const organisation = await organisationById(db.reader, organisationId);
  if (!organisation) throw new Error("A credential without an organisation.");
  const numbers = await numbersOfAgent(db.reader, agent.id);
  const question = { organisation, agent, numbers, contactNumber, place, source, now: scheduledAt };
  return (await dialFacts.factsOf(db.reader, question, new LinesInUse(await liveCalls(db.reader)))).facts;
}

/** The inbound webhook answers 402; the API accepts the call, and its dial is disallowed. */
async function assertCredits(deps: CallServiceDeps, call: NewCall): Promise<void> {
  if (!isRefusedForCredits(await factsOf(deps, call))) return;
  throw new AppError("INSUFFICIENT_CREDITS", "The organisation has too few credits for a call.");
}

async function cancelAndTell(
  { finalCalls, audit }: CallServiceDeps,
  tx: Tx,
  call: Call,
  actor: Actor,
  now: number,
): Promise<void> {
  const { organisation_id: organisationId, id } = call;
  const cancelled = await cancelCall(tx, call, now);
  if (!cancelled) throw notCancellable(call);
  await finalCalls.tell(tx, cancelled);
  await audit.record(tx, { organisationId, actor, action: "call.cancelled", subjectId: id });
}

/** Null if the call no longer waits. The caller must notify the watchers (call/final-calls.ts). */
export async function cancelCall(tx: Tx, call: Call, now: number): Promise<Call | null> {
  const change = { cancelled_at: now, finished_at: now, hold_reason: null, updated_at: now };
  return applyEvent(tx, call, "cancel", change);
}

const notCancellable = ({ state }: Call) =>
  new AppError("CALL_NOT_CANCELLABLE", `This call is ${state}; only scheduled and queued calls can be cancelled.`);

function cancelledView(callId: string, cancelledAt: number): CancelledCall {
  return { call_id: callId, status: "cancelled", cancelled_at: toIso(cancelledAt) };
}

/** Filters beyond those of the API. */
export type CallQuestion = ListCallsInput & {
  search?: string;
  planned_from?: string;
  planned_to?: string;
  updated_from?: string;
  updated_to?: string;
  outcome?: string;
};

export function filterOf(input: CallQuestion): Omit<CallFilter, "organisationId" | "limit"> {
  return {
    plannedFrom: timeFilter("planned_from", input.planned_from),
    plannedTo: timeFilter("planned_to", input.planned_to),
    updatedFrom: timeFilter("updated_from", input.updated_from),
    updatedTo: timeFilter("updated_to", input.updated_to),
    outcome: input.outcome,
    status: stateFilter(input.status),
    agentId: input.agent_id,
    campaignId: input.campaign_id,
    search: input.search,
    // An unencoded plus arrives as a space; numbers never start with a space otherwise.
    contactNumber: input.contact_number?.replace(/^ /, "+"),
    createdFrom: timeFilter("created_from", input.created_from),
    createdTo: timeFilter("created_to", input.created_to),
    before: input.cursor === undefined ? undefined : decodeCursor(input.cursor, input),
  };
}

function stateFilter(text: string | undefined): Call["state"] | undefined {
  if (text === undefined) return undefined;
  const state = CALL_STATES.find((known) => known === text);
  if (!state) throw invalidField("status", `status must be one of ${CALL_STATES.join(", ")}.`);
  return state;
}

function timeFilter(field: string, text: string | undefined): number | undefined {
  // An unencoded plus in an offset arrives as a space.
  return text === undefined ? undefined : parseIsoTime(field, text.replace(/ (?=\d\d:\d\d$)/, "+"));
}
