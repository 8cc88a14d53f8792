// What the doctor sees of the chain: a whole one, and each way in which a stored chain can be wrong.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CHECKED_RECORDS, chainState, publishedHead } from "../../../src/rules/proof/chain-state.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { chainOf, headAfter } from "../../support/proof-chain.ts";
import { noteCalls } from "../../support/sealed-chain.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
});
afterEach(() => hospital.close());

const state = () => chainState(hospital.db.reader);
const seal = async (count: number, first = 0) => {
  await noteCalls(hospital, count, first);
  await hospital.app.services.sealing.sealAll();
};
const headLine = async () => (await hospital.app.services.proofs.head(null))!;

test("no chain, then a whole one, and what waits", async () => {
  expect(await state()).toEqual({ last: 0, fault: null, unsealed: { count: 0, since: null } });
  await seal(30);
  await noteCalls(hospital, 2, 100);
  const { ended_at } = await hospital.db.reader
    .selectFrom("unsealed_proofs")
    .select("ended_at")
    .orderBy("ended_at")
    .executeTakeFirstOrThrow();
  expect(await state()).toEqual({ last: 30, fault: null, unsealed: { count: 2, since: ended_at } });
});

test("each change of the stored chain is found", async () => {
  await seal(6);
  const rows = await hospital.db.reader.selectFrom("proofs").selectAll().orderBy("sequence").execute();
  const restore = () =>
    hospital.db.write(async (tx) => {
      await tx.deleteFrom("proofs").execute();
      for (const row of rows) await tx.insertInto("proofs").values(row).execute();
    });
  const fault = async () => (await state()).fault;
  const change = (set: Partial<(typeof rows)[number]>) =>
    hospital.db.write((tx) => tx.updateTable("proofs").set(set).where("sequence", "=", 4).execute());
  const [line = "", other = ""] = [rows[3]?.line, rows[1]?.line];
  const cases: [Parameters<typeof change>[0], string][] = [
    [{ line: line.replace('"sip":', '"sap":') }, "Record 4 is not valid. Its content does not match its hash."],
    [{ line: other }, "Record 4 is not valid. Record 2 follows record 3: out of order or twice."],
    [{ line: "" }, "Record 4 is not valid. It is not canonical JSON."],
    [{ hash: "0".repeat(64) }, "Record 4 is stored in the place of another."],
    [{ call_id: "call_other" }, "Record 4 is stored in the place of another."],
    [{ own_sequence: 400 }, "Record 4 is stored in the place of another."],
  ];
  for (const [set, words] of cases) {
    await change(set);
    expect(await fault()).toBe(words);
    await restore();
    expect(await fault()).toBeNull();
  }
  await hospital.db.write((tx) => tx.deleteFrom("proofs").where("sequence", "=", 3).execute());
  expect(await fault()).toBe("The last record is 6, but 5 are stored: records are missing.");
  await restore();
  // A key that is not in the list of keys.
  await hospital.db.write((tx) =>
    tx
      .updateTable("proof_keys")
      .set({ public_key: "a".repeat(64) })
      .execute(),
  );
  expect(await fault()).toContain("which is not a key of the appliance");
});

test("the end of a long chain is verified, without the records before it", async () => {
  await seal(CHECKED_RECORDS + 20);
  expect(await state()).toMatchObject({ last: CHECKED_RECORDS + 20, fault: null });
}, 180_000);

test("a published head is compared with the chain", async () => {
  const { clock, db } = hospital;
  await seal(3);
  const line = await headLine();
  expect(await publishedHead(db.reader, line)).toMatchObject({
    head: { sequence: 3 },
    isInChain: true,
    nextSealedAt: null,
  });
  await clock.advance(1_000);
  await seal(2, 10);
  expect(await publishedHead(db.reader, line)).toMatchObject({ isInChain: true, nextSealedAt: clock.now() });
  const later = await headLine();
  // Restored from a backup that was made before.
  await db.write((tx) => tx.deleteFrom("proofs").where("sequence", ">", 3).execute());
  expect(await publishedHead(db.reader, later)).toMatchObject({ head: { sequence: 5 }, isInChain: false });
  await seal(2, 20);
  expect(await publishedHead(db.reader, later)).toMatchObject({ isInChain: false });
  await expect(publishedHead(db.reader, headAfter(chainOf(3)))).rejects.toThrow("not a key of the appliance");
  const own = (await hospital.app.services.proofs.head(hospital.organisationId))!;
  await expect(publishedHead(db.reader, own)).rejects.toThrow("head of an organisation");
});
