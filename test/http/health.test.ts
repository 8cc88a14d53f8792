import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { AppError } from "../../src/core/errors.ts";
import { createIds } from "../../src/core/ids.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createMetrics } from "../../src/core/metrics.ts";
import type { Database } from "../../src/db/database.ts";
import { createReadiness, healthRoutes, type HealthDeps } from "../../src/http/health.ts";
import { VERSION } from "../../src/core/version.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { openTempDatabase } from "../support/temp.ts";

let clock: ManualClock;
let deps: HealthDeps;
let beatAt: number;
let lines: Record<string, unknown>[];

beforeEach(async () => {
  lines = [];
  const { db, dataDir } = await openTempDatabase();
  clock = createManualClock();
  beatAt = clock.elapsedMs();
  deps = {
    db,
    clock,
    ids: createIds(clock),
    logger: createLogger(clock, "debug", (line) => void lines.push(JSON.parse(line) as Record<string, unknown>)),
    metrics: createMetrics(),
    dataDir,
    minFreeMb: 0,
    schedulerBeatAtElapsedMs: () => beatAt,
    notes: () => ({ clock: null }),
    metricsToken: "",
  };
});
afterEach(() => deps.db.close());

/** The same database, with these overrides. */
const dbWith = (changes: Partial<Database>): Database => Object.assign(Object.create(deps.db), changes) as Database;

const OK = { write: "ok", database: "ok", disk: "ok", scheduler: "ok" };

