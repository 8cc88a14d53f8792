// The chain stays whole, with each call once, when a sealing process is killed, when several seal at once, when the
// disk is full, and when the clock is set back.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MINUTE_MS } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { openDatabase } from "../../../src/db/database.ts";
import { MOST_PER_BATCH } from "../../../src/rules/proof/batch.ts";
import { createProofService } from "../../../src/rules/proof/proof-service.ts";
import { rangeIn, unsealedProofs } from "../../../src/rules/proof/proof-store.ts";
import { fillDisk } from "../../support/full-disk.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { isOnPostgres } from "../../support/engines.ts";
import { databaseOf, testCluster } from "../../support/postgres.ts";
import { isRoot } from "../../support/sandbox.ts";
import { checkedCalls, noteCalls } from "../../support/sealed-chain.ts";
import { skipsFor } from "../../support/skips.ts";
import { postgresUrlOf, tempFolder } from "../../support/temp.ts";

let hospital: Hospital;
const open = async (options: Parameters<typeof createHospital>[0] = {}) => {
  hospital = await createHospital(options);
};

const sealAll = () => hospital.app.services.sealing.sealAll();

interface Child {
  begin(): void;
  /** Its signal, or its exit code. */
  ended: Promise<string | number>;
}

async function startSealer(point: string, batch = 1): Promise<Child> {
  const file = join(import.meta.dir, "../../support/sealer-child.ts");
  const url = postgresUrlOf(hospital.dataDir) ?? "";
  const child = Bun.spawn([process.execPath, file, hospital.dataDir, url, point, String(batch)], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  await child.stdout.getReader().read();
  return {
    begin: () => void child.stdin.end(),
    ended: child.exited.then(() => child.signalCode ?? child.exitCode ?? "lost"),
  };
}

const POINTS = [
  "after the read",
  "between signatures",
  "before the transaction",
  "at the begin of the transaction",
  "before the commit",
  "after the commit",
];

describe("a process killed while it seals", () => {
  beforeEach(() => open());
  afterEach(() => hospital.close());

  test("leaves a whole chain at every point, and the next one seals the rest once", async () => {
    const calls: string[] = [];
    for (const [at, point] of POINTS.entries()) {
      // The second of three batches is hit.
      const sealedBefore = calls.length;
      calls.push(...(await noteCalls(hospital, 2 * MOST_PER_BATCH + 5, at * 1_000)));
      const child = await startSealer(point, 2);
      child.begin();
      expect([point, await child.ended]).toEqual([point, "SIGKILL"]);
      const batches = point === "after the commit" ? 2 : 1;
      expect(await checkedCalls(hospital)).toEqual(calls.slice(0, sealedBefore + batches * MOST_PER_BATCH));
      await sealAll();
      expect(await checkedCalls(hospital)).toEqual(calls);
      expect(await unsealedProofs(hospital.db.reader, 10)).toEqual([]);
    }
  }, 180_000);

  test("and two others that go on at the same time make one chain", async () => {
    const calls = await noteCalls(hospital, 12 * MOST_PER_BATCH);
    const children = await Promise.all([startSealer("before the commit", 3), startSealer("none"), startSealer("none")]);
    for (const child of children) child.begin();
    const [killed, ...others] = await Promise.all(children.map(({ ended }) => ended));
    expect(others).toEqual([0, 0]);
    // It may have found everything sealed before its third batch, or lost a race.
    expect(["SIGKILL", 0, 1]).toContain(killed!);
    await sealAll();
    expect(await checkedCalls(hospital)).toEqual(calls);
    expect(await unsealedProofs(hospital.db.reader, 10)).toEqual([]);
  }, 180_000);
});

/** A disk of its own: for SQLite's file, or for the table of proofs in PostgreSQL. */
describe.skipIf(skipsFor(!isRoot, "needs root to mount a small disk"))("on a full disk", () => {
  let disk: string;
  beforeEach(async () => {
    disk = join(tempFolder(), "disk");
    mkdirSync(disk);
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=16m,mode=0700", "tmpfs", disk]).success).toBeTrue();
    if (!isOnPostgres) {
      await open({ open: () => openDatabase({ dataDir: disk }, { logger: silentLogger, as: "server" }) });
      return;
    }
    await open();
    expect(Bun.spawnSync(["chown", "postgres:postgres", disk]).success).toBeTrue();
    expect(Bun.spawnSync(["chmod", "755", join(disk, "..")]).success).toBeTrue();
    await inPostgres(`CREATE TABLESPACE proofs_disk LOCATION '${disk}'`);
    await inPostgres("ALTER TABLE proofs SET TABLESPACE proofs_disk");
  });
  afterEach(async () => {
    rmSync(join(disk, "ballast"), { force: true });
    if (isOnPostgres) {
      await inPostgres("ALTER TABLE proofs SET TABLESPACE pg_default");
      await inPostgres("DROP TABLESPACE proofs_disk");
    }
    await hospital.close();
    expect(Bun.spawnSync(["umount", disk]).success).toBeTrue();
  });

  const inPostgres = async (sql: string) =>
    (await testCluster()).psql(sql, databaseOf(postgresUrlOf(hospital.dataDir) ?? ""));

  test("nothing is sealed in part, and everything once there is room", async () => {
    const before = await noteCalls(hospital, 10);
    await sealAll();
    const calls = [...before, ...(await noteCalls(hospital, 16 * MOST_PER_BATCH, 1_000))];
    fillDisk(disk);
    await expect(sealAll()).rejects.toThrow("Nothing was changed; try again.");
    const sealed = await checkedCalls(hospital);
    expect(sealed.length).toBeLessThan(calls.length);
    expect(sealed).toEqual(calls.slice(0, sealed.length));
    rmSync(join(disk, "ballast"));
    await sealAll();
    expect(await checkedCalls(hospital)).toEqual(calls);
  }, 180_000);
});

describe("a clock that was set back", () => {
  beforeEach(() => open());
  afterEach(() => hospital.close());

  test("breaks no chain, and no proof is missing in an export of the period", async () => {
    const { app, clock, db, organisationId } = hospital;
    const begin = clock.now();
    const calls: string[] = [];
    // Sealed at 10, 50, 5, 20 and 70 minutes after the begin.
    for (const [at, minutes] of [10, 50, 5, 20, 70].entries()) {
      clock.jump(begin + minutes * MINUTE_MS - clock.now());
      calls.push(...(await noteCalls(hospital, 1, at)));
      await sealAll();
    }
    expect(await checkedCalls(hospital)).toEqual(calls);
    const proofs = createProofService({ db, clock, proofKeys: app.services.proofKeys, callOf: async () => undefined });
    const iso = (minutes: number) => new Date(begin + minutes * MINUTE_MS).toISOString();
    const exported = async (from: number, to: number) => {
      let text = "";
      for await (const page of proofs.exported(organisationId, { from: iso(from), to: iso(to) })) text += page;
      return calls.filter((call) => text.includes(call));
    };
    expect(await exported(0, 60)).toEqual(calls.slice(0, 4));
    expect(await exported(0, 15)).toEqual(calls.slice(0, 3));
    expect(await exported(60, 90)).toEqual(calls.slice(4));
    expect(await exported(90, 95)).toEqual([]);
    const range = (from: number, to: number) =>
      rangeIn(db.reader, { from: begin + from * MINUTE_MS, to: begin + to * MINUTE_MS });
    expect(await range(0, 60)).toEqual({ first: 1, last: 4 });
    expect(await range(90, 95)).toBeNull();
  });
});
