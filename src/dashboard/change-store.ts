// Reads the log of changes, which triggers write in the order of the commits: by another process or this one, whatever the
// clock says.
import { prepared } from "../db/prepared.ts";
import type { ChangeRow, Executor } from "../db/tables.ts";

const selectAfter = prepared<{ after: number; limit: number }>()((db, { after, limit }) =>
  db.selectFrom("changes").selectAll().where("sequence", ">", after).orderBy("sequence").limit(limit),
);

export interface SpanQuestion {
  organisationId: string;
  after: number;
  upTo: number;
  limit: number;
}

const selectOf = prepared<SpanQuestion>()((db, { organisationId, after, upTo, limit }) =>
  db
    .selectFrom("changes")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("sequence", ">", after)
    .where("sequence", "<=", upTo)
    .orderBy("sequence")
    .limit(limit),
);

const selectEnds = prepared<object>()((db) =>
  db
    .selectFrom("changes")
    .select((eb) => [
      eb.fn.coalesce(eb.fn.min("sequence"), eb.lit(1)).as("oldest"),
      eb.fn.coalesce(eb.fn.max("sequence"), eb.lit(0)).as("newest"),
    ]),
);

export interface ChangeLog {
  /** Of every organisation, oldest first. */
  after(sequence: number, limit: number): Promise<ChangeRow[]>;
  /** Of one organisation, oldest first. The log is short, so it is read through. */
  ofOrganisation(question: SpanQuestion): Promise<ChangeRow[]>;
  ends(): Promise<{ oldest: number; newest: number }>;
}

export function createChangeLog(reader: Executor): ChangeLog {
  return {
    after: (sequence, limit) => selectAfter(reader, { after: sequence, limit }),
    ofOrganisation: (question) => selectOf(reader, question),
    async ends() {
      const [ends] = await selectEnds(reader, {});
      return ends ?? { oldest: 1, newest: 0 };
    },
  };
}
