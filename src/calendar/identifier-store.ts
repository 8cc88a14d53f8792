// Store of the identifiers of calls and appointments, for searches. Triggers remove them with their call or
// appointment, and keep number and name; see migration 0059.
import { preparedWrite } from "../db/prepared.ts";
import type { Executor, Row, Tx } from "../db/tables.ts";
import { identifierKey, type Identifier } from "../payloads/identifiers.ts";

export interface IdentifiedSubject {
  /** Of the call or appointment. */
  id: string;
  organisationId: string;
  number: string | null;
  name: string | null;
  at: number;
}

/** For a call or appointment that was just stored, or whose identifiers changed. */
export async function noteIdentifiers(
  tx: Tx,
  subject: IdentifiedSubject,
  identifiers: readonly Identifier[],
): Promise<void> {
  for (const { system, value } of identifiers)
    await insertIdentifier(tx, {
      subject_id: subject.id,
      organisation_id: subject.organisationId,
      system,
      value,
      value_key: identifierKey(value),
      number: subject.number ?? "",
      name: subject.name ?? "",
      updated_at: subject.at,
    });
}

const insertIdentifier = preparedWrite<Row<"contact_identifiers">>()((db, p) =>
  db.insertInto("contact_identifiers").values({
    subject_id: p.subject_id,
    organisation_id: p.organisation_id,
    system: p.system,
    value: p.value,
    value_key: p.value_key,
    number: p.number,
    name: p.name,
    updated_at: p.updated_at,
  }),
);

export async function forgetIdentifiers(tx: Tx, subjectId: string): Promise<void> {
  await tx.deleteFrom("contact_identifiers").where("subject_id", "=", subjectId).execute();
}

export interface IdentifierQuestion {
  /** Any system if undefined. */
  system?: string | undefined;
  value: string;
}

/** One identifier of a call or appointment. `number` and `name` are empty where unknown. */
export interface KnownIdentifier extends Identifier {
  subject_id: string;
  number: string;
  name: string;
  updated_at: number;
}

const COLUMNS = ["subject_id", "system", "value", "number", "name", "updated_at"] as const;

/** Calls and appointments with this identifier, newest first. Case, spaces and hyphens do not count. */
export async function identifiersLike(
  executor: Executor,
  organisationId: string,
  { system, value }: IdentifierQuestion,
  limit: number,
): Promise<KnownIdentifier[]> {
  let query = executor
    .selectFrom("contact_identifiers")
    .select(COLUMNS)
    .where("organisation_id", "=", organisationId)
    .where("value_key", "=", identifierKey(value));
  if (system !== undefined) query = query.where("system", "=", system);
  return query.orderBy("updated_at", "desc").orderBy("subject_id", "desc").limit(limit).execute();
}

/** Query for the ids of calls and appointments with exactly this identifier. */
export const identifiedSubjects = (executor: Executor, organisationId: string, { system, value }: Identifier) =>
  executor
    .selectFrom("contact_identifiers")
    .select("subject_id")
    .where("organisation_id", "=", organisationId)
    .where("value_key", "=", identifierKey(value))
    .where("system", "=", system)
    .where("value", "=", value);

/** Rows of one number; older ones are of no more people than a page shows. */
const MOST_OF_NUMBER = 200;

/** Identifiers in calls and appointments of these numbers, newest first. */
export async function identifiersOfNumbers(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
): Promise<KnownIdentifier[]> {
  if (numbers.length === 0) return [];
  return executor
    .selectFrom((eb) =>
      eb
        .selectFrom("contact_identifiers")
        .select((own) => [
          ...COLUMNS,
          own.fn
            .agg<number>("row_number")
            .over((over) => over.partitionBy("number").orderBy("updated_at", "desc").orderBy("subject_id", "desc"))
            .as("place"),
        ])
        .where("organisation_id", "=", organisationId)
        .where("number", "in", numbers)
        .as("known"),
    )
    .select(COLUMNS)
    .where("place", "<=", MOST_OF_NUMBER)
    .orderBy("updated_at", "desc")
    .orderBy("subject_id", "desc")
    .orderBy("system")
    .orderBy("value")
    .execute();
}

/** Erasure of a person. */
export async function forgetIdentifiersOf(tx: Tx, organisationId: string, number: string): Promise<void> {
  await tx
    .deleteFrom("contact_identifiers")
    .where("organisation_id", "=", organisationId)
    .where("number", "=", number)
    .execute();
}
