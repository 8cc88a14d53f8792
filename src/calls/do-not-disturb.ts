// The do-not-disturb list of an organisation.
import type { Actor } from "../accounts/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { assertDiallable } from "../core/phone.ts";
import type { Database } from "../db/database.ts";
import { addDoNotDisturb, listDoNotDisturb, removeDoNotDisturb } from "./do-not-disturb-store.ts";

export function createDoNotDisturbService(deps: { db: Database; clock: Clock; audit: Audit }) {
  const { db, clock, audit } = deps;
  return {
    async add(organisationId: string, number: string, actor: Actor): Promise<void> {
      assertDiallable(number, "number");
      await db.write(async (tx) => {
        await addDoNotDisturb(tx, organisationId, number, clock.now());
        await audit.record(tx, { organisationId, actor, action: "do_not_disturb.added" });
      });
    },
    async remove(organisationId: string, number: string, actor: Actor): Promise<void> {
      await db.write(async (tx) => {
        const removed = await removeDoNotDisturb(tx, organisationId, number);
        if (!removed) throw new AppError("NOT_FOUND", "The number is not on the list.");
        await audit.record(tx, { organisationId, actor, action: "do_not_disturb.removed" });
      });
    },
    list: (organisationId: string) => listDoNotDisturb(db.reader, organisationId),
  };
}

export type DoNotDisturbService = ReturnType<typeof createDoNotDisturbService>;
