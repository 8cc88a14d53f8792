// Reads the change log. Each change is logged in the transaction that makes it, by any process and independent of the
// clock. On SQLite the numbers follow the order of commits; for PostgreSQL see db/postgres/changes.ts.
import { bindingOf } from "../db/binding.ts";
import { changesOf, changesSince, ends } from "../db/postgres/changes.ts";
import { prepared } from "../db/prepared.ts";
import type { Executor } from "../db/tables.ts";
import type { Change } from "./records.ts";

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

export interface Changes {
  changes: Change[];
  /** Position to continue from. */
  upTo: number;
  /** The log is short: after a long stall its beginning has been deleted. */
  lostSome: boolean;
  /** There are more changes that cannot be sent yet. */
  isHeldBack?: boolean;
}

export interface ChangeLog {
  /** Changes of all organisations, oldest first. */
  after(position: number, limit: number): Promise<Changes>;
  /** Changes of one organisation, oldest first. The log is short, so this scans it. */
  ofOrganisation(question: SpanQuestion): Promise<Change[]>;
  /** The log is complete after position `oldest`; `newest` is the current position. */
  ends(): Promise<{ oldest: number; newest: number }>;
}

export function createChangeLog(reader: Executor): ChangeLog {
  return bindingOf(reader).engine === "postgres" ? logByTransaction(reader) : logByNumber(reader);
}

function logByNumber(reader: Executor): ChangeLog {
  return {
    async after(position, limit) {
      const changes = await selectAfter(reader, { after: position, limit });
      const lostSome = (changes[0]?.sequence ?? 0) > position + 1;
      return { changes, upTo: changes.at(-1)?.sequence ?? position, lostSome };
    },
    ofOrganisation: (question) => selectOf(reader, question),
    async ends() {
      const [found] = await selectEnds(reader, {});
      return { oldest: (found?.oldest ?? 1) - 1, newest: found?.newest ?? 0 };
    },
  };
}

function logByTransaction(reader: Executor): ChangeLog {
  return {
    after: (position, limit) => changesSince(reader, position, limit),
    ofOrganisation: (question) => changesOf(reader, question),
    async ends() {
      const { before, horizon } = await ends(reader);
      return { oldest: before, newest: horizon };
    },
  };
}
