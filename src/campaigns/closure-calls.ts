// Calls people who had an appointment on a closed day: one campaign per closure, created exactly once even after a
// crash.
import type { ClosureService } from "../calendar/closure-service.ts";
import type { Actor } from "../core/actor.ts";
import { MINUTE_MS, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { Appointment, Closure } from "../calendar/records.ts";
import type { Tx } from "../db/tables.ts";
import { identifiersIn } from "../payloads/identifiers.ts";
import { openOfClosure } from "./campaign-store.ts";
import type { CampaignInput } from "./model.ts";
import type { CampaignService } from "./service.ts";

export interface ClosureCallsDeps {
  db: Database;
  clock: Clock;
  closures: Pick<ClosureService, "toCall" | "called">;
  campaigns: Pick<CampaignService, "create" | "stopWithin">;
}

export class ClosureCalls implements DueSource {
  readonly name = "calls for closed days";

  constructor(private readonly deps: ClosureCallsDeps) {}

  /** Runs in the transaction that reopens the days, so no person is told that an open day is closed. */
  async reopened(tx: Tx, { id, organisation_id }: Closure, actor: Actor): Promise<void> {
    for (const campaign of await openOfClosure(tx, organisation_id, id))
      await this.deps.campaigns.stopWithin(tx, organisation_id, campaign.id, actor);
  }

  async runDue(): Promise<number | null> {
    const { db, clock, closures, campaigns } = this.deps;
    for (;;) {
      const due = await closures.toCall();
      if (!due) return null;
      const { closure, actor } = due;
      const people = due.people.filter(({ contact_number }) => contact_number !== null);
      const nobody = () => db.write((tx) => closures.called(tx, closure.id, null, new Map()));
      if (people.length === 0) {
        await nobody().catch(whereReopened);
        continue;
      }
      try {
        // The campaign and the record of called people are one commit: no person is called twice or missed.
        await campaigns.create(
          closure.organisation_id,
          campaignOf(closure, people),
          actor,
          (tx, made) => {
            const refused = new Set(made.refused.map(({ row }) => row));
            const reached = people.filter((_, i) => !refused.has(i + 1));
            const numbers = new Map(reached.map(({ id, contact_number }) => [id, contact_number]));
            return closures.called(tx, closure.id, made.campaign_id, numbers);
          },
          { closureId: closure.id },
        );
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // None of the people can be called, so staff must contact them. Other errors are retried.
        if (error.code !== "VALIDATION_ERROR" && error.code !== "NOT_FOUND") return clock.now() + MINUTE_MS;
        await nobody().catch(whereReopened);
      }
    }
  }
}

export const createClosureCalls = (deps: ClosureCallsDeps): ClosureCalls => new ClosureCalls(deps);

function whereReopened(error: unknown): void {
  if (!(error instanceof AppError && error.code === "CONFLICT")) throw error;
}

/** With the values that the library's agent for closed days needs. */
function campaignOf(closure: Closure, people: readonly Appointment[]): CampaignInput {
  const days = closure.from_date === closure.to_date ? closure.from_date : `${closure.from_date} – ${closure.to_date}`;
  return {
    name: closure.name === null ? days : `${closure.name}, ${days}`.slice(0, 100),
    agent_id: closure.agent_id ?? "",
    rows: people.map((row, i) => ({
      row: i + 1,
      user_number: row.contact_number ?? "",
      user_name: row.contact_name,
      user_email: row.contact_email,
      user_identifiers: identifiersIn(row.contact_identifiers),
      user_time_zone: row.contact_time_zone,
      user_region: row.contact_region,
      // The agent announces this appointment and moves it to a time that the person chooses.
      additional_info: {
        appointment_id: row.id,
        appointment_date: row.date,
        appointment_time: row.start_time,
        ...(closure.name === null ? {} : { closed_for: closure.name }),
      },
    })),
  };
}
