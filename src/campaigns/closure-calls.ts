// Whoever was booked on a day that was closed is called: a list of calls for each closure, made once however often we stop.
import type { ClosureService } from "../calendar/closure-service.ts";
import { MINUTE_MS, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { AppointmentRow, ClosureRow } from "../db/tables.ts";
import type { CampaignInput } from "./model.ts";
import type { CampaignService } from "./service.ts";

export interface ClosureCallsDeps {
  db: Database;
  clock: Clock;
  closures: Pick<ClosureService, "toCall" | "called">;
  campaigns: Pick<CampaignService, "create">;
}

export class ClosureCalls implements DueSource {
  readonly name = "calls for closed days";

  constructor(private readonly deps: ClosureCallsDeps) {}

  async runDue(): Promise<number | null> {
    const { db, clock, closures, campaigns } = this.deps;
    for (;;) {
      const due = await closures.toCall();
      if (!due) return null;
      const { closure, actor } = due;
      const people = due.people.filter(({ contact_number }) => contact_number !== null);
      const nobody = () => db.write((tx) => closures.called(tx, closure.id, null, new Set()));
      if (people.length === 0) {
        await nobody();
        continue;
      }
      try {
        // The list of calls and the note that they were called are one commit: nobody is called twice, nobody forgotten.
        await campaigns.create(closure.organisation_id, campaignOf(closure, people), actor, (tx, made) => {
          const refused = new Set(made.refused.map(({ row }) => row));
          const reached = people.filter((_, i) => !refused.has(i + 1)).map(({ id }) => id);
          return closures.called(tx, closure.id, made.campaign_id, new Set(reached));
        });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // Not one of them can be called: somebody has to look after them. Anything else may pass.
        if (error.code !== "VALIDATION_ERROR" && error.code !== "NOT_FOUND") return clock.now() + MINUTE_MS;
        await nobody();
      }
    }
  }
}

export const createClosureCalls = (deps: ClosureCallsDeps): ClosureCalls => new ClosureCalls(deps);

function campaignOf(closure: ClosureRow, people: readonly AppointmentRow[]): CampaignInput {
  const days = closure.from_date === closure.to_date ? closure.from_date : `${closure.from_date} – ${closure.to_date}`;
  return {
    name: closure.name === null ? days : `${closure.name}, ${days}`.slice(0, 100),
    agent_id: closure.agent_id ?? "",
    rows: people.map((row, i) => ({
      row: i + 1,
      user_number: row.contact_number ?? "",
      user_name: row.contact_name,
      user_email: row.contact_email,
      // The agent tells of this appointment, and moves it to the time that they choose.
      additional_info: {
        appointment_id: row.id,
        appointment_date: row.date,
        appointment_time: row.start_time,
        ...(closure.name === null ? {} : { closed_for: closure.name }),
      },
    })),
  };
}
