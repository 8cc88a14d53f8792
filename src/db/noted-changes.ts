// Changes that no trigger notes; dashboard/change-store.ts reads them.
import { bindingOf } from "./binding.ts";
import { prepared } from "./prepared.ts";
import type { Tx } from "./tables.ts";

const insertCallChange = prepared<{ organisationId: string; id: string }>()((db, { organisationId, id }) =>
  db.insertInto("changes").values({ organisation_id: organisationId, kind: "call", subject_id: id }),
);

/** PostgreSQL has its trigger still, which saves the way there and back; see 0030_new_calls.sql. */
export async function noteNewCall(tx: Tx, organisationId: string, id: string): Promise<void> {
  if (bindingOf(tx).engine === "sqlite") await insertCallChange(tx, { organisationId, id });
}
