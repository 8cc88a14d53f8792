// The signed head in a file: written when the chain grew, and kept as evidence when the database was restored.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HEAD_FILE } from "../../src/audit/heads.ts";
import { readAuditHead, HEAD_FORMAT } from "../../src/audit/head.ts";
import { keysOf } from "../../src/audit/prune.ts";
import { verifyDatabase } from "../../src/audit/verify-database.ts";
import { createAudited, type Audited } from "../support/audited.ts";

let audited: Audited;
beforeEach(async () => {
  audited = await createAudited();
});
afterEach(() => audited.close());

const headLine = () => readFileSync(join(audited.folder, HEAD_FILE), "utf8").trimEnd();

async function sealed(count: number): Promise<void> {
  await audited.together(count);
  await audited.sealing.sealAll();
}

test("it names the last block, follows the chain, and survives pruning", async () => {
  await audited.heads.publish();
  expect(readdirSync(audited.folder)).toEqual([]);
  await sealed(150);
  await audited.heads.publish();
  const keys = await keysOf(audited.db.reader);
  const first = readAuditHead(headLine(), HEAD_FORMAT, keys);
  expect(first).toMatchObject({ sequence: 3, entries: 151 });
  await audited.exportAll();
  await sealed(10);
  await audited.clock.advance(60_000);
  await audited.heads.publish();
  expect(readAuditHead(headLine(), HEAD_FORMAT, keys)).toMatchObject({ sequence: 4, entries: 161 });
  expect(await verifyDatabase({ reader: audited.db.reader, keys, head: first })).toMatchObject({ entries: 161 });
  await audited.pruneBefore(audited.clock.now() - 30_000).catch(() => {});
  await audited.heads.publish();
  expect(audited.heads.note()).toBeNull();
});

test("after a restore the head is kept, told, and the fork stands in the new chain", async () => {
  await sealed(150);
  await audited.heads.publish();
  const head = readAuditHead(headLine(), HEAD_FORMAT, null);
  // An older copy of the database: the last block and its head are not in it.
  await audited.db.write(async (tx) => {
    const last = await tx.selectFrom("audit_blocks").selectAll().where("sequence", "=", 3).executeTakeFirstOrThrow();
    await tx.deleteFrom("audit_entries").where("id", "in", last.entry_ids.split(" ")).execute();
    await tx.deleteFrom("audit_blocks").where("sequence", "=", 3).execute();
    await tx.deleteFrom("audit_heads").execute();
  });
  await audited.clock.advance(1_000);
  await sealed(5);
  await audited.heads.publish();
  expect(readdirSync(audited.folder).toSorted()).toEqual([HEAD_FILE, `${HEAD_FILE}.3`]);
  expect(audited.heads.note()).toContain("the database was restored or changed");
  await audited.sealing.sealAll();
  const { reader } = audited.db;
  const noted = await reader
    .selectFrom("audit_entries")
    .select("id")
    .where("action", "=", "audit.chain_forked")
    .execute();
  expect(noted).toHaveLength(1);
  // The new chain is whole in itself; the kept head contradicts it.
  const keys = await keysOf(reader);
  expect(await verifyDatabase({ reader, keys })).toMatchObject({ unsealed: 0 });
  await expect(verifyDatabase({ reader, keys, head })).rejects.toThrow("Block 3 is not the one that the head names.");
  await audited.heads.publish();
  expect(readdirSync(audited.folder)).toHaveLength(2);
});
