// Records changes that no trigger records; dashboard/change-store.ts reads them.
import { bindingOf } from "./binding.ts";
import { prepared } from "./prepared.ts";
import type { Tx } from "./tables.ts";

const insertCallChange = prepared<{ organisationId: string; id: string }>()((db, { organisationId, id }) =>
  db.insertInto("changes").values({ organisation_id: organisationId, kind: "call", subject_id: id }),
);

/** PostgreSQL still has its trigger, which saves a round trip; see 0030_new_calls.sql. */
export async function noteNewCall(tx: Tx, organisationId: string, id: string): Promise<void> {
  if (bindingOf(tx).engine === "sqlite") await insertCallChange(tx, { organisationId, id });
}

/** The notices above every page, such as the use of the emergency account. */
export async function noteAccountChange(tx: Tx, organisationId: string): Promise<void> {
  await tx
    .insertInto("changes")
    .values({ organisation_id: organisationId, kind: "account", subject_id: organisationId })
    .execute();
}
