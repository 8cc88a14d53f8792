// Which calls and appointments changed after a given time.
import { prepared } from "../db/prepared.ts";
import type { Executor } from "../db/tables.ts";

interface Question {
  organisationId: string;
  after: number;
  limit: number;
}

const selectCalls = prepared<Question>()((db, { organisationId, after, limit }) =>
  db
    .selectFrom("calls")
    .select(["id", "updated_at"])
    .where("organisation_id", "=", organisationId)
    .where("updated_at", ">", after)
    .orderBy("updated_at")
    .orderBy("id")
    .limit(limit),
);

const selectAppointments = prepared<Question>()((db, { organisationId, after, limit }) =>
  db
    .selectFrom("appointments")
    .select(["id", "updated_at"])
    .where("organisation_id", "=", organisationId)
    .where("updated_at", ">", after)
    .orderBy("updated_at")
    .orderBy("id")
    .limit(limit),
);

export async function changedCalls(executor: Executor, organisationId: string, after: number, limit: number) {
  return selectCalls(executor, { organisationId, after, limit });
}

export async function changedAppointments(executor: Executor, organisationId: string, after: number, limit: number) {
  return selectAppointments(executor, { organisationId, after, limit });
}
