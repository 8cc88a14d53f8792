// The audit chain after a restore of an older copy, under a clock that was a week ahead, and with its table locked.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sealSome } from "../../src/audit/sealing.ts";
import { HEAD_FORMAT, readAuditHead } from "../../src/audit/head.ts";
import { HEAD_FILE } from "../../src/audit/heads.ts";
import { headsAfter } from "../../src/audit/chain-store.ts";
import { keysOf } from "../../src/audit/prune.ts";
import { verifyDatabase } from "../../src/audit/verify-database.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { addressOf } from "../../src/db/postgres/address.ts";
import { openWire } from "../../src/db/postgres/wire.ts";
import { createAudited, type Audited } from "../support/audited.ts";
import { isOnPostgres } from "../support/engines.ts";
import { settingsFor } from "../support/postgres.ts";
import { postgresUrlOf, rejectionOf, tempFolder } from "../support/temp.ts";

let audited: Audited;
beforeEach(async () => {
  audited = await createAudited();
});
afterEach(() => audited.close());

async function sealed(count: number): Promise<void> {
  await audited.together(count);
  await audited.sealing.sealAll();
}

const TABLES = [
  "audit_entries",
  "audit_unsealed",
  "audit_blocks",
  "audit_heads",
  "audit_exports",
  "audit_stubs",
  "audit_positions",
] as const;

/** As a backup or a dump has them; the returned function restores it. */
async function copied(): Promise<() => Promise<void>> {
  const { db } = audited;
  const rows = new Map<(typeof TABLES)[number], unknown[]>();
  for (const table of TABLES) rows.set(table, await db.reader.selectFrom(table).selectAll().execute());
  return () =>
    db.write(async (tx) => {
      for (const table of TABLES) {
        await tx.deleteFrom(table).execute();
        const kept = rows.get(table) ?? [];
        if (kept.length > 0) await tx.insertInto(table).values(kept).execute();
      }
    });
}

describe("an older copy that was restored", () => {
  test("verifies by itself and goes on, and a head that was kept says what is missing", async () => {
    await sealed(120);
    await audited.heads.publish();
    const restore = await copied();
    await audited.clock.advance(HOUR_MS);
    await sealed(120);
    await audited.heads.publish();
    const line = readFileSync(join(audited.folder, HEAD_FILE), "utf8").trimEnd();
    const head = readAuditHead(line, HEAD_FORMAT, null);
    await restore();
    const { reader } = audited.db;
    const keys = await keysOf(reader);
    const missing = `Block ${head.sequence}, which a signed head names, is missing: the end was cut off.`;
    expect(await audited.fault()).toBeNull();
    await expect(verifyDatabase({ reader, keys, head })).rejects.toThrow(missing);
    await audited.clock.advance(HOUR_MS);
    await sealed(7);
    await audited.heads.publish();
    await audited.sealing.sealAll();
    // 121 of the copy, 7 new ones, and the entry of the fork.
    expect(await audited.verify()).toMatchObject({ entries: 129, unsealed: 0 });
    expect(readdirSync(audited.folder)).toContain(`${HEAD_FILE}.${head.sequence}`);
    await sealed(150);
    await expect(verifyDatabase({ reader, keys, head })).rejects.toThrow(
      `Block ${head.sequence} is not the one that the head names.`,
    );
  });

  test("from before a prune has its entries again, and the export that was made since stays as it is", async () => {
    const exportTo = tempFolder();
    await audited.close();
    audited = await createAudited({ limits: { keepDays: 2, maxRows: 0, exportTo } });
    await sealed(120);
    const restore = await copied();
    const nextDays = async () => {
      await audited.clock.advance(3 * DAY_MS);
      await audited.archive.job.run(audited.clock.now());
      await audited.archive.settled();
      expect(audited.archive.note()).toBeNull();
    };
    await nextDays();
    const [first = ""] = readdirSync(exportTo);
    const before = readFileSync(join(exportTo, first), "utf8");
    expect(await audited.verify()).toMatchObject({ pruned: 121 });
    await restore();
    expect(await audited.verify()).toMatchObject({ pruned: 0, entries: 121 });
    await nextDays();
    expect(await audited.verify()).toMatchObject({ pruned: 121 });
    expect(readFileSync(join(exportTo, first), "utf8")).toBe(before);
    expect(readdirSync(exportTo)).toHaveLength(2);
  });
});

test("a clock that was a week ahead: one head for each hour with growth, none skipped and none twice", async () => {
  const signed = async () => (await headsAfter(audited.db.reader, 0, 100)).map(({ sequence }) => sequence);
  await sealed(5);
  await audited.heads.sign();
  audited.clock.jump(7 * DAY_MS);
  await audited.heads.sign();
  expect(await signed()).toEqual([1]);
  await sealed(5);
  const ahead = await audited.heads.sign();
  audited.clock.jump(-7 * DAY_MS);
  expect(await audited.heads.sign()).toBe(ahead);
  await sealed(5);
  const after = await audited.heads.sign();
  expect(after).not.toBe(ahead);
  await audited.heads.publish();
  expect(await signed()).toEqual([1, 2, 3]);
  expect(await audited.verify()).toMatchObject({ entries: 16, unsealed: 0 });
  expect(audited.heads.note()).toBeNull();
  // What was written under the wrong clock is kept until that time, so nothing goes too early.
  await audited.exportAll();
  await audited.clock.advance(2 * DAY_MS);
  expect(await audited.pruneBefore(audited.clock.now() - DAY_MS)).toEqual({ entries: 6, blocks: 1 });
  expect(await audited.fault()).toBeNull();
});

// SQLite has no lock of a single table.
if (isOnPostgres) {
  test("while another session locks the entries, nothing is sealed, and afterwards each once", async () => {
    await sealed(50);
    await audited.together(150);
    const url = postgresUrlOf(audited.dataDir) ?? "";
    const holder = await openWire(addressOf(settingsFor(url)), { name: "holder", isPatient: true });
    try {
      await holder.query("BEGIN");
      await holder.query("LOCK TABLE audit_entries");
      const deps = { ...audited, logger: silentLogger };
      expect((await rejectionOf(sealSome(deps))).message).not.toBe("");
      await holder.query("COMMIT");
    } finally {
      holder.end();
    }
    expect(await audited.verify()).toMatchObject({ entries: 51, unsealed: 150 });
    await Promise.all([audited.sealing.sealAll(), audited.write(5)]);
    await audited.sealing.sealAll();
    expect(await audited.verify()).toMatchObject({ entries: 206, unsealed: 0 });
  }, 120_000);
}
