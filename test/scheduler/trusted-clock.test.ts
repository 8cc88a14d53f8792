import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createLogger, silentLogger } from "../../src/core/logger.ts";
import { createMetrics } from "../../src/core/metrics.ts";
import type { Database } from "../../src/db/database.ts";
import { recordHeartbeat } from "../../src/db/heartbeat-store.ts";
import { confirmBelieved } from "../../src/scheduler/clock-store.ts";
import { createTrustedClock } from "../../src/scheduler/trusted-clock.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { openTempDatabase } from "../support/temp.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let db: Database;
let clock: ManualClock;
let logLines: string[];

beforeEach(async () => {
  ({ db } = await openTempDatabase());
  clock = createManualClock();
  logLines = [];
});
afterEach(() => db.close());

function start() {
  const metrics = createMetrics();
  const logger = createLogger(clock, "info", (line) => void logLines.push(line));
  const trusted = createTrustedClock({ db, clock, logger, metrics });
  return {
    trusted,
    metrics,
    /** As the scheduler does: a look every half minute. */
    async run(ms: number, lookEveryMs = 30_000) {
      await trusted.runDue();
      for (let left = ms; left > 0; left -= lookEveryMs) {
        await clock.advance(lookEveryMs);
        await trusted.runDue();
      }
    },
  };
}

const warnings = () => logLines.filter((line) => line.includes('"warn"'));

test("a machine whose uptime cannot be read for a while is not taken for one whose clock jumped", async () => {
  let uptimeMs: number | null = 50 * DAY;
  const machine = { ...clock, uptime: () => (uptimeMs === null ? null : { bootId: 1, ms: uptimeMs }) };
  // As the clock of a process has it.
  machine.elapsedMs = () => clock.elapsedMs() + 0.25;
  const trusted = createTrustedClock({ db, clock: machine, logger: silentLogger, metrics: createMetrics() });
  for (let minute = 0; minute < 60; minute++) {
    await trusted.runDue();
    await clock.advance(MINUTE);
    uptimeMs = minute < 30 ? 50 * DAY + (minute + 1) * MINUTE : null;
  }
  await trusted.runDue();
  expect(trusted.clock.doubtedMs?.()).toBeNull();
  clock.jump(2 * HOUR);
  await trusted.runDue();
  expect(trusted.clock.doubtedMs?.()).not.toBeNull();
  expect(Number.isInteger(trusted.clock.now())).toBe(true);
});

describe("across restarts", () => {
  test("nothing is believed before the database was asked", async () => {
    const { trusted } = start();
    await clock.advance(HOUR);
    expect(trusted.trustedNow()).toBeNull();
  });

  test("a clock 40 days ahead at the start is doubted, and a restart does not make it believed", async () => {
    await start().run(HOUR);
    clock.jump(40 * DAY);
    for (let restart = 0; restart < 3; restart++) {
      const again = start();
      await again.run(HOUR);
      expect(again.trusted.trustedNow()).toBeNull();
      expect(again.trusted.notes().clock).toContain("40 days more than expected");
    }
    clock.jump(-40 * DAY);
    const right = start();
    await right.run(10 * MINUTE);
    expect(right.trusted.trustedNow()).toBe(clock.now());
  });

  test("a clock that jumps while it runs stays doubted after a restart", async () => {
    const first = start();
    await first.run(HOUR);
    clock.jump(40 * DAY);
    await first.run(2 * MINUTE);
    const second = start();
    await second.run(11 * MINUTE);
    expect(second.trusted.trustedNow()).toBeNull();
  });

  test("a machine that runs ten hours a day after a long weekend is believed on its third day", async () => {
    await start().run(HOUR);
    clock.jump(3 * DAY);
    for (const expected of [null, null]) {
      const day = start();
      await day.run(10 * HOUR, 10 * MINUTE);
      expect(day.trusted.trustedNow()).toBe(expected);
      clock.jump(14 * HOUR);
    }
    const third = start();
    await third.run(5 * HOUR, 10 * MINUTE);
    expect(third.trusted.trustedNow()).toBe(clock.now());
  });

  test("a database of an older version counts from its last sign of life", async () => {
    await db.write((tx) => recordHeartbeat(tx, "readyz", clock.now() - 40 * DAY));
    // However often it is started again, and whatever else the doubted clock writes down meanwhile.
    for (let starts = 0; starts < 3; starts++) {
      const { trusted, run } = start();
      await run(HOUR);
      expect(trusted.trustedNow()).toBeNull();
      await db.write((tx) => recordHeartbeat(tx, "readyz", clock.now()));
    }
  });

  test("GET /readyz confirms no clock: neither a clock in its first minutes nor a doubted one", async () => {
    const first = start();
    await first.run(MINUTE);
    await db.write((tx) => recordHeartbeat(tx, "readyz", clock.now()));
    await first.run(30_000);
    expect(first.trusted.trustedNow()).toBeNull();
    clock.jump(40 * DAY);
    await db.write((tx) => recordHeartbeat(tx, "readyz", clock.now()));
    await first.run(MINUTE);
    const second = start();
    await second.run(11 * MINUTE);
    expect(second.trusted.trustedNow()).toBeNull();
  });

  test("a confirmation by a command is heard by the running server within half a minute", async () => {
    await start().run(HOUR);
    clock.jump(40 * DAY);
    const { trusted, run } = start();
    await run(MINUTE);
    expect(trusted.trustedNow()).toBeNull();
    await db.write((tx) => confirmBelieved(tx, clock.now(), null));
    await run(30_000);
    expect(trusted.trustedNow()).toBe(clock.now());
  });
});

