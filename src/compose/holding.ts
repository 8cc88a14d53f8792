// Holds all work that may already have been done, because the database was rolled back: calls, campaigns, reminders,
// waiting-list openings and deliveries, one organisation at a time.
import { RESTORED_HOLD } from "../db/backup/hold-due-calls.ts";
import { takeBackDue } from "../reminders/reminder-store.ts";
import { forgetOpenings } from "../waiting-list/offer-store.ts";
import { SYSTEM_ACTOR, type Actor } from "../core/actor.ts";
import { toIso, type Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { Found } from "../db/lineage/lineage.ts";
import { countMaybeDelivered } from "../events/endpoint-store.ts";
import type { Services } from "./services.ts";

export interface Held {
  calls: number;
  campaigns: number;
  reminders: number;
  endpoints: number;
}

const NOTHING: Held = { calls: 0, campaigns: 0, reminders: 0, endpoints: 0 };

const MESSAGES: Readonly<Record<Found["standing"], string>> = {
  behind: "The database is older than what this data folder has seen. What was due since is held; see Today.",
  unproven:
    "The database was served last from another data folder, and not stopped there. What was due is held; see Today.",
  restored: "The database was restored from a backup. What was due is held; see Today.",
  current: "",
  new: "",
};

export function createHolding({ db, clock, services }: { db: Database; clock: Clock; services: Services }) {
  const { audit, heldCalls, campaigns, endpoints, organisations } = services;

  /** Calls first, so calls of a campaign that may have been made are not continued with it. */
  async function hold(organisationId: string, until: number, madeSince: number | null, actor: Actor): Promise<Held> {
    const calls = await heldCalls.hold({ organisationId, until, madeSince });
    const held = {
      calls,
      campaigns: await campaigns.pauseAll(organisationId, actor),
      endpoints: await endpoints.holdPending(organisationId, actor),
      reminders: await db.write(async (tx) => {
        await forgetOpenings(tx, organisationId);
        return takeBackDue(tx, organisationId, until, "restored", clock.now());
      }),
    };
    const detail = { due_before: toIso(until), ...held };
    await db.write((tx) => audit.record(tx, { organisationId, actor, action: "calls.held", detail }));
    return held;
  }

  async function all(work: (organisationId: string) => Promise<Held>): Promise<Held> {
    let sum = NOTHING;
    for (const { id } of await organisations.list()) sum = added(sum, await work(id));
    return sum;
  }

  return {
    /** On request: one organisation or all. */
    holdDue: (until: number, organisationId: string | undefined, actor: Actor): Promise<Held> =>
      organisationId === undefined
        ? all((id) => hold(id, until, null, actor))
        : hold(organisationId, until, null, actor),

    /**
     * After a rollback that the server detected. `ringward restore` has already held everything except what follows
     * from calls in progress.
     */
    async holdFound({ standing, until, since }: Found, logger: Logger): Promise<void> {
      const held = await all(async (id) =>
        standing === "restored"
          ? { ...NOTHING, calls: await heldCalls.hold({ organisationId: id, until: 0, madeSince: since }) }
          : hold(id, until, since, SYSTEM_ACTOR),
      );
      logger.warn(MESSAGES[standing], { ...held, due_before: toIso(until) });
    },

    /** Calls and endpoints that wait for a user's decision because of it. */
    countHeld: async (): Promise<number> =>
      (await heldCalls.countAll(RESTORED_HOLD)) + (await countMaybeDelivered(db.reader)),
  };
}

const added = (a: Held, b: Held): Held => ({
  calls: a.calls + b.calls,
  campaigns: a.campaigns + b.campaigns,
  reminders: a.reminders + b.reminders,
  endpoints: a.endpoints + b.endpoints,
});
