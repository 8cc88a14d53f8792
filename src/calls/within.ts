// Creates and cancels calls in the caller's transaction, so a feature commits its own row together with the call.
import type { Audit } from "../accounts/audit.ts";
import type { Config } from "../config/schema.ts";
import type { Actor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import type { Call, CallSource } from "./call/records.ts";
import type { Tx } from "../db/tables.ts";
import { checkedCall } from "./checked-call.ts";
import type { FinalCalls } from "./call/final-calls.ts";
import type { CreateCallInput } from "./model.ts";
import { newCallRow } from "./call/new-call.ts";
import { applyEvent, callOf, insertCall } from "./call/store.ts";

export interface CallsWithinDeps {
  clock: Clock;
  ids: Ids;
  config: Config;
  audit: Audit;
  finalCalls: Pick<FinalCalls, "tell">;
}

export function createCallsWithin({ clock, ids, config, audit, finalCalls }: CallsWithinDeps) {
  return {
    /** Due at once. Validated like a call of the API: throws AppError before anything is written. */
    async create(
      tx: Tx,
      organisationId: string,
      input: CreateCallInput,
      source: CallSource,
      actor: Actor,
    ): Promise<Call> {
      const now = clock.now();
      const checked = await checkedCall(tx, organisationId, input, source, config, now);
      const call = newCallRow(ids, { ...checked, scheduledAt: now }, now);
      await insertCall(tx, call);
      await audit.record(tx, { organisationId, actor, action: "call.created", subjectId: call.id });
      return call;
    },

    /** False if the call is live, finished or unknown. */
    async cancel(tx: Tx, organisationId: string, id: string, actor: Actor): Promise<boolean> {
      const call = await callOf(tx, organisationId, id);
      if (!call) return false;
      const now = clock.now();
      const change = { cancelled_at: now, finished_at: now, hold_reason: null, updated_at: now };
      const cancelled = await applyEvent(tx, call, "cancel", change);
      if (!cancelled) return false;
      await audit.record(tx, { organisationId, actor, action: "call.cancelled", subjectId: id });
      await finalCalls.tell(tx, cancelled);
      return true;
    },
  };
}

export type CallsWithin = ReturnType<typeof createCallsWithin>;
