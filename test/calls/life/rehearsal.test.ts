// The warm-up for the first calls leaves no trace.
import { afterEach, expect, test } from "bun:test";
import { compileAhead, prepared } from "../../../src/db/prepared.ts";
import { createHospital, DIAL_DELAY_MS, type Hospital } from "../../support/hospital.ts";

let hospital: Hospital;
afterEach(() => hospital.close());

const TABLES = [
  "calls",
  "call_results",
  "events",
  "deliveries",
  "credit_entries",
  "worklist_items",
  "changes",
] as const;

async function counts(): Promise<Record<string, number>> {
  const { reader } = hospital.db;
  const found: Record<string, number> = {};
  for (const table of TABLES) found[table] = (await reader.selectFrom(table).selectAll().execute()).length;
  return found;
}

test("a rehearsal dials and stores nothing, and later calls are dialled as usual", async () => {
  hospital = await createHospital();
  await hospital.app.start();
  const before = await counts();
  await hospital.app.rehearse();
  expect(hospital.db.stats.repeats).toBeGreaterThanOrEqual(hospital.db.engine === "sqlite" ? 6 : 0);
  expect(hospital.carrier.dialled).toEqual([]);
  expect(await counts()).toEqual(before);
  const id = await hospital.schedule();
  await hospital.clock.advance(DIAL_DELAY_MS);
  expect(hospital.carrier.dialled.map(({ callId }) => callId)).toEqual([id]);
});

test("a precompiled query is not built again, and precompilation can be cancelled", async () => {
  hospital = await createHospital();
  const { reader } = hospital.db;
  let built = 0;
  const byId = prepared<{ id: string }>()((db, { id }) => {
    built += 1;
    return db.selectFrom("calls").select("id").where("id", "=", id);
  });
  await compileAhead(reader, () => false);
  expect(built).toBe(0);
  await compileAhead(reader, () => true);
  expect(await byId(reader, { id: "call_1" })).toEqual([]);
  expect(built).toBe(1);
});
