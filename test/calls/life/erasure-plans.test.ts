// Erasure uses indexes for every lookup, as SQLite's query plans show.
import { afterEach, expect, spyOn, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { insertCall } from "../../../src/calls/call/store.ts";
import { callRow } from "../../support/call-rows.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { fileOf } from "../../support/temp.ts";

let hospital: Hospital;
afterEach(() => hospital.close());

const NUMBER = "+919810011111";

/** Scans that end early: a table with one row per job, and the first row of a partial index. */
const BOUNDED = /^SCAN (?:heartbeats in|retention_holds USING INDEX retention_holds_in_force in .* limit 1$)/;

/** Every statement prepared during the act whose plan contains a full table scan. */
async function scansOf(act: () => Promise<unknown>): Promise<string[]> {
  const prepared = spyOn(Sqlite.prototype, "prepare");
  await act();
  const asked = new Set(prepared.mock.calls.map(([sql]) => sql));
  prepared.mockRestore();
  const statements = [...asked].filter((sql) => /^\s*(select|update|delete)/i.test(sql));
  expect(statements.length).toBeGreaterThan(3);
  const db = new Sqlite(fileOf(hospital.db), { readonly: true });
  const scans = statements.flatMap((sql) => {
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...sql.split("?").slice(1)) as { detail: string }[];
    return steps.filter(({ detail }) => detail.startsWith("SCAN")).map(({ detail }) => `${detail} in ${sql}`);
  });
  db.close();
  return scans.filter((scan) => !BOUNDED.test(scan));
}

const WAYS: Record<string, (callId: string) => Promise<unknown>> = {
  "a call": (id) => hospital.app.services.erasure.erase(hospital.organisationId, id, CLI_ACTOR),
  "a person": () => hospital.app.services.erasure.eraseContact(hospital.organisationId, NUMBER, CLI_ACTOR),
};

test.each(Object.keys(WAYS))("%s is erased without reading a table from end to end", async (way) => {
  hospital = await createHospital();
  const row = callRow({
    organisation_id: hospital.organisationId,
    agent_id: hospital.agentId,
    state: "completed",
    finished_at: hospital.clock.now(),
    contact_number: NUMBER,
  });
  await hospital.db.write((tx) => insertCall(tx, row));
  expect(await scansOf(() => WAYS[way]!(row.id))).toEqual([]);
});
