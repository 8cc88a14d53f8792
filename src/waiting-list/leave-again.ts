// Removes a caller who joined the waiting list in the same call and changed their mind.
import type { Audit } from "../accounts/audit.ts";
import { SYSTEM_ACTOR } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import { entriesWaitingOf, updateEntry } from "./store.ts";

/** False if this call added no entry, or the person is already being called about a slot. */
export function leaveAgain(
  { db, clock, audit }: { db: Database; clock: Clock; audit: Audit },
  { organisationId, callId, contactNumber }: { organisationId: string; callId: string; contactNumber: string },
): Promise<boolean> {
  return db.write(async (tx) => {
    const entries = await entriesWaitingOf(tx, organisationId, contactNumber);
    const joined = entries.find((entry) => entry.call_id === callId && entry.state === "waiting");
    if (!joined) return false;
    await updateEntry(tx, joined.id, { state: "left", updated_at: clock.now() });
    await audit.record(tx, { organisationId, actor: SYSTEM_ACTOR, action: "waiting.removed", subjectId: joined.id });
    return true;
  });
}
