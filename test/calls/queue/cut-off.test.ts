// The cost of a start must not grow with the number of waiting calls: a million of them took 0.7 s.
import { afterEach, expect, spyOn, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { callsCutOff } from "../../../src/calls/queue/queue-store.ts";
import { insertCall } from "../../../src/calls/call/store.ts";
import { callRow } from "../../support/call-rows.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { fileOf } from "../../support/temp.ts";

let hospital: Hospital;
afterEach(() => hospital.close());

test("interrupted calls are found by the index of live calls, in order", async () => {
  hospital = await createHospital();
  const { db, organisationId, agentId } = hospital;
  await db.write(async (tx) => {
    for (const [id, state, number] of [
      ["call_3", "ringing", "+919800000001"],
      ["call_1", "in_progress", "+919800000003"],
      ["call_2", "initiated", "+919800000002"],
      ["call_0", "scheduled", "+919800000004"],
    ] as const) {
      await insertCall(
        tx,
        callRow({ id, state, contact_number: number, organisation_id: organisationId, agent_id: agentId }),
      );
    }
  });
  const prepared = spyOn(Sqlite.prototype, "prepare");
  const found = await callsCutOff(db.reader);
  const asked = prepared.mock.calls.map(([sql]) => sql).find((sql) => sql.includes('"calls"')) ?? "";
  prepared.mockRestore();
  expect(found.map(({ id }) => id)).toEqual(["call_1", "call_2", "call_3"]);
  const connection = new Sqlite(fileOf(db), { readonly: true });
  const rows = connection.prepare(`EXPLAIN QUERY PLAN ${asked}`).all() as { detail: string }[];
  connection.close();
  expect(rows.map(({ detail }) => detail)).toEqual(["SCAN calls USING INDEX calls_live"]);
});