describe("across restarts of the process alone", () => {
  /** The machine's uptime goes on while Ringward does not run. */
  const onMachine = (bootId: number) => ({ ...clock, uptime: () => ({ bootId, ms: clock.elapsedMs() }) });
  const startOn = async (machine: ReturnType<typeof onMachine>) => {
    const logger = createLogger(clock, "info", (line) => void logLines.push(line));
    const trusted = createTrustedClock({ db, clock: machine, logger, metrics: createMetrics() });
    await trusted.runDue();
    return trusted;
  };

  test("a jump of 65 minutes is doubted at once, and the right clock believed at once", async () => {
    await startOn(onMachine(1));
    clock.pass(3 * DAY);
    clock.jump(65 * MINUTE);
    const jumped = await startOn(onMachine(1));
    expect(jumped.notes().clock).toContain("65 min more than expected");
    expect(jumped.clock.now()).toBe(clock.now() - 65 * MINUTE);
    clock.jump(-65 * MINUTE);
    const right = await startOn(onMachine(1));
    expect([right.notes().clock, right.clock.doubtedMs?.()]).toEqual([null, null]);
  });

  test("after a restart of the machine a weekend later calls wait two minutes, and no longer", async () => {
    await startOn(onMachine(1));
    clock.jump(60 * HOUR);
    const monday = await startOn(onMachine(2));
    expect(monday.clock.doubtedMs?.()).toBe(clock.now());
    expect(monday.notes().clock).toContain("The machine was off. Calls wait until its clock has been steady");
    for (let i = 0; i < 4; i++) {
      await clock.advance(30_000);
      await monday.runDue();
    }
    expect([monday.clock.doubtedMs?.(), monday.trustedNow()]).toEqual([null, null]);
    expect(monday.notes()).toMatchObject({
      clock: null,
      retention: expect.stringContaining("off for more than a day"),
    });
  });

  test("a machine that slept for eight hours is not doubted", async () => {
    let sleptMs = 0;
    const laptop = { ...clock, uptime: () => ({ bootId: 1, ms: clock.elapsedMs() + sleptMs }) };
    const trusted = await startOn(laptop);
    sleptMs = 8 * HOUR;
    clock.jump(sleptMs);
    expect([trusted.clock.doubtedMs?.(), trusted.clock.now()]).toEqual([null, clock.now()]);
  });

  test("a clock that is confirmed while nothing runs, and shows less, has plans made anew by the next start", async () => {
    await startOn(onMachine(1));
    clock.jump(-7 * DAY);
    await db.write((tx) => confirmBelieved(tx, clock.now(), onMachine(1).uptime()));
    /** A command of the writer may be run again. */
    let replanned: number[] = [];
    const next = createTrustedClock({
      db,
      clock: onMachine(1),
      logger: createLogger(clock, "info", () => {}),
      metrics: createMetrics(),
      replan: async (_tx, now) => void replanned.push(now),
    });
    await next.runDue();
    expect(new Set(replanned)).toEqual(new Set([clock.now()]));
    replanned = [];
    await next.runDue();
    expect(replanned).toEqual([]);
  });
});

