// Calls that a restore holds (db/backup/hold-due-calls.ts): shown, released or cancelled, an organisation at a time.
import type { Actor } from "../../core/actor.ts";
import type { Audit } from "../../accounts/audit.ts";
import { toIso, type Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Database } from "../../db/database.ts";
import { countRestored, releaseRestored, restoredCalls, type RestoredCall } from "./restored-store.ts";
import type { CallService } from "../service.ts";

/** Keeps a transaction short, so that requests to a running server do not wait behind it. */
const BATCH = 200;

export function createRestoredCalls(deps: {
  db: Database;
  clock: Clock;
  audit: Audit;
  calls: Pick<CallService, "cancel">;
  wake: () => void;
}) {
  const { db, clock, audit, calls, wake } = deps;

  /** Calls `work` with each batch until none is held any more; `callId` picks one. */
  async function eachBatch(
    organisationId: string,
    callId: string | undefined,
    work: (batch: readonly RestoredCall[]) => Promise<number>,
  ): Promise<number> {
    let done = 0;
    for (;;) {
      const batch = await restoredCalls(db.reader, organisationId, BATCH, callId);
      if (batch.length === 0) break;
      done += await work(batch);
    }
    if (done === 0 && callId !== undefined)
      throw new AppError("NOT_FOUND", "No call with this id is held since a restore.");
    return done;
  }

  return {
    count: (organisationId: string): Promise<number> => countRestored(db.reader, organisationId),

    async list(organisationId: string, limit: number) {
      const rows = await restoredCalls(db.reader, organisationId, limit);
      return rows.map(({ id, agent_id, scheduled_at }) => ({
        call_id: id,
        agent_id,
        scheduled_at: toIso(scheduled_at),
      }));
    },

    /** They queue as if they were due now, and every rule of a dial holds for them. */
    async release(organisationId: string, callId: string | undefined, actor: Actor): Promise<number> {
      const released = await eachBatch(organisationId, callId, (batch) =>
        db.write(async (tx) => {
          const now = clock.now();
          let count = 0;
          for (const { id } of batch) {
            if (!(await releaseRestored(tx, id, now))) continue;
            await audit.record(tx, { organisationId, actor, action: "call.released", subjectId: id });
            count++;
          }
          return count;
        }),
      );
      wake();
      return released;
    },

    async cancel(organisationId: string, callId: string | undefined, actor: Actor): Promise<number> {
      return eachBatch(organisationId, callId, async (batch) => {
        await Promise.all(batch.map(({ id }) => calls.cancel(organisationId, id, actor)));
        return batch.length;
      });
    },
  };
}
