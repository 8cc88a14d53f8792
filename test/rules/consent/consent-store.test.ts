// Which consent is in force for a call: by organisation, number, purpose and time.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { consentFor, consentsAmong } from "../../../src/rules/consent/consent-store.ts";
import { changesOf, consentsOf, keepChanges, saveConsents } from "../../../src/rules/consent/record-store.ts";
import type { Consent } from "../../../src/rules/consent/records.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";

const NUMBER = "+919810012345";
const NOW = 1_000_000;

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
});
afterEach(() => hospital.close());

let made = 0;
async function stored(change: Partial<Consent> = {}): Promise<string> {
  const id = `cns_${++made}`;
  await hospital.db.write((tx) =>
    saveConsents(tx, [
      {
        id,
        organisation_id: hospital.organisationId,
        contact_number: NUMBER,
        purpose: "promotional",
        basis: "written",
        source: "api",
        call_id: null,
        reference: null,
        granted_at: 1,
        actor_kind: "system",
        actor_id: null,
        until: null,
        withdrawn_at: null,
        created_at: 1,
        updated_at: 1,
        ...change,
      },
    ]),
  );
  return id;
}

const inForce = (purpose: Consent["purpose"] = "promotional", organisationId = hospital.organisationId) =>
  consentFor(hospital.db.reader, organisationId, NUMBER, purpose, NOW);

test("a consent is in force for its purpose, number and organisation alone", async () => {
  const id = await stored();
  expect(await inForce()).toEqual({ id });
  expect(await inForce("service")).toBeNull();
  expect(await inForce("promotional", "org_other")).toBeNull();
  expect(await consentFor(hospital.db.reader, hospital.organisationId, "+919810012346", "promotional", NOW)).toBeNull();
});

test.each<[string, Partial<Consent>, boolean]>([
  ["withdrawn", { withdrawn_at: 2 }, false],
  ["withdrawn and over", { withdrawn_at: 2, until: 3 }, false],
  ["given at this moment", { granted_at: NOW }, true],
  ["given later", { granted_at: NOW + 1 }, false],
  ["valid for another millisecond", { until: NOW + 1 }, true],
  ["at its end", { until: NOW }, false],
])("a consent that is %s", async (_, change, isInForce) => {
  const id = await stored(change);
  const { db, organisationId } = hospital;
  expect(await inForce()).toEqual(isInForce ? { id } : null);
  const among = await consentsAmong(db.reader, organisationId, [NUMBER], NOW);
  const known = among.get(NUMBER)?.get("promotional");
  if (isInForce) expect(known).toEqual({ id, state: "given" });
  else expect(known).toEqual("withdrawn_at" in change ? { id, state: "withdrawn" } : undefined);
});

test("the consents of many numbers are read together", async () => {
  const numbers = Array.from({ length: 150 }, (_, i) => `+9198100${String(10_000 + i)}`);
  const ids = new Map<string, string>();
  for (const number of numbers.filter((_, i) => i % 3 === 0))
    ids.set(number, await stored({ contact_number: number, purpose: "service" }));
  await stored({ contact_number: "+919810099999" });
  const found = await consentsAmong(hospital.db.reader, hospital.organisationId, numbers, NOW);
  expect(new Map([...found].map(([number, consents]) => [number, consents.get("service")?.id]))).toEqual(ids);
  expect(await consentsAmong(hospital.db.reader, hospital.organisationId, [], NOW)).toEqual(new Map());
});

test("a number has one consent per purpose; saving it again keeps its id", async () => {
  const id = await stored();
  await stored({ basis: "verbal", granted_at: 9, created_at: 9, updated_at: 9 });
  const { db, organisationId } = hospital;
  expect(await consentsOf(db.reader, organisationId, [NUMBER])).toMatchObject([
    { id, basis: "verbal", granted_at: 9, created_at: 1, updated_at: 9 },
  ]);
});

test("erasing a person erases their consents and the history, and no other's", async () => {
  const { db, organisationId, app } = hospital;
  const id = await stored();
  const other = await stored({ contact_number: "+919810012346" });
  const change = { change: "granted", at: 1, basis: "written", source: "api", granted_at: 1 } as const;
  const rest = { call_id: null, reference: "form 7", until: null, actor_kind: "system", actor_id: null } as const;
  await db.write(async (tx) => {
    const of = (consent_id: string) => ({ id: `cnc_${consent_id}`, consent_id, ...change, ...rest });
    await keepChanges(tx, [of(id), of(other)]);
  });
  await app.services.erasure.eraseContact(organisationId, NUMBER, { kind: "cli", id: null });
  expect(await consentsOf(db.reader, organisationId, [NUMBER])).toEqual([]);
  expect(await changesOf(db.reader, id)).toEqual([]);
  expect(await changesOf(db.reader, other)).toHaveLength(1);
});
