// PostgreSQL on a full disk: an in-place update finds room, calls do not, and readiness reports it.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres, type PostgresCluster } from "../../../scripts/postgres-cluster.ts";
import { createIds } from "../../../src/core/ids.ts";
import { createLogger } from "../../../src/core/logger.ts";
import { createMetrics } from "../../../src/core/metrics.ts";
import { recordHeartbeat } from "../../../src/db/heartbeat-store.ts";
import type { Database } from "../../../src/db/port.ts";
import { createReadiness } from "../../../src/http/health.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { openAt } from "../../support/postgres.ts";
import { isRoot } from "../../support/sandbox.ts";
import { skipsFor } from "../../support/skips.ts";

setDefaultTimeout(120_000);

/** Only root can create a small disk. */
const test_ = test.skipIf(skipsFor(!isRoot, "needs root"));

let folder: string;
let cluster: PostgresCluster;
let db: Database;
beforeAll(async () => {
  if (!isRoot) return;
  folder = mkdtempSync(join(tmpdir(), "rw-full-"));
  chmodSync(folder, 0o755);
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", disk]);
  expect(mounted.success).toBeTrue();
  mkdirSync(join(disk, "tables"));
  Bun.spawnSync(["chown", "-R", "postgres:postgres", disk]);
  cluster = await startPostgres();
  cluster.psql(`CREATE TABLESPACE small LOCATION '${join(disk, "tables")}'`);
  cluster.psql("CREATE DATABASE tight TEMPLATE template0 TABLESPACE small");
  db = await openAt(cluster.url("tight"));
});
afterAll(async () => {
  if (!isRoot) return;
  await db.close();
  await cluster.stop();
  expect(Bun.spawnSync(["umount", join(folder, "disk")]).success).toBeTrue();
  rmSync(folder, { recursive: true, force: true });
});

const ballast = () => join(folder, "disk", "ballast");
function fill(): void {
  const file = openSync(ballast(), "w");
  for (let size = 64 * 1024; size >= 512; size /= 2) {
    const piece = Buffer.alloc(size);
    try {
      while (writeSync(file, piece) === size);
    } catch {
      // Smaller pieces may fit.
    }
  }
  closeSync(file);
}

test_("readiness is lost with the room and comes back with it; each is logged once", async () => {
  const clock = createManualClock();
  const lines: Record<string, unknown>[] = [];
  const ask = createReadiness({
    db,
    clock,
    ids: createIds(clock),
    logger: createLogger(clock, "info", (line) => void lines.push(JSON.parse(line) as Record<string, unknown>)),
    metrics: createMetrics(),
    dataDir: tmpdir(),
    minFreeMb: 0,
    schedulerBeatAtElapsedMs: () => clock.elapsedMs(),
    notes: () => ({}),
  });
  await db.write((tx) => recordHeartbeat(tx, "placed", 1));
  expect((await ask()).ready).toBeTrue();
  fill();
  // The statement that readiness used before.
  for (let at = 2; at < 20; at++) await db.write((tx) => recordHeartbeat(tx, "placed", at));
  for (let i = 0; i < 3; i++) {
    clock.jump(2_000);
    expect((await ask()).checks.write).toBe("The database cannot be written.");
  }
  rmSync(ballast());
  clock.jump(2_000);
  expect((await ask()).ready).toBeTrue();
  expect(lines).toMatchObject([
    { level: "error", message: "Not ready.", error: expect.stringContaining("No space left on device") },
    { level: "info", message: "Ready again." },
  ]);
});

test_("the probe leaves one row and no file behind", async () => {
  const { rows } = await db.reader
    .selectFrom("write_probes")
    .select((eb) => eb.fn.countAll<number>().as("rows"))
    .executeTakeFirstOrThrow();
  expect(rows).toBe(1);
  expect(cluster.psql("SELECT count(*) FROM pg_ls_tmpdir()", "tight")).toBe("0");
});
