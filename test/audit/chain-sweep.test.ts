// The audit chain of two organisations with every row changed, removed and exchanged: each is found, wherever it is.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { contradictedHead } from "../../src/audit/heads.ts";
import { HEAD_FORMAT, readAuditHead } from "../../src/audit/head.ts";
import { idsOf } from "../../src/audit/chain.ts";
import { blocksAfter, headsAfter } from "../../src/audit/chain-store.ts";
import { keysOf } from "../../src/audit/prune.ts";
import { verifyDatabase } from "../../src/audit/verify-database.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { Tx } from "../../src/db/tables.ts";
import { createAudited, type Audited } from "../support/audited.ts";

const BLOCKS = 5;
let audited: Audited;
let otherId: string;
let ids: string[];
/** Blocks of two organisations, and a signed head behind the second and the last one. */
beforeEach(async () => {
  audited = await createAudited();
  ({ id: otherId } = await audited.organisations.create({ name: "Other", timeZone: "UTC" }, CLI_ACTOR));
  for (let block = 0; block < BLOCKS; block++) {
    await audited.write(1, { subjectId: `call_${block}` });
    await audited.write(1, { subjectId: `call_${block}_other`, organisationId: otherId });
    await audited.sealing.sealAll();
    await audited.clock.advance(1_000);
    if (block === 1 || block === BLOCKS - 1) await audited.heads.sign();
  }
  ids = (await blocksAfter(audited.db.reader, 0, 100)).flatMap(idsOf);
  expect(await audited.fault()).toBeNull();
});
afterEach(() => audited.close());

/** The fault while a change holds; it is undone afterwards. */
async function faultWith(change: (tx: Tx) => Promise<unknown>): Promise<string | null> {
  const { reader } = audited.db;
  const entries = await reader.selectFrom("audit_entries").selectAll().execute();
  const blocks = await reader.selectFrom("audit_blocks").selectAll().execute();
  const heads = await reader.selectFrom("audit_heads").selectAll().execute();
  await audited.db.write(change);
  const fault = await audited.fault();
  await audited.db.write(async (tx) => {
    for (const table of ["audit_entries", "audit_blocks", "audit_heads"] as const) await tx.deleteFrom(table).execute();
    await tx.insertInto("audit_entries").values(entries).execute();
    await tx.insertInto("audit_blocks").values(blocks).execute();
    await tx.insertInto("audit_heads").values(heads).execute();
  });
  return fault;
}

const renamed = (tx: Tx, from: string, to: string) =>
  tx.updateTable("audit_entries").set({ id: to }).where("id", "=", from).execute();
const moved = (tx: Tx, from: number, to: number) =>
  tx.updateTable("audit_blocks").set({ sequence: to }).where("sequence", "=", from).execute();
const cut = async (tx: Tx, from: number, to: number) => {
  const blocks = tx.selectFrom("audit_blocks").selectAll().where("sequence", ">=", from).where("sequence", "<=", to);
  const gone = (await blocks.execute()).flatMap(idsOf);
  await tx.deleteFrom("audit_entries").where("id", "in", gone).execute();
  await tx.deleteFrom("audit_blocks").where("sequence", ">=", from).where("sequence", "<=", to).execute();
};

test("every entry: changed, removed, exchanged with the next one", async () => {
  for (const [index, id] of ids.entries()) {
    const next = ids[(index + 1) % ids.length] ?? "";
    const changed = await faultWith((tx) =>
      tx.updateTable("audit_entries").set({ detail: '{"n":1}' }).where("id", "=", id).execute(),
    );
    expect(changed).toBe(`Entry ${index + 1} (${id}) was changed.`);
    const removed = await faultWith((tx) => tx.deleteFrom("audit_entries").where("id", "=", id).execute());
    expect(removed).toBe(`Entry ${index + 1} (${id}) was removed.`);
    const exchanged = await faultWith(async (tx) => {
      await renamed(tx, id, "aud_x");
      await renamed(tx, next, id);
      await renamed(tx, "aud_x", next);
    });
    expect(exchanged).toMatch(/^Entry \d+ \(\w+\) was changed\.$/);
  }
  expect(await audited.fault()).toBeNull();
});

test("every entry: moved to the other organisation, alone and in exchange for one of its own", async () => {
  const rows = await audited.db.reader.selectFrom("audit_entries").select(["id", "organisation_id"]).execute();
  const give = (tx: Tx, id: string, to: string) =>
    tx.updateTable("audit_entries").set({ organisation_id: to }).where("id", "=", id).execute();
  for (const { id, organisation_id } of rows) {
    const to = organisation_id === otherId ? audited.organisationId : otherId;
    expect(await faultWith((tx) => give(tx, id, to))).toContain(`(${id}) was changed.`);
    const own = rows.find((row) => row.organisation_id === to);
    const exchanged = await faultWith(async (tx) => {
      await give(tx, id, to);
      if (own) await give(tx, own.id, organisation_id);
    });
    expect(exchanged).toMatch(/^Entry \d+ \(\w+\) was changed\.$/);
  }
});

test("every block: removed with and without its entries, exchanged with the next one, and every run of blocks", async () => {
  for (let from = 1; from <= BLOCKS; from++) {
    const alone = await faultWith((tx) => tx.deleteFrom("audit_blocks").where("sequence", "=", from).execute());
    expect(alone).not.toBeNull();
    for (let to = from; to <= BLOCKS; to++) expect(await faultWith((tx) => cut(tx, from, to))).not.toBeNull();
    const next = (from % BLOCKS) + 1;
    const exchanged = await faultWith(async (tx) => {
      await moved(tx, from, 1_000);
      await moved(tx, next, from);
      await moved(tx, 1_000, next);
    });
    expect(exchanged).toMatch(/^(Block|Entry) /);
  }
  expect(await audited.fault()).toBeNull();
});

test("a head that was replaced by an older one: by itself, and with the end cut off to fit it", async () => {
  const { reader } = audited.db;
  const [older, newest] = await headsAfter(reader, 0, 10);
  const replaced = await faultWith((tx) =>
    tx.updateTable("audit_heads").set({ line: older!.line }).where("sequence", "=", BLOCKS).execute(),
  );
  expect(replaced).toContain(`Block ${BLOCKS} is not the one of the signed head`);
  const end = older!.sequence;
  await audited.db.write(async (tx) => {
    await cut(tx, end + 1, BLOCKS);
    await tx.deleteFrom("audit_heads").where("sequence", ">", end).execute();
  });
  // What is left is whole in itself. The head that was kept elsewhere, or in the data folder, shows the cut.
  expect(await audited.fault()).toBeNull();
  const head = readAuditHead(newest!.line, HEAD_FORMAT, null);
  await expect(verifyDatabase({ reader, keys: await keysOf(reader), head })).rejects.toThrow(
    `Block ${BLOCKS}, which a signed head names, is missing: the end was cut off.`,
  );
  expect(await contradictedHead(reader, newest!.line)).toBe(String(BLOCKS));
  expect(await contradictedHead(reader, older!.line)).toBeNull();
});
