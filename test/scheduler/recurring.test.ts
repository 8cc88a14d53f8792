import { beforeEach, describe, expect, test } from "bun:test";
import { createLogger } from "../../src/core/logger.ts";
import { createRecurring } from "../../src/scheduler/recurring.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";

let clock: ManualClock;
let logLines: string[];
beforeEach(() => {
  clock = createManualClock(Date.parse("2026-11-15T06:00:30Z"));
  logLines = [];
  isClockTrusted = true;
});

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

let isClockTrusted = true;

interface Job {
  name?: string;
  pattern: string;
  isDestructive?: boolean;
  run?: () => Promise<void>;
}

function recurring(...jobs: Job[]) {
  const ran: string[] = [];
  const logger = createLogger(clock, "debug", (line) => void logLines.push(line));
  const source = createRecurring(
    { clock, logger, trustedNow: () => (isClockTrusted ? clock.now() : null) },
    jobs.map(({ name = "job", pattern, isDestructive = false, run }) => ({
      name,
      pattern,
      isDestructive,
      run: async (now) => {
        ran.push(`${name} at ${iso(now)}`);
        await run?.();
      },
    })),
  );
  return { source, ran };
}

describe("a recurring job", () => {
  test("does not run at the start, but at its next time, in UTC", async () => {
    const { source, ran } = recurring({ pattern: "30 7 * * *" });
    expect(iso(await source.runDue())).toBe("2026-11-15T07:30:00.000Z");
    expect(ran).toEqual([]);
    await clock.advance(90 * 60_000);
    expect(iso(await source.runDue())).toBe("2026-11-16T07:30:00.000Z");
    expect(ran).toEqual(["job at 2026-11-15T07:30:30.000Z"]);
  });

  test("is asked for again at the earliest of all", async () => {
    const { source } = recurring({ pattern: "0 * * * *" }, { pattern: "*/15 * * * *" }, { pattern: "* * * * *" });
    expect(iso(await source.runDue())).toBe("2026-11-15T06:01:00.000Z");
  });

  test("that was missed many times runs once", async () => {
    const { source, ran } = recurring({ pattern: "* * * * *" });
    await clock.advance(3_600_000);
    await source.runDue();
    await source.runDue();
    expect(ran).toHaveLength(1);
  });

  test("that fails is logged, runs again at its next time, and stops no other", async () => {
    const { source, ran } = recurring(
      { name: "failing", pattern: "* * * * *", run: () => Promise.reject(new Error("no")) },
      { name: "good", pattern: "* * * * *" },
    );
    for (let i = 0; i < 2; i++) {
      await clock.advance(60_000);
      await source.runDue();
    }
    expect(ran.map((text) => text.split(" ")[0])).toEqual(["failing", "good", "failing", "good"]);
    expect(logLines).toHaveLength(2);
    expect(JSON.parse(logLines[0]!)).toMatchObject({ level: "error", job: "failing", error: "no" });
  });

  test("does not wait for days after the clock was set back", async () => {
    const { source, ran } = recurring({ pattern: "0 * * * *" });
    await source.runDue();
    clock.jump(-3 * 86_400_000);
    expect(iso(await source.runDue())).toBe("2026-11-12T07:00:00.000Z");
    await clock.advance(3_600_000);
    await source.runDue();
    expect(ran).toHaveLength(1);
  });

  test("runs soon after the clock was set forward", async () => {
    const { source, ran } = recurring({ pattern: "0 * * * *" });
    await source.runDue();
    clock.jump(86_400_000);
    expect(iso(await source.runDue())).toBe("2026-11-16T07:00:00.000Z");
    expect(ran).toHaveLength(1);
  });

  test("with a pattern that is none is refused at the start", () => {
    expect(() => recurring({ pattern: "every minute" })).toThrow();
  });
});

describe("a destructive job", () => {
  test("waits while the clock is not to be believed, holds no other job up, and runs soon after", async () => {
    const { source, ran } = recurring(
      { name: "erase", pattern: "23 * * * *", isDestructive: true },
      { name: "count", pattern: "23 * * * *" },
    );
    isClockTrusted = false;
    await clock.advance(25 * 60_000);
    expect(iso(await source.runDue())).toBe("2026-11-15T06:26:30.000Z");
    expect(ran).toEqual(["count at 2026-11-15T06:25:30.000Z"]);
    isClockTrusted = true;
    await clock.advance(60_000);
    expect(iso(await source.runDue())).toBe("2026-11-15T07:23:00.000Z");
    expect(ran.at(-1)).toBe("erase at 2026-11-15T06:26:30.000Z");
  });

  test("is not kept waiting for weeks by a clock that was ahead", async () => {
    const { source, ran } = recurring({ pattern: "23 * * * *", isDestructive: true });
    isClockTrusted = false;
    clock.jump(40 * 86_400_000);
    await source.runDue();
    clock.jump(-40 * 86_400_000);
    isClockTrusted = true;
    expect(iso(await source.runDue())).toBe("2026-11-15T06:23:00.000Z");
    expect(ran).toEqual([]);
  });
});

test("without any job there is nothing to wait for", async () => {
  const { source } = recurring();
  expect(await source.runDue()).toBe(Infinity);
});
