// Credits: a ledger per organisation. While credits are limited, the balance is updated in the same transaction. With
// unlimited credits the balance is recomputed when credits are granted or become limited again.
import { toIso, type Clock } from "../core/clock.ts";
import { invalidField } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import type { Actor } from "../core/actor.ts";
import type { Audit } from "./audit.ts";
import {
  addToBalance,
  chargeBalance,
  insertCreditEntry,
  newestCreditEntries,
  setUnlimitedCredits,
  settleBalance,
} from "./credit-store.ts";

export function createCredits(deps: { db: Database; clock: Clock; ids: Ids; audit: Audit }) {
  const { db, clock, ids, audit } = deps;

  async function enter(
    tx: Tx,
    organisationId: string,
    amount: number,
    reason: string,
    callId: string | null,
  ): Promise<void> {
    await insertCreditEntry(tx, {
      id: ids.next("crd"),
      organisation_id: organisationId,
      at: clock.now(),
      amount,
      reason,
      call_id: callId,
    });
  }

  return {
    /** Runs in the transaction that completes the call. */
    async charge(tx: Tx, organisationId: string, callId: string, amount: number): Promise<void> {
      if (amount <= 0) return;
      await enter(tx, organisationId, -amount, "call", callId);
      await chargeBalance(tx, organisationId, amount);
    },

    async grant(organisationId: string, amount: number, actor: Actor): Promise<void> {
      if (!Number.isFinite(amount) || amount === 0 || Math.abs(amount) > 1e9) {
        throw invalidField("amount", "amount must be a number other than 0, up to 1,000,000,000.");
      }
      await db.write(async (tx) => {
        await enter(tx, organisationId, amount, "grant", null);
        if (!(await addToBalance(tx, organisationId, amount))) await settleBalance(tx, organisationId);
        await audit.record(tx, { organisationId, actor, action: "credits.granted", detail: { amount } });
      });
    },

    async recent(organisationId: string, limit: number) {
      const rows = await newestCreditEntries(db.reader, organisationId, limit);
      return rows.map(({ at, amount, reason, call_id }) => ({ at: toIso(at), amount, reason, call_id }));
    },

    async setUnlimited(organisationId: string, unlimited: boolean, actor: Actor): Promise<void> {
      await db.write(async (tx) => {
        await setUnlimitedCredits(tx, organisationId, unlimited);
        if (!unlimited) await settleBalance(tx, organisationId);
        await audit.record(tx, { organisationId, actor, action: "credits.unlimited_changed", detail: { unlimited } });
      });
    },
  };
}

export type Credits = ReturnType<typeof createCredits>;
