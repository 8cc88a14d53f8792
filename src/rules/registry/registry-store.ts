// Store of registry results: for each number of an organisation the answer of each registry's newest scrub.
import { preparedList } from "../../db/prepared-list.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { RegistryResult } from "./records.ts";

const selectRefused = preparedList<{ organisationId: string }>()((db, numbers, { organisationId }) =>
  db
    .selectFrom("registry_results")
    .select("number")
    .distinct()
    .where("organisation_id", "=", organisationId)
    .where("number", "in", numbers)
    .where("verdict", "=", "refused"),
);

/**
 * The numbers that any registry refused for promotional calls. A refusal does not expire: it holds until a newer scrub
 * of the same registry allows the number.
 */
export async function refusedAmong(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set((await selectRefused(executor, numbers, { organisationId })).map(({ number }) => number));
}

/**
 * Numbers must be distinct. A result older than the stored one of its registry is ignored, and so is one that allows
 * what the registry refused on the same day. Returns how many were stored.
 */
export async function saveResults(tx: Tx, rows: readonly RegistryResult[]): Promise<number> {
  if (rows.length === 0) return 0;
  const result = await tx
    .insertInto("registry_results")
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(["organisation_id", "number", "registry"])
        .doUpdateSet((eb) => ({
          verdict: eb.ref("excluded.verdict"),
          scrubbed_on: eb.ref("excluded.scrubbed_on"),
          imported_at: eb.ref("excluded.imported_at"),
          actor_kind: eb.ref("excluded.actor_kind"),
          actor_id: eb.ref("excluded.actor_id"),
        }))
        .where((eb) => {
          const [given, stored] = [eb.ref("excluded.scrubbed_on"), eb.ref("registry_results.scrubbed_on")];
          const isNoLooser = eb.or([
            eb("excluded.verdict", "=", "refused"),
            eb("registry_results.verdict", "=", "allowed"),
          ]);
          return eb.or([eb(given, ">", stored), eb.and([eb(given, "=", stored), isNoLooser])]);
        }),
    )
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0n);
}

const selectResults = preparedList<{ organisationId: string }>()((db, numbers, { organisationId }) =>
  db
    .selectFrom("registry_results")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("number", "in", numbers),
);

export async function resultsOf(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
): Promise<RegistryResult[]> {
  return selectResults(executor, numbers, { organisationId });
}

type Place = Pick<RegistryResult, "number" | "registry">;

/** In the order of numbers and registries, after one result. */
export async function pageOfResults(
  executor: Executor,
  { organisationId, after, limit }: { organisationId: string; after?: Place | undefined; limit: number },
): Promise<RegistryResult[]> {
  let query = executor.selectFrom("registry_results").selectAll().where("organisation_id", "=", organisationId);
  if (after !== undefined)
    query = query.where((eb) =>
      eb.or([
        eb("number", ">", after.number),
        eb.and([eb("number", "=", after.number), eb("registry", ">", after.registry)]),
      ]),
    );
  return query.orderBy("number").orderBy("registry").limit(limit).execute();
}

export interface StoredScrub {
  organisationId: string;
  registry: string;
  scrubbedOn: string;
}

/** Numbers of a scrub, in order. */
export async function numbersIn(
  executor: Executor,
  { organisationId, registry, scrubbedOn }: StoredScrub,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await executor
    .selectFrom("registry_results")
    .select("number")
    .where("organisation_id", "=", organisationId)
    .where("number", ">", after)
    .where("registry", "=", registry)
    .where("scrubbed_on", "=", scrubbedOn)
    .orderBy("number")
    .limit(limit)
    .execute();
  return rows.map(({ number }) => number);
}

/** Removes the numbers after one, up to another, except `kept`. Returns how many were removed. */
export async function removeResults(
  tx: Tx,
  { organisationId, registry, scrubbedOn }: StoredScrub,
  { after, last, kept }: { after: string; last: string; kept: readonly string[] },
): Promise<number> {
  let query = tx
    .deleteFrom("registry_results")
    .where("organisation_id", "=", organisationId)
    .where("number", ">", after)
    .where("number", "<=", last)
    .where("registry", "=", registry)
    .where("scrubbed_on", "=", scrubbedOn);
  if (kept.length > 0) query = query.where("number", "not in", kept);
  const { numDeletedRows } = await query.executeTakeFirst();
  return Number(numDeletedRows);
}

/** Numbers by scrub and verdict, newest scrub first. */
export async function scrubsOf(executor: Executor, organisationId: string, limit: number) {
  return executor
    .selectFrom("registry_results")
    .select(["registry", "scrubbed_on", "verdict"])
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organisation_id", "=", organisationId)
    .groupBy(["registry", "scrubbed_on", "verdict"])
    .orderBy("scrubbed_on", "desc")
    .orderBy("registry")
    .orderBy("verdict")
    .limit(limit)
    .execute();
}

/** For the erasure of a person. */
export async function deleteResultOf(tx: Tx, organisationId: string, number: string): Promise<void> {
  await tx
    .deleteFrom("registry_results")
    .where("organisation_id", "=", organisationId)
    .where("number", "=", number)
    .execute();
}
