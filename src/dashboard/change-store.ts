// Which calls and appointments changed after a given time.
import { prepared } from "../db/prepared.ts";
import type { Executor } from "../db/tables.ts";

export interface ChangeQuestion {
  organisationId: string;
  /** Milliseconds. */
  after: number;
  limit: number;
}

const selectCalls = prepared<ChangeQuestion>()((db, { organisationId, after, limit }) =>
  db
    .selectFrom("calls")
    .select(["id", "updated_at"])
    .where("organisation_id", "=", organisationId)
    .where("updated_at", ">", after)
    .orderBy("updated_at", "desc")
    .orderBy("id", "desc")
    .limit(limit),
);

const selectAppointments = prepared<ChangeQuestion>()((db, { organisationId, after, limit }) =>
  db
    .selectFrom("appointments")
    .select(["id", "updated_at"])
    .where("organisation_id", "=", organisationId)
    .where("updated_at", ">", after)
    .orderBy("updated_at", "desc")
    .orderBy("id", "desc")
    .limit(limit),
);

/** The newest ones, where there are more than `limit`. */
export async function changedCalls(executor: Executor, question: ChangeQuestion) {
  return selectCalls(executor, question);
}

export async function changedAppointments(executor: Executor, question: ChangeQuestion) {
  return selectAppointments(executor, question);
}
