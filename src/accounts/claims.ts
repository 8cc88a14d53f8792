// E-mail addresses and phone numbers belong to one organisation of the appliance: one signs in by address alone, and an
// inbound call finds its organisation by number. So a claim on somebody else's has to be refused, and a refusal tells
// that it is taken. What can be done is done here: the answer does not say by whom, each refusal is in the audit trail,
// and after a few of them an organisation may claim nothing more for a day, so that nobody can go through a list.
import { DAY_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { Actor } from "../core/actor.ts";
import { newestActionTimes, type Audit } from "./audit.ts";

const REFUSED = { person: "person.refused", phone_number: "phone_number.refused" } as const;
/** A typing mistake or two; nobody adds five people a day who work at the hospital next door as well. */
const MOST_REFUSED_A_DAY = 5;

export interface Claim {
  organisationId: string;
  kind: keyof typeof REFUSED;
  actor: Actor;
  /** Whose it is now; undefined where it is nobody's. */
  holder: (executor: Executor) => Promise<string | undefined>;
}

export interface Claims {
  /** Does `work` in a transaction, unless it is another organisation's. */
  run<T>(claim: Claim, work: (tx: Tx) => Promise<T>): Promise<T>;
}

export function createClaims({ db, clock, audit }: { db: Database; clock: Clock; audit: Audit }): Claims {
  async function assertNotTooMany(tx: Tx, { organisationId }: Claim): Promise<void> {
    const now = clock.now();
    const actions = Object.values(REFUSED);
    const refusedAt = await newestActionTimes(tx, { organisationId, actions, since: now - DAY_MS }, MOST_REFUSED_A_DAY);
    const oldest = refusedAt[MOST_REFUSED_A_DAY - 1];
    if (oldest === undefined) return;
    throw new AppError(
      "RATE_LIMITED",
      "Too many additions were refused within a day. Wait, or ask whoever runs this appliance.",
      { retryAfterSeconds: Math.ceil((oldest + DAY_MS - now) / SECOND_MS) },
    );
  }

  return {
    async run(claim, work) {
      const { organisationId, kind, actor, holder } = claim;
      // Whoever has the command line sees every organisation anyway.
      const isOperator = actor.kind === "cli";
      const outcome = await db.write(async (tx) => {
        if (!isOperator) await assertNotTooMany(tx, claim);
        const present = await holder(tx);
        if (present === undefined || present === organisationId) return { done: await work(tx) };
        // Returned, not thrown: the note has to be kept.
        await audit.record(tx, { organisationId, actor, action: REFUSED[kind] });
        return null;
      });
      if (outcome) return outcome.done;
      const what = kind === "person" ? "This e-mail address" : "This phone number";
      throw new AppError(
        "CONFLICT",
        isOperator
          ? `${what} is in use in another organisation.`
          : `${what} cannot be added here. If it is yours, ask whoever runs this appliance.`,
      );
    },
  };
}
