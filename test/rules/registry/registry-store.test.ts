// Which numbers a registry refuses: by organisation and newest scrub.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { pageOfResults, refusedAmong, saveResults } from "../../../src/rules/registry/registry-store.ts";
import type { RegistryResult } from "../../../src/rules/registry/records.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";

const NUMBER = "+919810012345";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
});
afterEach(() => hospital.close());

const result = (change: Partial<RegistryResult> = {}): RegistryResult => ({
  organisation_id: hospital.organisationId,
  number: NUMBER,
  verdict: "refused",
  registry: "NCPR",
  scrubbed_on: "2026-11-10",
  imported_at: 1,
  actor_kind: "cli",
  actor_id: null,
  ...change,
});
const save = (...rows: RegistryResult[]) => hospital.db.write((tx) => saveResults(tx, rows));
const refused = async (numbers: readonly string[], organisationId = hospital.organisationId) =>
  [...(await refusedAmong(hospital.db.reader, organisationId, numbers))].toSorted();

test("a refused number is refused in its organisation alone; an allowed or unknown one is not", async () => {
  expect(await save(result(), result({ number: "+919810012346", verdict: "allowed" }))).toBe(2);
  const asked = [NUMBER, "+919810012346", "+919810012347"];
  expect(await refused(asked)).toEqual([NUMBER]);
  expect(await refused(asked, "org_other")).toEqual([]);
  expect(await refused([])).toEqual([]);
});

test("the newest scrub counts, in whichever order they are imported", async () => {
  await save(result());
  expect(await save(result({ verdict: "allowed", scrubbed_on: "2026-11-09" }))).toBe(0);
  expect(await refused([NUMBER])).toEqual([NUMBER]);
  expect(await save(result({ verdict: "allowed", scrubbed_on: "2026-11-11" }))).toBe(1);
  expect(await refused([NUMBER])).toEqual([]);
});

test("a number that another registry allows stays refused, whichever scrub is newer", async () => {
  await save(result());
  expect(await save(result({ registry: "operator", verdict: "allowed", scrubbed_on: "2026-11-11" }))).toBe(1);
  expect(await refused([NUMBER])).toEqual([NUMBER]);
  await save(result({ verdict: "allowed", scrubbed_on: "2026-11-12" }));
  expect(await refused([NUMBER])).toEqual([]);
});

test("of two scrubs of one registry and day, a refusal counts, in whichever order they are imported", async () => {
  await save(result());
  expect(await save(result({ verdict: "allowed" }))).toBe(0);
  expect(await refused([NUMBER])).toEqual([NUMBER]);
  const other = "+919810012346";
  await save(result({ number: other, verdict: "allowed" }));
  expect(await save(result({ number: other }))).toBe(1);
  expect(await refused([other])).toEqual([other]);
});

test("pages hold every result of a number", async () => {
  const registries = ["NCPR", "operator", "own"];
  for (const number of [NUMBER, "+919810012346"])
    await save(...registries.map((registry) => result({ number, registry })));
  const { db, organisationId } = hospital;
  const found: string[] = [];
  let after: RegistryResult | undefined;
  for (let page = 0; page < 4; page++) {
    const rows = await pageOfResults(db.reader, { organisationId, after, limit: 2 });
    found.push(...rows.map(({ number, registry }) => `${number} ${registry}`));
    after = rows.at(-1) ?? after;
  }
  expect(found).toEqual([NUMBER, "+919810012346"].flatMap((number) => registries.map((each) => `${number} ${each}`)));
});

test("the same scrub twice leaves one result, and 500 numbers are read together", async () => {
  const rows = Array.from({ length: 500 }, (_, i) =>
    result({ number: `+9198200${String(10_000 + i)}`, verdict: i % 2 === 0 ? "refused" : "allowed" }),
  );
  await save(...rows);
  await save(...rows);
  const { db, organisationId } = hospital;
  expect(await pageOfResults(db.reader, { organisationId, limit: 1_000 })).toHaveLength(500);
  const numbers = rows.map(({ number }) => number);
  expect(await refused(numbers)).toEqual(numbers.filter((_, i) => i % 2 === 0));
});

test("erasing a person erases their result, and no other's", async () => {
  const { app, db, organisationId } = hospital;
  await save(result(), result({ number: "+919810012346" }));
  await app.services.erasure.eraseContact(organisationId, NUMBER, { kind: "cli", id: null });
  const left = await pageOfResults(db.reader, { organisationId, limit: 10 });
  expect(left.map(({ number }) => number)).toEqual(["+919810012346"]);
});
