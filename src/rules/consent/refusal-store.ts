// Refusals of people who were erased: number as a keyed hash, purpose and time. They are not called again
// because their data was erased, and their number sent once more.
import { preparedList } from "../../db/prepared-list.ts";
import { preparedWrite } from "../../db/prepared.ts";
import type { Executor, Row, Tx } from "../../db/tables.ts";
import type { Purpose } from "../../payloads/lawful.ts";

type ErasedRefusal = Row<"erased_refusals">;

/** Number → purpose → time of the refusal. */
export type Refusals = ReadonlyMap<string, ReadonlyMap<Purpose, number>>;

const selectAmong = preparedList<{ organisationId: string }>()((db, hashes, { organisationId }) =>
  db
    .selectFrom("erased_refusals")
    .select(["number_hash", "purpose", "at"])
    .where("organisation_id", "=", organisationId)
    .where("number_hash", "in", hashes),
);

/** `hashes`: number → hash. */
export async function refusalsAmong(
  executor: Executor,
  organisationId: string,
  hashes: ReadonlyMap<string, string>,
): Promise<Refusals> {
  const rows = await selectAmong(executor, [...hashes.values()], { organisationId });
  if (rows.length === 0) return new Map();
  const byHash = Map.groupBy(rows, ({ number_hash }) => number_hash);
  const found = [...hashes].map(([number, hash]): [string, Map<Purpose, number>] => [
    number,
    new Map((byHash.get(hash) ?? []).map(({ purpose, at }) => [purpose, at])),
  ]);
  return new Map(found.filter(([, refusals]) => refusals.size > 0));
}

const upsertRefusal = preparedWrite<ErasedRefusal>()((db, p) =>
  db
    .insertInto("erased_refusals")
    .values({ organisation_id: p.organisation_id, number_hash: p.number_hash, purpose: p.purpose, at: p.at })
    .onConflict((conflict) =>
      conflict
        .columns(["organisation_id", "number_hash", "purpose"])
        .doUpdateSet((eb) => ({ at: eb.ref("excluded.at") })),
    ),
);

export async function keepRefusal(tx: Tx, refusal: ErasedRefusal): Promise<void> {
  await upsertRefusal(tx, refusal);
}

const deleteRefusal = preparedWrite<Omit<ErasedRefusal, "at">>()((db, p) =>
  db
    .deleteFrom("erased_refusals")
    .where("organisation_id", "=", p.organisation_id)
    .where("number_hash", "=", p.number_hash)
    .where("purpose", "=", p.purpose),
);

/** The person has agreed since. */
export async function forgetRefusal(tx: Tx, refusal: Omit<ErasedRefusal, "at">): Promise<void> {
  await deleteRefusal(tx, refusal);
}
