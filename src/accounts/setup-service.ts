// First-run setup of an empty appliance: one organisation with one owner, created with the one-time code or from the
// shell.
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { sha256Hex } from "../core/hmac.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { Actor } from "../core/actor.ts";
import type { OrganisationService } from "./organisation-service.ts";
import { setUnlimitedCredits } from "./credit-store.ts";
import { allOrganisations } from "./organisation-store.ts";
import type { PersonService } from "./person-service.ts";
import { isSetupCodeUnused, replaceSetupCode, useSetupCode } from "./setup-store.ts";

export interface FirstOwner {
  organisation: string;
  timeZone: string;
  email: string;
  name: string;
  password: string;
}

export function createSetupService(deps: {
  db: Database;
  clock: Clock;
  ids: Ids;
  organisations: OrganisationService;
  people: Pick<PersonService, "prepare" | "createWithin">;
}) {
  const { db, clock, ids, organisations, people } = deps;

  async function assertEmpty(executor: Executor): Promise<void> {
    if ((await allOrganisations(executor)).length > 0)
      throw new AppError("CONFLICT", "This appliance is already set up.");
  }

  async function createFirst(input: FirstOwner, actor: Actor, alongside: (tx: Tx) => Promise<void> = async () => {}) {
    const owner = await people.prepare({ ...input, role: "owner" });
    return db.write(async (tx) => {
      await assertEmpty(tx);
      await alongside(tx);
      const organisation = await organisations.createWithin(
        tx,
        { name: input.organisation, timeZone: input.timeZone },
        actor,
      );
      // A hospital that runs its own appliance does not bill itself; credits are for shared appliances.
      await setUnlimitedCredits(tx, organisation.id, true);
      const person = await people.createWithin(tx, organisation.id, owner, actor);
      return { organisationId: organisation.id, personId: person.person_id };
    });
  }

  return {
    createFirst,
    async isEmpty(): Promise<boolean> {
      return (await allOrganisations(db.reader)).length === 0;
    },

    /** A new code invalidates all earlier ones. */
    async issueCode(): Promise<string> {
      const code = ids.secret(18);
      await db.write((tx) => replaceSetupCode(tx, sha256Hex(code), clock.now()));
      return code;
    },

    /** For the dashboard's setup page. The code works once. */
    async redeemCode(code: string, input: FirstOwner, actor: Actor) {
      const invalid = () => new AppError("UNAUTHORIZED", "This setup code is not valid. Restart to get a new one.");
      const codeHash = sha256Hex(code);
      // Hashing a password takes 19 MiB and a good part of a second, so an invalid code is rejected before.
      await assertEmpty(db.reader);
      if (!(await isSetupCodeUnused(db.reader, codeHash))) throw invalid();
      return createFirst(input, actor, async (tx) => {
        if (!(await useSetupCode(tx, codeHash, clock.now()))) throw invalid();
      });
    },
  };
}

export type SetupService = ReturnType<typeof createSetupService>;