describe("a step forward that ends a doubt", () => {
  const onMachine = () => ({ ...clock, uptime: () => ({ bootId: 1, ms: clock.elapsedMs() }) });
  /** A command of the writer may be run again. */
  const steps = new Set<string>();
  const startOn = async () => {
    const logger = createLogger(clock, "info", () => {});
    const moveForward = async (_tx: unknown, step: object) => void steps.add(JSON.stringify(step));
    const trusted = createTrustedClock({ db, clock: onMachine(), logger, metrics: createMetrics(), moveForward });
    await trusted.runDue();
    return trusted;
  };
  const seen = () => [...steps].map((step) => JSON.parse(step) as object);
  const confirm = () => db.write((tx) => confirmBelieved(tx, clock.now(), onMachine().uptime()));

  /**
   * Doubts a clock that is 65 minutes ahead, ten minutes long. Answers when the doubt began by the time that had
   * passed.
   */
  async function doubt() {
    steps.clear();
    const trusted = await startOn();
    await clock.advance(HOUR);
    await trusted.runDue();
    const since = clock.now();
    clock.jump(65 * MINUTE);
    await trusted.runDue();
    await clock.advance(10 * MINUTE);
    return { trusted, since };
  }

  test("moves what was dated since the doubt began, once", async () => {
    const { trusted, since } = await doubt();
    await confirm();
    await clock.advance(20_000);
    await trusted.runDue();
    await trusted.runDue();
    expect(seen()).toEqual([{ since, to: clock.now(), byMs: 65 * MINUTE }]);
  });

  test("lets no call go out before that", async () => {
    const { trusted } = await doubt();
    // A clock that is steady for a day is trusted at the next look.
    await clock.advance(DAY);
    expect([trusted.notes().clock, trusted.clock.doubtedMs?.()]).toEqual([null, clock.now()]);
    await trusted.runDue();
    expect(trusted.clock.doubtedMs?.()).toBeNull();
    expect(seen()).toMatchObject([{ byMs: 65 * MINUTE }]);
  });

  test("is known to the next start, where the process ended during the doubt and the clock was confirmed meanwhile", async () => {
    const { since } = await doubt();
    await confirm();
    const to = clock.now();
    await clock.advance(MINUTE);
    await (await startOn()).runDue();
    await startOn();
    expect(seen()).toEqual([{ since, to, byMs: 65 * MINUTE }]);
  });

  test("is no step where the clock comes back, or a person confirms a clock that was right", async () => {
    const { trusted } = await doubt();
    clock.jump(-65 * MINUTE);
    await trusted.runDue();
    await confirm();
    await clock.advance(MINUTE);
    await trusted.runDue();
    await startOn();
    expect(seen()).toEqual([]);
  });
});

describe("a jump", () => {
  test("is seen by every caller, before the next look", async () => {
    const { trusted, run } = start();
    await run(HOUR);
    expect(trusted.trustedNow()).toBe(clock.now());
    clock.jump(40 * DAY);
    expect(trusted.trustedNow()).toBeNull();
    clock.jump(-40 * DAY);
    expect(trusted.trustedNow()).toBe(clock.now());
  });

  test("is said once in the log, and on the metrics, and its end too", async () => {
    const { metrics, run } = start();
    await run(HOUR);
    expect(metrics.render()).toContain("ringward_clock_trusted 1");
    clock.jump(40 * DAY);
    await run(10 * MINUTE);
    expect(metrics.render()).toContain("ringward_clock_trusted 0");
    expect(warnings()).toHaveLength(1);
    expect(JSON.parse(warnings()[0]!)).toMatchObject({ ahead_seconds: 40 * 86_400, wait_seconds: 86_400 });
    clock.jump(-40 * DAY);
    await run(MINUTE);
    expect(logLines.at(-1)).toContain("clock is trusted again");
  });

  test("costs a write a minute, not one a look", async () => {
    const { trusted, run } = start();
    await run(HOUR);
    const before = db.stats.commands;
    for (let i = 0; i < 50; i++) await trusted.runDue();
    await run(10 * MINUTE);
    expect(db.stats.commands - before).toBe(10);
  });
});
