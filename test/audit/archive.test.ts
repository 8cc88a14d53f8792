// Export, verification and pruning: only what a verified file has is pruned, and the chain goes on from a signed stub.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { verifyExportFile, writeExportFile } from "../../src/audit/export-file.ts";
import { keysOf } from "../../src/audit/prune.ts";
import { stubOf } from "../../src/audit/chain-store.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import { runsOf } from "../support/engines.ts";
import { createAudited, type Audited } from "../support/audited.ts";
import { rejectionOf, tempFolder } from "../support/temp.ts";

let audited: Audited;
beforeEach(async () => {
  audited = await createAudited();
});
afterEach(() => audited.close());

async function sealed(count: number): Promise<void> {
  await audited.together(count);
  await audited.sealing.sealAll();
}

const linesOf = (file: string) => readFileSync(file, "utf8").split("\n");
const faultOf = async (file: string) =>
  verifyExportFile(file, await keysOf(audited.db.reader)).then(
    () => null,
    (error: unknown) => (error as Error).message,
  );

describe("an exported file", () => {
  test("verifies with the public key alone, and has every field", async () => {
    await audited.readContact("abc");
    await sealed(150);
    const file = (await audited.exportAll())!;
    expect(await verifyExportFile(file, null)).toMatchObject({ entries: 152, end: { sequence: 3, lastNumber: 152 } });
    const entry = linesOf(file).find((line) => line.includes("contact.read"))!;
    expect(JSON.parse(entry)).toMatchObject({
      entry: { subject_id: "abc", organisation_id: audited.organisationId, actor_kind: "cli", detail: "{}" },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("of another appliance is refused", async () => {
    await sealed(1);
    const file = (await audited.exportAll())!;
    const other = await createAudited();
    try {
      expect((await rejectionOf(other.archive.confirm(file))).message).toContain("not a key of the appliance");
    } finally {
      await other.close();
    }
  });

  test("shows every line that is changed, removed, exchanged or inserted", async () => {
    for (let i = 0; i < 120; i++) await audited.write(1, { subjectId: `call_${i}` });
    await audited.sealing.sealAll();
    const file = (await audited.exportAll())!;
    const lines = linesOf(file).slice(0, -1);
    const changed = join(audited.folder, "changed.jsonl");
    const check = async (text: readonly string[]) => {
      writeFileSync(changed, text.map((line) => `${line}\n`).join(""));
      return faultOf(changed);
    };
    expect(await check(lines)).toBeNull();
    for (let at = 0; at < lines.length; at++) {
      expect(await check(lines.toSpliced(at, 1))).not.toBeNull();
      expect(await check(lines.toSpliced(at, 0, lines[at]!))).not.toBeNull();
      const next = (at + 1) % lines.length;
      expect(await check(lines.with(at, lines[next]!).with(next, lines[at]!))).not.toBeNull();
    }
    // Any digit or letter of any value.
    const chance = fc.record({
      line: fc.nat(lines.length - 1),
      at: fc.nat(2_000),
      to: fc.constantFrom("0", "7", "a", "z"),
    });
    await fc.assert(
      fc.asyncProperty(chance, async ({ line, at, to }) => {
        const text = lines[line]!;
        const place = at % text.length;
        if (!/[0-9a-z]/.test(text[place]!) || text[place] === to) return;
        expect(await check(lines.with(line, text.slice(0, place) + to + text.slice(place + 1)))).not.toBeNull();
      }),
      { numRuns: 200 },
    );
  });

  test("names the line and the entry at fault, and its end", async () => {
    await audited.write(5, { subjectId: "call_x" });
    await audited.sealing.sealAll();
    const file = (await audited.exportAll())!;
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("call_x", "call_y"));
    expect(await faultOf(file)).toMatch(/^Line 9: Entry 2 \(aud_\w+\) was changed\.$/);
    writeFileSync(file, text.slice(0, text.lastIndexOf('{"hash"')));
    expect(await faultOf(file)).toBe("It has no signed head at its end: it is not complete.");
    writeFileSync(file, "");
    expect(await faultOf(file)).toBe("It has no signed head at its end: it is not complete.");
    writeFileSync(file, "x".repeat(3_000_000));
    expect(await faultOf(file)).toContain("too long");
  });

  test("is not made of a chain with a fault", async () => {
    await sealed(10);
    await audited.db.write((tx) => tx.updateTable("audit_entries").set({ at: 5 }).execute());
    expect((await rejectionOf(audited.exportAll())).message).toContain("was changed");
    expect(readdirSync(audited.folder)).toEqual([]);
  });
});

describe("pruning", () => {
  test("removes what was exported, and the chain goes on from a signed stub", async () => {
    await sealed(250);
    await audited.clock.advance(DAY_MS);
    const cut = audited.clock.now();
    await sealed(50);
    const file = (await audited.exportAll())!;
    expect(await audited.pruneBefore(cut)).toEqual({ entries: 251, blocks: 4 });
    expect(await audited.verify()).toMatchObject({ pruned: 251, entries: 50, unsealed: 1 });
    await sealed(10);
    await audited.heads.sign();
    expect(await audited.verify()).toMatchObject({ pruned: 251, entries: 61, unsealed: 0 });
    expect(await faultOf(file)).toBeNull();
    // The next export begins behind the stub.
    expect(await verifyExportFile((await audited.exportAll())!, null)).toMatchObject({
      after: { sequence: 4, lastNumber: 251 },
      entries: 61,
    });
    const noted = await audited.db.reader
      .selectFrom("audit_entries")
      .select(["action", "detail"])
      .where("action", "=", "audit.pruned")
      .execute();
    expect(noted).toEqual([{ action: "audit.pruned", detail: '{"from_entry":1,"to_entry":251}' }]);
  });

  test("refuses what is in no file, in a lost file and in a changed file", async () => {
    await sealed(20);
    await audited.clock.advance(DAY_MS);
    const refusal = async () => (await rejectionOf(audited.pruneBefore(audited.clock.now()))).message;
    expect(await refusal()).toContain("Block 1 of the audit trail is in no verified export, so nothing was pruned.");
    const file = (await audited.exportAll())!;
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("call_1", "call_2"));
    expect(await refusal()).toContain(`${file}: Line`);
    rmSync(file);
    expect(await refusal()).toContain("ENOENT");
    expect(await audited.verify()).toMatchObject({ entries: 21, pruned: 0 });
    writeFileSync(file, text);
    await sealed(1);
    await audited.clock.advance(1);
    expect(await refusal()).toContain("Block 2 of the audit trail is in no verified export");
    await audited.exportAll();
    expect(await audited.pruneBefore(audited.clock.now() + 1)).toMatchObject({ entries: 22 });
    expect(await audited.verify()).toMatchObject({ pruned: 22 });
  });

  test("waits for the collector", async () => {
    await audited.close();
    let position = 1;
    audited = await createAudited({ delivered: async () => position });
    await sealed(150);
    await audited.exportAll();
    await audited.clock.advance(DAY_MS);
    const { message } = await rejectionOf(audited.pruneBefore(audited.clock.now()));
    expect(message).toContain("The syslog collector has the audit trail only up to block 1");
    position = 3;
    expect(await audited.pruneBefore(audited.clock.now())).toMatchObject({ blocks: 3 });
  });

  test("a changed stub is found", async () => {
    await sealed(150);
    await audited.heads.sign();
    await audited.exportAll();
    await audited.clock.advance(DAY_MS);
    await audited.pruneBefore(audited.clock.now());
    const stub = (await stubOf(audited.db.reader))!;
    for (const change of [{ sequence: 1 }, { last_number: 5 }, { hash: "0".repeat(64) }, { line: "{}" }]) {
      await audited.db.write((tx) => tx.updateTable("audit_stubs").set(change).execute());
      expect(await audited.fault()).toMatch(/stub|canonical|hash and signature/);
      await audited.db.write((tx) => tx.updateTable("audit_stubs").set(stub).execute());
    }
    await audited.db.write((tx) => tx.deleteFrom("audit_stubs").execute());
    await sealed(1);
    expect(await audited.fault()).not.toBeNull();
  });

  test("a failed write in between leaves a whole chain, and the next run goes on", async () => {
    await sealed(450);
    await audited.exportAll();
    await audited.clock.advance(DAY_MS);
    const cut = audited.clock.now();
    for (const failsAt of [2, 3, 2]) {
      let count = 0;
      const failing = audited.archive.prune(
        await audited.archive.lastBlockBefore(cut),
        { kind: "cli", id: null },
        () => {
          if (++count === failsAt) throw new Error("killed");
        },
      );
      await failing.catch(() => {});
      expect(await audited.fault()).toBeNull();
    }
    await audited.pruneBefore(cut);
    expect(await audited.verify()).toMatchObject({ pruned: 451 });
  });
});

describe("the limits", () => {
  let exportFolder = "";
  const limited = async (limits: { keepDays: number; maxRows: number; exportTo: string }) => {
    exportFolder = limits.exportTo;
    await audited.close();
    audited = await createAudited({ limits });
    await sealed(250);
    await audited.clock.advance(3 * DAY_MS);
    await sealed(30);
    await audited.archive.job.run(audited.clock.now());
    await audited.archive.settled();
  };

  const nextDay = async () => {
    await audited.clock.advance(DAY_MS);
    await audited.archive.job.run(audited.clock.now());
    await audited.archive.settled();
  };
  /** What a run leaves that was killed between its export and its pruning. */
  async function unprunedExport(): Promise<string | null> {
    const exported = await audited.archive.exported(audited.clock.now() - 2 * DAY_MS);
    if (!exported) return null;
    const file = join(exportFolder, `audit-unpruned-${exported.last}.jsonl`);
    await writeExportFile(file, exported.parts);
    await audited.archive.confirm(file);
    return file;
  }

  test("without a folder nothing is removed, and the note says what is due", async () => {
    await limited({ keepDays: 2, maxRows: 0, exportTo: "" });
    expect(audited.archive.note()).toContain("Set audit.export_to");
    expect(await audited.verify()).toMatchObject({ entries: 281, pruned: 0 });
  });

  test.each([
    ["age", { keepDays: 2, maxRows: 0 }, 251],
    ["number", { keepDays: 0, maxRows: 100 }, 101],
  ])("by %s: exported, verified and pruned", async (_, limits, pruned) => {
    const exportTo = tempFolder();
    await limited({ ...limits, exportTo });
    expect(audited.archive.note()).toBeNull();
    expect(await audited.verify()).toMatchObject({ pruned });
    const [file] = readdirSync(exportTo);
    expect(await verifyExportFile(join(exportTo, file!), null)).toMatchObject({ entries: pruned });
    // The next day nothing old is left, and no file is made.
    await audited.clock.advance(DAY_MS / 2);
    await audited.archive.job.run(audited.clock.now());
    await audited.archive.settled();
    expect(readdirSync(exportTo)).toHaveLength(1);
  });

  const lifted = ["deleted", "moved", "changed", "cut off"] as const;
  test.each(lifted)("an export that was %s is made anew, and pruning goes on", async (what) => {
    const exportTo = tempFolder();
    await limited({ keepDays: 2, maxRows: 0, exportTo });
    await nextDay();
    await sealed(20);
    await audited.clock.advance(3 * DAY_MS);
    const first = (await unprunedExport())!;
    const text = readFileSync(first, "utf8");
    if (what === "deleted") rmSync(first);
    if (what === "moved") renameSync(first, join(tempFolder(), "moved.jsonl"));
    if (what === "changed") writeFileSync(first, text.replace("call_1", "call_2"));
    if (what === "cut off") writeFileSync(first, text.slice(0, text.length / 2));
    await nextDay();
    expect(audited.archive.note()).toBeNull();
    const { pruned } = await audited.verify();
    expect(pruned).toBeGreaterThan(280);
    // Every entry that was pruned is in a file that verifies.
    const files = readdirSync(exportTo).map((name) => join(exportTo, name));
    const covered = new Set<number>();
    for (const file of files) {
      const found = await verifyExportFile(file, null).catch(() => null);
      for (let n = (found?.after.lastNumber ?? 0) + 1; found && n <= found.end.lastNumber; n++) covered.add(n);
    }
    for (let n = 1; n <= pruned; n++) expect(covered.has(n)).toBeTrue();
  });

  test("a folder that is not there is told, and nothing is removed", async () => {
    const exportTo = join(tempFolder(), "missing");
    await limited({ keepDays: 2, maxRows: 0, exportTo });
    expect(audited.archive.note()).toContain("could not be exported and pruned");
    expect(await audited.verify()).toMatchObject({ pruned: 0 });
    expect(existsSync(exportTo)).toBe(false);
  });
});

test("any history of entries, erasures, seals, exports and prunes verifies, and then shows one changed entry", async () => {
  const act = fc.oneof(
    fc.record({ act: fc.constant("write" as const), count: fc.integer({ min: 1, max: 130 }) }),
    fc.record({ act: fc.constant("contact" as const), count: fc.nat(3) }),
    fc.record({
      act: fc.constantFrom("erase" as const, "seal" as const, "prune" as const, "head" as const),
      count: fc.nat(3),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), fc.nat(), async (acts, victim) => {
      const one = await createAudited();
      try {
        for (const { act: what, count } of acts) {
          await one.clock.advance(60_000);
          if (what === "write") await one.together(count);
          if (what === "contact") await one.readContact(`c${count}`);
          if (what === "erase") await one.erase(`c${count}`);
          if (what === "seal") await one.sealing.sealAll();
          if (what === "head") await one.heads.sign();
          if (what === "prune" && (await one.exportAll())) await one.pruneBefore(one.clock.now() - count * 60_000);
          expect(await one.fault()).toBeNull();
        }
        await one.together(1);
        await one.sealing.sealAll();
        const rows = await one.db.reader.selectFrom("audit_entries").select("id").execute();
        const { id } = rows[victim % rows.length]!;
        await one.db.write((tx) => tx.updateTable("audit_entries").set({ at: 7 }).where("id", "=", id).execute());
        expect(await one.fault()).toContain(`(${id}) was changed`);
      } finally {
        await one.close();
      }
    }),
    { numRuns: runsOf(24) },
  );
}, 180_000);
