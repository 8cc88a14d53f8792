// Everything that is stored about one person, read in slices: a table of sections, each with the rows that belong to
// its rows. A test compares it with the columns that are personal.
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { behind } from "../db/index-slices.ts";
import type { Executor, Tables } from "../db/tables.ts";

export interface PersonKeys {
  organisationId: string;
  number: string;
  /** Subject of audit entries about the person's page. */
  contactId: string;
}

export type StoredRow = Record<string, unknown>;

/** Rows of another table that belong to the rows of a section. */
export interface Part {
  name: string;
  table: keyof Tables;
  /** Column with the id of the section's row. */
  by: string;
  /** All columns without it. */
  columns?: readonly string[];
}

export interface Section {
  name: string;
  table: keyof Tables;
  where: (keys: PersonKeys) => RawBuilder<SqlBool>;
  /** Unique together. Chosen so that both engines use the index on the person: no section reads a whole table. */
  order: readonly string[];
  /** Column to which the parts refer. */
  id: string;
  parts: readonly Part[];
  /** The rows are subjects of audit entries. */
  isAudited?: boolean;
}

const ofNumber = ({ organisationId, number }: PersonKeys) =>
  sql<SqlBool>`organisation_id = ${organisationId} and contact_number = ${number}`;
const ofPlainNumber = ({ organisationId, number }: PersonKeys) =>
  sql<SqlBool>`organisation_id = ${organisationId} and number = ${number}`;

export const SECTIONS: readonly Section[] = [
  {
    name: "calls",
    table: "calls",
    where: ofNumber,
    order: ["created_at", "id"],
    id: "id",
    isAudited: true,
    parts: [
      { name: "results", table: "call_results", by: "call_id" },
      { name: "dial_bases", table: "dial_bases", by: "call_id" },
      { name: "line_reports", table: "call_lines", by: "call_id" },
      { name: "lines_in_use", table: "call_legs", by: "call_id" },
      { name: "analyses_under_way", table: "pending_analyses", by: "call_id" },
      { name: "worklist", table: "worklist_items", by: "subject_id" },
      { name: "events", table: "events", by: "call_id" },
      { name: "holds", table: "retention_holds", by: "subject_key" },
      // No name, no words, the number only as a keyed hash: the proof itself is public.
      { name: "proofs", table: "proofs", by: "call_id", columns: ["call_id", "sequence", "sealed_at", "hash"] },
    ],
  },
  {
    name: "appointments",
    table: "appointments",
    where: ofNumber,
    order: ["date", "id"],
    id: "id",
    isAudited: true,
    parts: [
      { name: "reminders", table: "reminders", by: "appointment_id" },
      { name: "worklist", table: "worklist_items", by: "subject_id" },
      { name: "events", table: "events", by: "appointment_id" },
    ],
  },
  {
    name: "waiting_list",
    table: "waiting_list",
    where: ofNumber,
    order: ["id"],
    id: "id",
    isAudited: true,
    parts: [{ name: "offers", table: "waiting_offers", by: "entry_id" }],
  },
  {
    name: "campaigns",
    table: "campaign_rows",
    where: ({ organisationId, number }) =>
      sql<SqlBool>`contact_number = ${number}
        and campaign_id in (select id from campaigns where organisation_id = ${organisationId})`,
    order: ["campaign_id", "row_number"],
    id: "campaign_id",
    parts: [],
  },
  { name: "notes", table: "contact_notes", where: ofNumber, order: ["created_at", "id"], id: "id", parts: [] },
  {
    name: "consents",
    table: "consents",
    where: ofNumber,
    order: ["purpose"],
    id: "id",
    parts: [{ name: "changes", table: "consent_changes", by: "consent_id" }],
  },
  {
    // Events about the person alone; the others are with their call or appointment.
    name: "events",
    table: "events",
    where: (keys) => sql<SqlBool>`${ofNumber(keys)} and call_id is null and appointment_id is null`,
    order: ["created_at", "id"],
    id: "id",
    parts: [],
  },
  {
    name: "registry_results",
    table: "registry_results",
    where: ofPlainNumber,
    order: ["organisation_id", "number", "registry"],
    id: "number",
    parts: [],
  },
  {
    name: "do_not_disturb",
    table: "do_not_disturb",
    where: ofPlainNumber,
    order: ["organisation_id", "number"],
    id: "number",
    parts: [],
  },
  {
    name: "do_not_disturb_changes",
    table: "do_not_disturb_changes",
    where: ofPlainNumber,
    order: ["organisation_id", "number", "id"],
    id: "id",
    parts: [],
  },
  {
    name: "holds",
    table: "retention_holds",
    where: ({ organisationId, number }) =>
      sql<SqlBool>`organisation_id = ${organisationId} and subject_key = ${number}`,
    order: ["id"],
    id: "id",
    parts: [],
  },
];

