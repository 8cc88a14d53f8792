// Repeats a call: same agent, number, name and values. Contacts on the do-not-disturb list, and contacts with a pending
// call, are not called again, so repeating the request is safe.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { Config } from "../config/schema.ts";
import { toIso, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import type { Call } from "./call/records.ts";
import type { Tx } from "../db/tables.ts";
import { identifiersIn } from "../payloads/identifiers.ts";
import { BulkReport, type BulkResult } from "./bulk-report.ts";
import { checkedCall } from "./checked-call.ts";
import { isDoNotDisturb } from "./people/do-not-disturb-store.ts";
import { isFinal } from "./call/state.ts";
import { additionalInfoOf, newCallRow } from "./call/new-call.ts";
import type { CreatedCall } from "./service.ts";
import { isCallWithin } from "./call/named-calls.ts";
import { callOf, insertCall } from "./call/store.ts";
import { hasUnfinishedCall } from "./call/unfinished-store.ts";

export interface CallAgainDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  config: Config;
  audit: Audit;
  /** Work may be due earlier than the scheduler expects. */
  wake: () => void;
}

/** Reasons for not repeating a call, with the error message for a single request. */
const REASONS = {
  unknown: "There is no call with this id.",
  not_ended: "This call has not ended yet.",
  incoming: "This person called you. Make a new call and choose who calls them.",
  do_not_disturb: "This number is on the do-not-disturb list.",
  planned_already: "A call to this number is planned or under way already.",
  not_callable: "This call cannot be made again: its agent has no phone number, or may not call this number.",
} as const;
type Reason = keyof typeof REASONS;

export function createCallAgain(deps: CallAgainDeps) {
  const { db, clock, ids, config, audit, wake } = deps;

  async function again(
    tx: Tx,
    organisationId: string,
    callId: string,
    scheduledTime: string | null,
    actor: Actor,
  ): Promise<Call | Reason> {
    const call = await callOf(tx, organisationId, callId);
    if (!call || (actor.reach && !(await isCallWithin(tx, callId, actor.reach)))) return "unknown";
    const reason = await hindranceOf(tx, call);
    if (reason !== null) return reason;
    const now = clock.now();
    const checked = await checkedCall(tx, organisationId, inputOf(call, scheduledTime), "dashboard", config, now);
    const row = newCallRow(ids, { ...checked, followsCallId: call.id }, now);
    await insertCall(tx, row);
    const detail = { again_of: call.id };
    await audit.record(tx, { organisationId, actor, action: "call.created", subjectId: row.id, detail });
    return row;
  }

  return {
    async one(
      organisationId: string,
      callId: string,
      scheduledTime: string | null,
      actor: Actor,
    ): Promise<CreatedCall> {
      const made = await db.write((tx) => again(tx, organisationId, callId, scheduledTime, actor));
      if (typeof made === "string") throw new AppError(made === "unknown" ? "NOT_FOUND" : "CONFLICT", REASONS[made]);
      wake();
      return { call_id: made.id, status: made.state, scheduled_at: toIso(made.scheduled_at) };
    },

    /** One write command. Clients with more than a few hundred calls send several requests. */
    async many(organisationId: string, callIds: readonly string[], actor: Actor): Promise<BulkResult> {
      const result = await db.write(async (tx) => {
        const report = new BulkReport<Reason>();
        for (const id of callIds) {
          const made = await again(tx, organisationId, id, null, actor).catch(notCallable);
          report.note(typeof made === "string" ? made : null);
        }
        return report.result();
      });
      wake();
      return result;
    },
  };
}

export type CallAgain = ReturnType<typeof createCallAgain>;

async function hindranceOf(tx: Tx, call: Call): Promise<Reason | null> {
  if (!isFinal(call.state)) return "not_ended";
  if (call.direction === "inbound") return "incoming";
  if (await isDoNotDisturb(tx, call.organisation_id, call.contact_number)) return "do_not_disturb";
  if (await hasUnfinishedCall(tx, call.organisation_id, call.contact_number)) return "planned_already";
  return null;
}

function inputOf(call: Call, scheduledTime: string | null) {
  return {
    agent_id: call.agent_id,
    user_number: call.contact_number,
    user_name: call.contact_name,
    user_email: call.contact_email,
    user_preferred_language: call.preferred_language,
    user_time_zone: call.contact_time_zone,
    user_region: call.contact_region,
    user_identifiers: identifiersIn(call.user_identifiers),
    additional_info: additionalInfoOf(call),
    scheduled_time: scheduledTime,
  };
}

function notCallable(error: unknown): Reason {
  if (error instanceof AppError) return "not_callable";
  throw error;
}
