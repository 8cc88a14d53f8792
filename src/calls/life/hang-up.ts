// Hangs up a live call at a person's request.
import type { Actor } from "../../core/actor.ts";
import type { Audit } from "../../accounts/audit.ts";
import { AppError } from "../../core/errors.ts";
import type { Database } from "../../db/database.ts";
import { LIVE_STATES } from "../call/state.ts";
import { callOf } from "../call/store.ts";

export interface HangUpDeps {
  db: Database;
  audit: Audit;
  /** The carrier's function; it reports the end as usual. */
  hangUp: (callId: string) => void;
}

export function createHangUp({ db, audit, hangUp }: HangUpDeps) {
  return async (organisationId: string, callId: string, actor: Actor): Promise<void> => {
    await db.write(async (tx) => {
      const call = await callOf(tx, organisationId, callId);
      if (!call) throw new AppError("NOT_FOUND", "There is no call with this id.");
      if (!LIVE_STATES.some((state) => state === call.state)) {
        throw new AppError("CONFLICT", "This call is not under way, so there is nothing to hang up.");
      }
      await audit.record(tx, { organisationId, actor, action: "call.hung_up", subjectId: callId });
    });
    hangUp(callId);
  };
}
