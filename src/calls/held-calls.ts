// Calls that wait for a person's decision: calls that were due before the database was restored, and overdue calls.
// Holds, lists, releases and cancels them per organisation.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import { toIso, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { CallService } from "./service.ts";
import {
  countHeld,
  countHeldByOrganisation,
  heldCalls,
  holdDue,
  releaseHeld,
  type DueQuestion,
  type HeldCall,
} from "./queue/held-store.ts";
import type { PersonHold } from "./queue/policy.ts";

/** Keeps transactions short, so requests to a running server are not delayed. */
const BATCH = 200;

/** Selects held calls: one, those with one reason, or all. */
export interface HeldChoice {
  callId?: string | undefined;
  reason?: PersonHold | undefined;
}

export function createHeldCalls(deps: {
  db: Database;
  clock: Clock;
  audit: Audit;
  calls: Pick<CallService, "cancel">;
  wake: () => void;
}) {
  const { db, clock, audit, calls, wake } = deps;

  /** Runs `work` on each batch until no call is held. */
  async function eachBatch(
    organisationId: string,
    choice: HeldChoice,
    work: (batch: readonly HeldCall[]) => Promise<number>,
  ): Promise<number> {
    let done = 0;
    for (;;) {
      const batch = await heldCalls(db.reader, { organisationId, ...choice }, BATCH);
      if (batch.length === 0) break;
      done += await work(batch);
    }
    if (done === 0 && choice.callId !== undefined)
      throw new AppError("NOT_FOUND", "No call with this id waits for a person's word.");
    return done;
  }

  return {
    count: (organisationId: string, reason?: PersonHold): Promise<number> =>
      countHeld(db.reader, { organisationId, reason }),

    /** For all organisations. */
    async countAll(reason: PersonHold): Promise<number> {
      const counts = await countHeldByOrganisation(db.reader, reason);
      return counts.reduce((sum, { held }) => sum + held, 0);
    },

    async list(organisationId: string, limit: number, reason?: PersonHold) {
      const rows = await heldCalls(db.reader, { organisationId, reason }, limit);
      return rows.map(({ id, agent_id, scheduled_at, hold_reason }) => ({
        call_id: id,
        agent_id,
        scheduled_at: toIso(scheduled_at),
        hold_reason: hold_reason ?? "",
      }));
    },

    /** Holds due calls in batches. Returns how many. */
    async hold(question: DueQuestion): Promise<number> {
      let held = 0;
      for (let some = BATCH; some === BATCH; held += some)
        some = await db.write((tx) => holdDue(tx, question, BATCH, clock.now()));
      return held;
    },

    /** Released calls queue as if due now, at a limited rate (turns.ts), and all dial rules apply. */
    async release(organisationId: string, choice: HeldChoice, actor: Actor): Promise<number> {
      const released = await eachBatch(organisationId, choice, (batch) =>
        db.write(async (tx) => {
          const now = clock.now();
          let count = 0;
          for (const { id } of batch) {
            if (!(await releaseHeld(tx, id, now))) continue;
            await audit.record(tx, { organisationId, actor, action: "call.released", subjectId: id });
            count++;
          }
          return count;
        }),
      );
      wake();
      return released;
    },

    async cancel(organisationId: string, choice: HeldChoice, actor: Actor): Promise<number> {
      return eachBatch(organisationId, choice, async (batch) => {
        await Promise.all(batch.map(({ id }) => calls.cancel(organisationId, id, actor)));
        return batch.length;
      });
    },
  };
}

export type HeldCalls = ReturnType<typeof createHeldCalls>;
