// Uniqueness of e-mail addresses and phone numbers across organisations: sign-in looks up the address alone, and an
// inbound call finds its organisation by number. A claim on another organisation's value must be refused, and the
// refusal reveals that the value is in use. To limit the leak, the error does not name the owner, each refusal is
// audited, and after a few refusals an organisation may claim nothing more for a day, which prevents enumeration.
import { DAY_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { Actor } from "../core/actor.ts";
import { newestActionTimes, type Audit } from "./audit.ts";

const REFUSED = { person: "person.refused", phone_number: "phone_number.refused" } as const;
/** Allows for typing mistakes. No one adds five people a day who also work at the hospital next door. */
const MOST_REFUSED_A_DAY = 5;

export interface Claim {
  organisationId: string;
  kind: keyof typeof REFUSED;
  actor: Actor;
  /** The organisation that holds it now; undefined if none does. */
  holder: (executor: Executor) => Promise<string | undefined>;
}

export interface Claims {
  /** Runs `work` in a transaction, unless another organisation holds the value. */
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
      "Too many additions were refused within a day. Wait, or ask the administrator of this appliance.",
      { retryAfterSeconds: Math.ceil((oldest + DAY_MS - now) / SECOND_MS) },
    );
  }

  return {
    async run(claim, work) {
      const { organisationId, kind, actor, holder } = claim;
      // The operator of the command line sees every organisation anyway.
      const isOperator = actor.kind === "cli";
      const outcome = await db.write(async (tx) => {
        if (!isOperator) await assertNotTooMany(tx, claim);
        const present = await holder(tx);
        if (present === undefined || present === organisationId) return { done: await work(tx) };
        // Returned, not thrown: a throw would roll back the audit entry.
        await audit.record(tx, { organisationId, actor, action: REFUSED[kind] });
        return null;
      });
      if (outcome) return outcome.done;
      const what = kind === "person" ? "This e-mail address" : "This phone number";
      throw new AppError(
        "CONFLICT",
        isOperator
          ? `${what} is in use in another organisation.`
          : `${what} cannot be added here. If it is yours, ask the administrator of this appliance.`,
      );
    },
  };
}
