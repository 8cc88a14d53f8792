// The audit chain in the database: every change, removal, exchange and insertion is found, and erasures are none.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { blockText, idsOf, leafOf } from "../../src/audit/chain.ts";
import { blocksAfter, lastBlock } from "../../src/audit/chain-store.ts";
import { createAuditSealing, sealSome } from "../../src/audit/sealing.ts";
import { sha256Hex } from "../../src/core/hmac.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createAudited, type Audited } from "../support/audited.ts";

let audited: Audited;
beforeEach(async () => {
  audited = await createAudited();
});
afterEach(() => audited.close());

const run = (statement: string) => audited.db.write((tx) => sql.raw(statement).execute(tx));
const blocks = () => blocksAfter(audited.db.reader, 0, 1_000);

async function sealed(count: number): Promise<string[]> {
  await audited.together(count);
  await audited.sealing.sealAll();
  return (await blocks()).flatMap(idsOf);
}

test("entries of commands, of batches and of an older version are sealed in blocks of a hundred", async () => {
  await audited.write(5);
  await audited.together(250);
  await audited.together(3);
  expect(await audited.verify()).toMatchObject({ entries: 0, unsealed: 259 });
  expect(await audited.sealing.sealAll()).toBe(259);
  expect(await audited.verify()).toMatchObject({ entries: 259, unsealed: 0, pruned: 0 });
  expect((await blocks()).map(({ entry_count }) => entry_count)).toEqual([6, 100, 100, 53]);
  expect((await blocks()).map(({ first_number }) => first_number)).toEqual([1, 7, 107, 207]);
  expect(await audited.sealing.sealAll()).toBe(0);
});

test("two sealers give each entry one place", async () => {
  await audited.write(300);
  const deps = { ...audited, logger: silentLogger };
  await Promise.all([audited.sealing.sealAll(), sealSome(deps).catch(() => {}), sealSome(deps).catch(() => {})]);
  await audited.sealing.sealAll();
  expect(await audited.verify()).toMatchObject({ entries: 301, unsealed: 0 });
});

describe("a fault in the stored chain is found", () => {
  test.each([
    ["action", "'call.listed'"],
    ["at", "at + 1"],
    ["actor_kind", "'person'"],
    ["actor_id", "'per_1'"],
    ["subject_id", "'call_2'"],
    ["subject_id", "NULL"],
    ["detail", `'{"count":1}'`],
    ["request_id", "'req_1'"],
    ["salt", "'x'"],
    ["commitment", "'x'"],
  ])("an entry whose %s becomes %s", async (column, value) => {
    const ids = await sealed(150);
    for (const index of [0, 99, 100, 149]) {
      const id = ids[index]!;
      const before = await audited.db.reader
        .selectFrom("audit_entries")
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      await run(`UPDATE audit_entries SET ${column} = ${value} WHERE id = '${id}'`);
      expect(await audited.fault()).toStartWith(`Entry ${index + 1} (${id}) `);
      await audited.db.write((tx) => tx.updateTable("audit_entries").set(before).where("id", "=", id).execute());
      expect(await audited.fault()).toBeNull();
    }
  });

  test("a removed entry, first, in the middle and last", async () => {
    const ids = await sealed(120);
    for (const index of [120, 60, 0]) {
      await run(`DELETE FROM audit_entries WHERE id = '${ids[index]}'`);
      expect(await audited.fault()).toBe(`Entry ${index + 1} (${ids[index]}) was removed.`);
    }
  });

  test("two exchanged entries", async () => {
    for (let i = 0; i < 10; i++) await audited.write(1, { subjectId: `call_${i}` });
    const ids = await sealed(1);
    const swap = (from: string, to: string) => run(`UPDATE audit_entries SET id = '${to}' WHERE id = '${from}'`);
    await swap(ids[3]!, "aud_x");
    await swap(ids[7]!, ids[3]!);
    await swap("aud_x", ids[7]!);
    expect(await audited.fault()).toBe(`Entry 4 (${ids[3]}) was changed.`);
  });

  test("an entry that was inserted later", async () => {
    await sealed(10);
    await run(
      `INSERT INTO audit_entries (id, organisation_id, at, actor_kind, action, detail)
       SELECT 'aud_forged', organisation_id, at, 'cli', 'call.read', '{}' FROM audit_entries LIMIT 1`,
    );
    expect(await audited.fault()).toBe("Entry aud_forged was never sealed: it was inserted later.");
  });

  test("an entry that was removed before it was sealed", async () => {
    await audited.write(3);
    const { rows } = await sql<{ id: string }>`SELECT id FROM audit_entries ORDER BY id DESC LIMIT 1`.execute(
      audited.db.reader,
    );
    await run(`DELETE FROM audit_entries WHERE id = '${rows[0]!.id}'`);
    await audited.sealing.sealAll();
    expect(await audited.fault()).toBe(`Entry 4 (${rows[0]!.id}) was removed.`);
  });

  test.each([
    ["sequence", "sequence + 1000"],
    ["first_number", "first_number + 1"],
    ["entry_count", "entry_count - 1"],
    ["sealed_at", "sealed_at + 1"],
    ["newest_at", "newest_at - 1"],
    ["entry_ids", "replace(entry_ids, ' ', '  ')"],
    ["leaves", "'00' || substr(leaves, 3)"],
    ["hash", "'00' || substr(hash, 3)"],
  ])("a block whose %s becomes %s", async (column, value) => {
    await sealed(250);
    await run(`UPDATE audit_blocks SET ${column} = ${value} WHERE sequence = 2`);
    expect(await audited.fault()).toMatch(/^(Block|Entry) /);
  });

  test("an entry changed with its leaf, and with the hash of its block", async () => {
    const ids = await sealed(250);
    await audited.heads.sign();
    const [, second] = await blocks();
    await run(`UPDATE audit_entries SET action = 'call.listed' WHERE id = '${ids[50]}'`);
    const changed = await audited.db.reader
      .selectFrom("audit_entries")
      .selectAll()
      .where("id", "=", ids[50]!)
      .executeTakeFirstOrThrow();
    const at = idsOf(second!).indexOf(ids[50]!);
    const leaves = second!.leaves.slice(0, at * 64) + leafOf(changed) + second!.leaves.slice(at * 64 + 64);
    await run(`UPDATE audit_blocks SET leaves = '${leaves}' WHERE sequence = 2`);
    expect(await audited.fault()).toContain("Block 2 (entries 2 to 101) was changed");
    const [first] = await blocks();
    const hash = sha256Hex(blockText({ ...second!, leaves }, first!.hash));
    await run(`UPDATE audit_blocks SET hash = '${hash}' WHERE sequence = 2`);
    expect(await audited.fault()).toContain("Block 3 (entries 102 to 201) was changed, or does not continue");
  });

  test("a removed block, and an end that was cut off behind a signed head", async () => {
    await sealed(250);
    await audited.heads.sign();
    const last = (await lastBlock(audited.db.reader))!;
    await run(`DELETE FROM audit_entries WHERE id IN ('${idsOf(last).join("', '")}')`);
    await run(`DELETE FROM audit_blocks WHERE sequence = ${last.sequence}`);
    expect(await audited.fault()).toBe(`Block 4, which a signed head names, is missing: the end was cut off.`);
    await run("DELETE FROM audit_blocks WHERE sequence = 1");
    expect(await audited.fault()).toBe("Block 1, with the entries from 1 on, is missing.");
  });

  test("a signed head that was changed, and a chain that was written anew", async () => {
    await sealed(10);
    await audited.heads.sign();
    await run(`UPDATE audit_heads SET line = replace(line, '"entries":11', '"entries":12')`);
    expect(await audited.fault()).toBe("Its content does not match its hash.");
    await run("DELETE FROM audit_heads");
    await audited.heads.sign();
    await run("DELETE FROM audit_blocks");
    await run("UPDATE audit_entries SET action = 'call.listed'");
    await run("INSERT INTO audit_unsealed (id, entries) SELECT id, '' FROM audit_entries");
    await audited.sealing.sealAll();
    expect(await audited.fault()).toStartWith("Block 1 is not the one of the signed head of ");
  });
});

