// The audit chain on the executable: a kill and a full disk while entries are pruned, ten times each, lose nothing, and
// a file that was exported verifies without the appliance.
import { Database } from "bun:sqlite";
import { beforeAll, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, leaveNothingBehind, runBinary, startBinary, tempFolder } from "../support/binary.ts";
import { isOnPostgres } from "../support/engines.ts";
import { fillDisk } from "../support/full-disk.ts";
import { isRoot } from "../support/sandbox.ts";
import { skipsFor } from "../support/skips.ts";

leaveNothingBehind();

const ENTRIES = 6_000;
const OLD = "2026-06-01T00:00:00Z";
const test_ = test.skipIf(skipsFor(isOnPostgres, "prepares SQLite's file"));

let data: string;
let file: string;
beforeAll(async () => {
  if (isOnPostgres) return;
  data = tempFolder();
  const server = await startBinary({ dataDir: data });
  await server.stop();
  withDatabase(data, (database) =>
    database.transaction(() => {
      database.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ENTRIES})
         INSERT INTO audit_entries (id, organisation_id, at, actor_kind, action, subject_id, detail)
         SELECT 'aud_' || printf('%026d', i), (SELECT id FROM organisations), 1700000000000 + i, 'cli', 'call.read',
                'call_' || i, '{}' FROM n`,
      );
      database.run("INSERT INTO audit_unsealed SELECT id, '' FROM audit_entries WHERE id GLOB 'aud_00*'");
    })(),
  );
  file = join(data, "export.jsonl");
  expect(await ringward(data, "audit", "export", "--to", file)).toMatchObject({ code: 0, stderr: "" });
}, 180_000);

const ringward = (folder: string, ...args: string[]) => runBinary([...args, "--data", folder]);

function withDatabase<T>(folder: string, work: (database: Database) => T): T {
  const database = new Database(join(folder, "ringward.db"));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Entries that are stored or were pruned, of those that were exported. */
const accountedFor = (folder: string) =>
  withDatabase(folder, (database) => {
    const number = (sql: string) => Number(Object.values(database.query(sql).get() as object)[0]);
    const pruned = number("SELECT coalesce(max(last_number), 0) FROM audit_stubs");
    return { pruned, all: pruned + number("SELECT coalesce(sum(entry_count), 0) FROM audit_blocks") };
  });

async function isWhole(folder: string): Promise<void> {
  const { stdout, stderr, code } = await ringward(folder, "audit", "verify");
  expect(`${stderr}${stdout}`).toStartWith("Valid: ");
  expect(code).toBe(0);
}

test_("a file verifies without the appliance, and a changed line is named", async () => {
  await isWhole(data);
  const keys = join(tempFolder(), "keys.json");
  writeFileSync(keys, (await ringward(data, "proof", "key")).stdout);
  const good = await runBinary(["audit", "verify", file, "--key", keys]);
  expect(good.stdout).toMatch(/^Valid: 6\d{3} entries, 1 to 6\d{3}, signed /);
  const changed = join(tempFolder(), "changed.jsonl");
  writeFileSync(changed, readFileSync(file, "utf8").replace("call_4321", "call_4322"));
  const bad = await runBinary(["audit", "verify", changed]);
  expect(bad.stderr).toMatch(/^Not valid: Line \d+: Entry \d+ \(aud_0+4321\) was changed\.\n$/);
  expect(bad.code).toBe(1);
});

test_("a changed entry in the database is named, by verify and by doctor", async () => {
  const copy = join(tempFolder(), "data");
  cpSync(data, copy, { recursive: true });
  withDatabase(copy, (database) =>
    database.run("UPDATE audit_entries SET actor_kind = 'key' WHERE subject_id = 'call_77'"),
  );
  const { stderr, code } = await ringward(copy, "audit", "verify");
  expect(stderr).toMatch(/^Not valid: Entry \d+ \(aud_0+77\) was changed\.\n$/);
  expect(code).toBe(1);
  withDatabase(copy, (database) =>
    database.run("UPDATE audit_entries SET detail = '{} ' WHERE id = (SELECT max(id) FROM audit_entries)"),
  );
  expect((await ringward(copy, "doctor", "--quick")).stdout).toMatch(/FAIL +audit trail +Entry \d+/);
});

test_(
  "ten kills while entries are pruned: each time the chain is whole and nothing is lost",
  async () => {
    const copy = join(tempFolder(), "data");
    cpSync(data, copy, { recursive: true });
    const { all } = accountedFor(copy);
    let interrupted = 0;
    for (let round = 0; round < 10; round++) {
      const child = Bun.spawn([BINARY, "audit", "prune", "--before", OLD, "--data", copy], {
        stdout: "ignore",
        stderr: "ignore",
        env: { PATH: process.env["PATH"] ?? "" },
      });
      const before = accountedFor(copy).pruned;
      // After a few blocks more each time.
      while (child.exitCode === null && accountedFor(copy).pruned < before + 100 * (round % 4))
        await Bun.file(file).exists();
      child.kill("SIGKILL");
      await child.exited;
      if (child.signalCode !== null) interrupted += 1;
      await isWhole(copy);
      expect(accountedFor(copy).all).toBe(all);
    }
    expect(interrupted).toBeGreaterThan(5);
    expect((await ringward(copy, "audit", "prune", "--before", OLD)).stdout).toContain("pruned");
    expect(accountedFor(copy).pruned).toBeGreaterThanOrEqual(ENTRIES);
    await isWhole(copy);
  },
  180_000,
);

test.skipIf(skipsFor(!isRoot, "needs root") || isOnPostgres)(
  "ten full disks while entries are exported and pruned: nothing is lost, and no half file stays",
  async () => {
    const disk = join(tempFolder(), "disk");
    mkdirSync(disk);
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=48m,mode=0700", "tmpfs", disk]).success).toBeTrue();
    try {
      const copy = join(disk, "data");
      cpSync(data, copy, { recursive: true });
      const { all } = accountedFor(copy);
      for (let round = 0; round < 10; round++) {
        fillDisk(disk);
        const second = join(disk, `second-${round}.jsonl`);
        expect((await ringward(copy, "audit", "export", "--to", second)).code).not.toBe(0);
        expect(existsSync(second)).toBeFalse();
        // It may do some of its work in the room that the database's log has.
        await ringward(copy, "audit", "prune", "--before", OLD);
        rmSync(join(disk, "ballast"));
        await isWhole(copy);
        expect(accountedFor(copy).all).toBeGreaterThanOrEqual(all);
        expect((await runBinary(["audit", "verify", file])).code).toBe(0);
      }
    } finally {
      Bun.spawnSync(["umount", "-l", disk]);
    }
  },
  180_000,
);
