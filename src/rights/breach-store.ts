// Audit entries of a period, for the breach report: by record in slices of the subject index, and by action in time
// order.
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { behind } from "../db/index-slices.ts";
import type { Executor, Row } from "../db/tables.ts";

export interface Period {
  organisationId: string;
  /** Inclusive. */
  from: number;
  /** Exclusive. */
  to: number;
}

export interface SubjectReads {
  subject_id: string;
  actor_kind: string;
  actor_id: string | null;
  action: string;
  first: number;
  last: number;
  times: number;
  /** The whole file of the person was downloaded. */
  is_file: boolean;
}

/** In the detail of an entry, which is JSON without spaces. */
const FILE = '%"file":true%';

/** Index entries per slice. The serving thread receives a slice at once. */
const ENTRIES_PER_SLICE = 1_000;

const isFile = sql<number | string>`case when detail like ${sql.lit(FILE)} then 1 else 0 end`;

/** Reads of single records, one row per record, actor and action, in the order of the records. */
export async function* subjectReads(executor: Executor, period: Period): AsyncGenerator<SubjectReads[], void> {
  const { organisationId, from, to } = period;
  for (let after = ""; ;) {
    const nth = await executor
      .selectFrom("audit_entries")
      .select("subject_id")
      .where("organisation_id", "=", organisationId)
      .where("subject_id", ">", after)
      .orderBy("subject_id")
      .offset(ENTRIES_PER_SLICE - 1)
      .limit(1)
      .executeTakeFirst();
    let query = executor
      .selectFrom("audit_entries")
      .select(["subject_id", "actor_kind", "actor_id", "action"])
      .select((eb) => [
        eb.fn.min<number | string>("at").as("first"),
        eb.fn.max<number | string>("at").as("last"),
        eb.fn.countAll<number | string>().as("times"),
        isFile.as("is_file"),
      ])
      .where("organisation_id", "=", organisationId)
      .where("subject_id", ">", after)
      .where("at", ">=", from)
      .where("at", "<", to)
      .where("actor_kind", "<>", "system");
    if (nth?.subject_id) query = query.where("subject_id", "<=", nth.subject_id);
    const rows = await query
      .groupBy(["subject_id", "actor_kind", "actor_id", "action", isFile])
      .orderBy("subject_id")
      .orderBy("action")
      .execute();
    yield rows.map(({ subject_id, first, last, times, is_file, ...who }) => ({
      ...who,
      is_file: Number(is_file) === 1,
      subject_id: subject_id ?? "",
      first: Number(first),
      last: Number(last),
      times: Number(times),
    }));
    if (!nth?.subject_id) return;
    after = nth.subject_id;
  }
}

export type WideEntry = Pick<Row<"audit_entries">, "id" | "at" | "actor_kind" | "actor_id" | "subject_id" | "detail">;

/**
 * Entries of one action, oldest first. The conditions are on (action, at, id) together, so that SQLite cannot choose
 * the index by time, which reads the whole period for each action.
 */
export async function* entriesOfAction(
  executor: Executor,
  { organisationId, from, to }: Period,
  action: string,
  limit: number,
): AsyncGenerator<WideEntry[], void> {
  for (let last: { at: number; id: string } = { at: from, id: "" }; ;) {
    const rows: WideEntry[] = await executor
      .selectFrom("audit_entries")
      .select(["id", "at", "actor_kind", "actor_id", "subject_id", "detail"])
      .where("organisation_id", "=", organisationId)
      .where(behind(["action", "at", "id"], { action, ...last }))
      .where(sql<SqlBool>`(action, at) < (${action}, ${to})`)
      .orderBy("action")
      .orderBy("at")
      .orderBy("id")
      .limit(limit)
      .execute();
    yield rows;
    const end = rows.at(-1);
    if (!end || rows.length < limit) return;
    last = end;
  }
}

export interface Whose {
  id: string;
  contact_name: string | null;
  contact_number: string | null;
}

const HOLDS = sql`(select id, null as contact_name, subject_key as contact_number
  from retention_holds where subject = 'person')`;
const REMINDERS = sql`(select r.id, a.contact_name, a.contact_number
  from reminders r join appointments a on a.id = r.appointment_id)`;
const EVENTS = sql`(select e.id, coalesce(c.contact_name, a.contact_name) as contact_name,
    coalesce(e.contact_number, c.contact_number, a.contact_number) as contact_number
  from events e left join calls c on c.id = e.call_id left join appointments a on a.id = e.appointment_id)`;
const DELIVERIES = sql`(select d.id, coalesce(c.contact_name, a.contact_name) as contact_name,
    coalesce(e.contact_number, c.contact_number, a.contact_number) as contact_number
  from deliveries d join events e on e.id = d.event_id
    left join calls c on c.id = e.call_id left join appointments a on a.id = e.appointment_id)`;
const ofNumberIn = (table: "consents" | "contact_notes") =>
  sql`(select id, null as contact_name, contact_number from ${sql.table(table)})`;

/** Where the person of a record stands, by the prefix of its id. */
const PEOPLE: Readonly<Record<string, RawBuilder<unknown>>> = {
  call: sql.table("calls"),
  apt: sql.table("appointments"),
  wtl: sql.table("waiting_list"),
  cns: ofNumberIn("consents"),
  note: ofNumberIn("contact_notes"),
  rth: HOLDS,
  rmd: REMINDERS,
  evt: EVENTS,
  dlv: DELIVERIES,
};

/** The people of these records, as far as they are still stored. */
export async function peopleOf(executor: Executor, ids: readonly string[]): Promise<Whose[]> {
  const found: Whose[] = [];
  for (const [prefix, table] of Object.entries(PEOPLE)) {
    const wanted = ids.filter((id) => id.startsWith(`${prefix}_`));
    for (let at = 0; at < wanted.length; at += 500) {
      const some = wanted.slice(at, at + 500);
      const { rows } = await sql<Whose>`
        select id, contact_name, contact_number from ${table} as people where id in (${sql.join(some)})
      `.execute(executor);
      found.push(...rows);
    }
  }
  return found;
}
