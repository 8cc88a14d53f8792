// Table of people.
import type { Executor, Tx } from "../db/tables.ts";
import type { Reach } from "../core/reach.ts";
import { branchesOfPerson } from "./reach.ts";
import type { Person } from "./records.ts";

export async function insertPerson(tx: Tx, row: Person): Promise<void> {
  await tx.insertInto("people").values(row).execute();
}

export async function personByEmail(executor: Executor, email: string): Promise<Person | undefined> {
  return executor.selectFrom("people").selectAll().where("email", "=", email).executeTakeFirst();
}

export async function personById(executor: Executor, id: string): Promise<Person | undefined> {
  return executor.selectFrom("people").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function peopleOf(executor: Executor, organisationId: string): Promise<Person[]> {
  return executor
    .selectFrom("people")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Names by id; unknown ids are omitted. */
export async function namesOfPeople(executor: Executor, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await executor.selectFrom("people").select(["id", "name"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function updatePerson(
  tx: Tx,
  id: string,
  change: Partial<
    Pick<
      Person,
      "email" | "name" | "role" | "password_hash" | "disabled_at" | "language" | "branches" | "practitioner_id"
    >
  >,
): Promise<void> {
  await tx.updateTable("people").set(change).where("id", "=", id).execute();
}

/** Ids of the people who are bound to one of the same branches. */
export async function peopleSharing(executor: Executor, organisationId: string, reach: Reach): Promise<Set<string>> {
  const people = await peopleOf(executor, organisationId);
  const shares = (person: Person) =>
    reach.kind === "branches" && branchesOfPerson(person)?.some((id) => reach.branches.includes(id)) === true;
  return new Set(people.filter(shares).map(({ id }) => id));
}
