// Lookup of a person on long lists uses an index, as SQLite's query plan shows.
import { afterEach, expect, spyOn, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { forgetContactRows } from "../../src/campaigns/row-store.ts";
import { entriesOfNumber } from "../../src/waiting-list/store.ts";
import type { Tx } from "../../src/db/tables.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { fileOf } from "../support/temp.ts";

let hospital: Hospital;
afterEach(() => hospital.close());

const NUMBER = "+919810011111";

test.each([
  {
    what: "campaigns",
    table: "campaign_rows",
    index: "campaign_rows_by_contact (contact_number=?)",
    ask: (tx: Tx) => forgetContactRows(tx, hospital.organisationId, NUMBER),
  },
  {
    what: "the waiting list",
    table: "waiting_list",
    index: "waiting_list_by_contact (organisation_id=? AND contact_number=?)",
    ask: (tx: Tx) => entriesOfNumber(tx, hospital.organisationId, NUMBER),
  },
])("an erased person is found on $what by their number", async ({ table, index, ask }) => {
  hospital = await createHospital();
  const prepared = spyOn(Sqlite.prototype, "prepare");
  await hospital.db.write<unknown>(ask);
  const asked = prepared.mock.calls.map(([sql]) => sql).find((sql) => sql.includes(`"${table}"`)) ?? "";
  prepared.mockRestore();
  const db = new Sqlite(fileOf(hospital.db), { readonly: true });
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${asked}`).all(...asked.split("?").slice(1)) as { detail: string }[];
  db.close();
  const plan = rows.map(({ detail }) => detail);
  expect(plan).toContainEqual(expect.stringContaining(`SEARCH ${table} USING`));
  expect(plan).toContainEqual(expect.stringContaining(index));
  expect(plan.filter((step) => step.startsWith("SCAN"))).toEqual([]);
});