describe("readiness", () => {
  test("is reported when a write reaches the disk, there is free space, and the scheduler runs", async () => {
    expect(await createReadiness(deps)()).toEqual({ ready: true, checks: OK, notes: {} });
    expect(lines).toEqual([]);
  });

  test("inserts a new row, and leaves one", async () => {
    const ask = createReadiness(deps);
    const probes = () => deps.db.reader.selectFrom("write_probes").selectAll().execute();
    await ask();
    const [first, ...others] = await probes();
    expect(others).toEqual([]);
    expect(first?.at).toBe(clock.now());
    await clock.advance(1_000);
    await ask();
    const [second, ...more] = await probes();
    expect(more).toEqual([]);
    expect(second?.id).not.toBe(first?.id);
  });

  test("that is lost or regained is logged once each, with the cause", async () => {
    const cause = Object.assign(new Error("could not extend file: No space left on device"), { code: "53100" });
    let isFull = true;
    const write: typeof deps.db.write = (command) =>
      isFull
        ? Promise.reject(new AppError("UNAVAILABLE", "The database cannot do this now.", { cause }))
        : deps.db.write(command);
    const ask = createReadiness({ ...deps, db: dbWith({ write }) });
    for (let i = 0; i < 5; i++) {
      expect((await ask()).ready).toBeFalse();
      await clock.advance(1_000);
    }
    expect(deps.metrics.render()).toContain("ringward_ready 0\n");
    isFull = false;
    expect((await ask()).ready).toBeTrue();
    await clock.advance(1_000);
    await ask();
    expect(lines).toMatchObject([
      {
        level: "error",
        message: "Not ready.",
        write: "The database cannot be written.",
        error: "could not extend file: No space left on device",
      },
      { level: "info", message: "Ready again." },
    ]);
    expect(deps.metrics.render()).toContain("ringward_ready 1\n");
  });

  test("is reported within seconds if the database hangs, without a second query", async () => {
    let asked = 0;
    const write = () => {
      asked += 1;
      return new Promise<never>(() => {});
    };
    const ask = createReadiness({ ...deps, db: dbWith({ write }) });
    const answers = [ask()];
    for (let i = 0; i < 4; i++) {
      await clock.advance(1_000);
      answers.push(ask());
    }
    expect(asked).toBe(1);
    await clock.advance(1_000);
    for (const answer of await Promise.all(answers)) expect(answer.ready).toBeFalse();
  });

  test("is not reported if a fault exists that no write notices", async () => {
    const fault = async () => "ringward.db was removed while it is in use.";
    const maintenance = Object.assign(Object.create(deps.db.maintenance), { fault }) as Database["maintenance"];
    const { ready, checks } = await createReadiness({ ...deps, db: dbWith({ maintenance }) })();
    expect(ready).toBeFalse();
    expect(checks).toEqual({ ...OK, database: "ringward.db was removed while it is in use." });
  });

  test("is not reported if the database cannot be written", async () => {
    const write = () => Promise.reject(new Error("disk I/O error"));
    const { ready, checks } = await createReadiness({ ...deps, db: dbWith({ write }) })();
    expect(ready).toBeFalse();
    expect(checks).toEqual({ ...OK, write: "The database cannot be written." });
  });

  test("is not reported if the disk is nearly full", async () => {
    const { ready, checks } = await createReadiness({ ...deps, minFreeMb: 1e12 })();
    expect(ready).toBeFalse();
    expect(checks.disk).toContain("are free in the data folder");
  });

  test("is not reported if the data folder is gone", async () => {
    const { ready, checks } = await createReadiness({ ...deps, dataDir: "/nowhere/at/all" })();
    expect(ready).toBeFalse();
    expect(checks).toEqual({ ...OK, disk: "The data folder cannot be read." });
  });

  test("is not reported if the scheduler has been silent for more than a minute", async () => {
    const ask = createReadiness(deps);
    await clock.advance(60_000);
    expect((await ask()).ready).toBeTrue();
    await clock.advance(1_000);
    expect((await ask()).checks).toEqual({ ...OK, scheduler: "The scheduler does not respond." });
    beatAt = clock.elapsedMs();
    await clock.advance(1_000);
    expect((await ask()).ready).toBeTrue();
  });

  test("is reported although the clock was just set, in either direction", async () => {
    const ask = createReadiness(deps);
    for (const days of [40, -40]) {
      clock.jump(days * 86_400_000);
      expect((await ask()).ready).toBeTrue();
    }
  });

  test("is reported with a note for the operator", async () => {
    const notes = () => ({ clock: "It jumped.", log: null });
    expect(await createReadiness({ ...deps, notes })()).toMatchObject({ ready: true, notes: { clock: "It jumped." } });
  });

  test("writes at most once a second, however often it is requested", async () => {
    const ask = createReadiness(deps);
    await Promise.all(Array.from({ length: 50 }, ask));
    await clock.advance(999);
    await ask();
    expect(deps.db.stats.commands).toBe(1);
    await clock.advance(1);
    await ask();
    expect(deps.db.stats.commands).toBe(2);
  });

  test("is checked again after the clock was set back", async () => {
    const ask = createReadiness(deps);
    await ask();
    clock.jump(-3_600_000);
    await ask();
    expect(deps.db.stats.commands).toBe(2);
  });
});

describe("the routes", () => {
  const get = async (path: string, given = deps) => healthRoutes(given).handle(new Request(`http://localhost${path}`));

  test("/healthz says that the process runs, even if nothing else does", async () => {
    const db = dbWith({ write: () => Promise.reject(new Error("no")) });
    const response = await get("/healthz", { ...deps, db });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: "ok", version: VERSION });
  });

  test("/readyz is 200 or 503, with the checks", async () => {
    const ready = await get("/readyz");
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({ status: "ready", checks: OK, notes: {} });
    const full = await get("/readyz", { ...deps, metrics: createMetrics(), minFreeMb: 1e12 });
    expect(full.status).toBe(503);
    expect(await full.json()).toMatchObject({ status: "not ready", checks: { write: "ok" } });
  });

  test("/metrics uses the Prometheus text format", async () => {
    await deps.db.write(async () => {});
    const response = await get("/metrics");
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await response.text();
    expect(text).toContain("ringward_db_commits_total 1\n");
    expect(text).toMatch(/process_resident_memory_bytes \d+\n/);
  });
});
