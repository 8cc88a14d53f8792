// What is made ready for the first calls: without a trace.
import { afterEach, expect, test } from "bun:test";
import { compileAhead, prepared } from "../../../src/db/prepared.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";

let hospital: Hospital;
afterEach(() => hospital.close());

test("a rehearsal dials nobody and writes nothing", async () => {
  hospital = await createHospital();
  await hospital.app.start();
  await hospital.db.settled();
  const before = hospital.db.stats.commands;
  await hospital.app.rehearse();
  expect(hospital.carrier.dialled).toEqual([]);
  expect(hospital.db.stats.commands).toBe(before);
  expect(await hospital.db.reader.selectFrom("calls").select("id").execute()).toEqual([]);
});

test("a query that was compiled ahead is not built again; nothing is once nobody wants it", async () => {
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