describe("the erasure of a person", () => {
  test("keeps the chain whole, and leaves nothing from which the contact could be found", async () => {
    await audited.readContact("abc123");
    await audited.sealing.sealAll();
    await audited.readContact("abc123");
    await audited.erase("abc123");
    await audited.sealing.sealAll();
    expect(await audited.verify()).toMatchObject({ entries: 4, unsealed: 0 });
    const rows = await audited.db.reader
      .selectFrom("audit_entries")
      .select(["subject_id", "salt", "commitment"])
      .where("action", "=", "contact.read")
      .orderBy("id")
      .execute();
    expect(rows.map(({ subject_id }) => subject_id?.slice(0, 5))).toEqual(["gone_", "gone_"]);
    expect(rows[0]).toMatchObject({ salt: null, commitment: expect.stringMatching(/^[0-9a-f]{64}$/) });
    // Sealed after the erasure: the replacement itself.
    expect(rows[1]?.salt).not.toBeNull();
  });

  test("cannot be claimed for a changed subject", async () => {
    await audited.readContact("abc123");
    await audited.sealing.sealAll();
    await run("UPDATE audit_entries SET subject_id = 'abc999' WHERE action = 'contact.read'");
    expect(await audited.fault()).toContain("has another subject than it was sealed with");
    await run("UPDATE audit_entries SET salt = NULL WHERE action = 'contact.read'");
    expect(await audited.fault()).toContain("has another subject than it was sealed with");
    await run("UPDATE audit_entries SET subject_id = 'gone_0123' WHERE action = 'contact.read'");
    expect(await audited.fault()).toContain("lost its subject without an erasure");
  });

  test("between reading and sealing does not seal the old subject", async () => {
    await audited.readContact("abc123");
    const { db } = audited;
    let isFirst = true;
    const write: typeof db.write = async (command, options) => {
      if (isFirst) {
        isFirst = false;
        await audited.erase("abc123");
      }
      return db.write(command, options);
    };
    await createAuditSealing({ ...audited, db: { reader: db.reader, write }, logger: silentLogger }).sealAll();
    expect(await audited.verify()).toMatchObject({ entries: 3, unsealed: 0 });
  });
});
