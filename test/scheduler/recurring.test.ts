import { beforeEach, describe, expect, test } from "bun:test";
import { createLogger } from "../../src/core/logger.ts";
import { createRecurring } from "../../src/scheduler/recurring.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";

let clock: ManualClock;
let logLines: string[];
beforeEach(() => {
  clock = createManualClock(Date.parse("2026-11-15T06:00:30Z"));
  logLines = [];
});

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function recurring(...jobs: { name?: string; pattern: string; run?: () => Promise<void> }[]) {
  const ran: string[] = [];
  const source = createRecurring(
    clock,
    createLogger(clock, "debug", (line) => void logLines.push(line)),
    jobs.map(({ name = "job", pattern, run }) => ({
      name,
      pattern,
      run: async () => {
        ran.push(`${name} at ${iso(clock.now())}`);
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

test("without any job there is nothing to wait for", async () => {
  const { source } = recurring();
  expect(await source.runDue()).toBe(Infinity);
});