/** Personal columns that are not in the file, by table, and why. */
export const LEFT_OUT: Readonly<Partial<Record<keyof Tables, string>>> = {
  contacts: "An index for searches by name and number, made from the calls and appointments that are in the file.",
  contact_identifiers:
    "An index for searches by identifier, made from the calls and appointments that are in the file.",
  idempotency_keys: "Copies of responses for retries, deleted after a day; the records they repeat are in the file.",
  delivery_attempts: "What receiving systems answered to events; the events themselves are in the file.",
  call_shares: "A secret that opens the shared page of a call; what the page shows is in the file.",
  single_shares: "A secret that opens the shared page of a call; what the page shows is in the file.",
  hl7_messages: "Encrypted originals of refused HL7 messages, deleted after some days; nothing else was made of them.",
  person_keys: "The key that seals the person's data in backups: a secret, and no data about them.",
  demo_received: "Copies of events in the demo's own receiver.",
};

/** Files of calls that are not in the file, and why. */
export const LEFT_OUT_FILES: Readonly<Record<string, string>> = {
  packet_captures:
    "Network packets of calls, captured to find faults. Their audio is that of the recordings that are in the file. " +
    "A call that has one says so (has_packet_capture).",
};

/** All rows of a section, a slice at a time. */
export async function* slicesOf(
  executor: Executor,
  { table, where, order }: Section,
  keys: PersonKeys,
  limit: number,
): AsyncGenerator<StoredRow[], void> {
  const by = sql.join(order.map((column) => sql.ref(column)));
  for (let last: StoredRow | null = null; ;) {
    const after: RawBuilder<unknown> = last ? sql`and ${behind(order, last)}` : sql``;
    const { rows } = await sql<StoredRow>`
      select * from ${sql.table(table)} where ${where(keys)} ${after} order by ${by} limit ${limit}
    `.execute(executor);
    if (rows.length > 0) yield rows;
    last = rows.at(-1) ?? null;
    if (rows.length < limit) return;
  }
}

export interface RecordedCall {
  id: string;
  created_at: number;
  recording_file: string | null;
}

/** The person's calls, with the names of their recordings. */
export async function* recordedCalls(
  executor: Executor,
  { organisationId, number }: PersonKeys,
  limit: number,
): AsyncGenerator<RecordedCall[], void> {
  for (let last: RecordedCall | null = null; ;) {
    let query = executor
      .selectFrom("calls")
      .select(["id", "created_at", "recording_file"])
      .where("organisation_id", "=", organisationId)
      .where("contact_number", "=", number);
    if (last) query = query.where(behind(["created_at", "id"], last));
    const rows: RecordedCall[] = await query.orderBy("created_at").orderBy("id").limit(limit).execute();
    yield rows;
    last = rows.at(-1) ?? null;
    if (rows.length < limit) return;
  }
}

/** Rows of a part, for all rows of a slice. */
export async function partsOf(executor: Executor, part: Part, ids: readonly string[]): Promise<StoredRow[]> {
  const columns = part.columns ? sql.join(part.columns.map((column) => sql.ref(column))) : sql`*`;
  const { rows } = await sql<StoredRow>`
    select ${columns} from ${sql.table(part.table)} where ${sql.ref(part.by)} in (${sql.join(ids)})
  `.execute(executor);
  return rows;
}

/** Ids of the newest records of a person that are subjects of audit entries. */
export async function auditedRecords(executor: Executor, keys: PersonKeys, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (const { table, where, order, id } of SECTIONS.filter(({ isAudited }) => isAudited)) {
    const newest = sql.join(order.map((column) => sql`${sql.ref(column)} desc`));
    const { rows } = await sql<{ id: string }>`
      select ${sql.ref(id)} as id from ${sql.table(table)} where ${where(keys)} order by ${newest} limit ${limit}
    `.execute(executor);
    found.push(...rows.map((row) => row.id));
  }
  return found;
}

export interface Read extends StoredRow {
  subject_id: string;
}

/** Who read or changed these records, from the audit trail: one row per actor and action. */
export async function readsOf(
  executor: Executor,
  organisationId: string,
  subjectIds: readonly string[],
): Promise<Read[]> {
  const rows = await executor
    .selectFrom("audit_entries")
    .select(["subject_id", "action", "actor_kind", "actor_id"])
    .select((eb) => [
      eb.fn.min<number | string>("at").as("first"),
      eb.fn.max<number | string>("at").as("last"),
      eb.fn.countAll<number | string>().as("times"),
    ])
    .where("organisation_id", "=", organisationId)
    .where("subject_id", "in", subjectIds)
    // In this order, so that SQLite does not choose the index by action, which reads the whole trail for one record.
    .groupBy(["subject_id", "actor_kind", "actor_id", "action"])
    .execute();
  return rows.map(({ subject_id, first, last, times, ...who }) => ({
    ...who,
    subject_id: subject_id ?? "",
    first_at: Number(first),
    last_at: Number(last),
    times: Number(times),
  }));
}
