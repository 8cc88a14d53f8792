// Sharing of one call by hand: a link of its own with an end, which can be revoked.
import type { Audit } from "../accounts/audit.ts";
import type { Actor } from "../core/actor.ts";
import { DAY_MS, toIso, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { equalInConstantTime } from "../core/hmac.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import { deleteSingleShare, replaceSingleShare, sharedCallState, singleShareOf } from "./share-store.ts";

export const LONGEST_SHARE_DAYS = 30;

export interface SingleShareView {
  url: string;
  expires_at: string;
}

export interface SingleShareDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  /** Of the page with this token. */
  urlOf: (callId: string, token: string) => string;
}

export function createSingleShares({ db, clock, ids, audit, urlOf }: SingleShareDeps) {
  async function live(callId: string) {
    const share = await singleShareOf(db.reader, callId);
    return share && share.expires_at > clock.now() ? share : undefined;
  }

  return {
    /** Null if the call is not shared by hand. */
    async of(callId: string): Promise<SingleShareView | null> {
      const share = await live(callId);
      return share ? { url: urlOf(callId, share.token), expires_at: toIso(share.expires_at) } : null;
    },

    /** A new link; an earlier one stops working. */
    async share(organisationId: string, callId: string, days: number, actor: Actor): Promise<SingleShareView> {
      if (!Number.isInteger(days) || days < 1 || days > LONGEST_SHARE_DAYS)
        throw invalidField("days", `days must be a whole number from 1 to ${LONGEST_SHARE_DAYS}.`);
      const token = ids.secret(24);
      const now = clock.now();
      const expires_at = now + days * DAY_MS;
      await db.write(async (tx) => {
        const state = await sharedCallState(tx, organisationId, callId);
        if (state === undefined) throw new AppError("NOT_FOUND", "There is no call with this id.");
        if (state !== "completed") throw new AppError("CONFLICT", "Only a completed call can be shared.");
        const share = { call_id: callId, organisation_id: organisationId, token, created_at: now, expires_at };
        await replaceSingleShare(tx, share);
        const detail = { until: toIso(expires_at) };
        await audit.record(tx, { organisationId, actor, action: "call.shared", subjectId: callId, detail });
      });
      return { url: urlOf(callId, token), expires_at: toIso(expires_at) };
    },

    /** The link stops working at once. */
    async revoke(organisationId: string, callId: string, actor: Actor): Promise<void> {
      await db.write(async (tx) => {
        const share = await singleShareOf(tx, callId);
        if (share?.organisation_id !== organisationId) throw new AppError("NOT_FOUND", "This call is not shared.");
        await deleteSingleShare(tx, callId);
        await audit.record(tx, { organisationId, actor, action: "call.share_revoked", subjectId: callId });
      });
    },

    /** The call's organisation if the token opens the call; null otherwise. */
    async opens(callId: string, token: string): Promise<string | null> {
      const share = await live(callId);
      const matches = equalInConstantTime(share?.token ?? "", token);
      return share && matches ? share.organisation_id : null;
    },
  };
}

export type SingleShares = ReturnType<typeof createSingleShares>;
