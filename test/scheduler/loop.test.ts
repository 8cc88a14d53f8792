import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createLogger } from "../../src/core/logger.ts";
import { createSchedulerLoop, LONGEST_SLEEP_MS, type SchedulerLoop } from "../../src/scheduler/loop.ts";
import { createManualClock, settle, type ManualClock } from "../support/manual-clock.ts";

let clock: ManualClock;
let loop: SchedulerLoop;
let logLines: string[];

beforeEach(() => {
  clock = createManualClock(0);
  logLines = [];
});
afterEach(() => loop.stop());

/** A source that notes when it was asked, and then answers (or does) what the test says. */
function source(name: string, answer: () => number | null | Promise<number | null> = () => null) {
  const askedAt: number[] = [];
  return {
    name,
    askedAt,
    async runDue() {
      askedAt.push(clock.now());
      return answer();
    },
  };
}

function start(...sources: ReturnType<typeof source>[]): void {
  loop = createSchedulerLoop({
    clock,
    sources,
    logger: createLogger(clock, "debug", (line) => void logLines.push(line)),
  });
  loop.start();
}

describe("the loop", () => {
  test("asks at once, and then when its source said", async () => {
    const calls = source("calls", () => clock.now() + 5_000);
    start(calls);
    await clock.advance(10_000);
    expect(calls.askedAt).toEqual([0, 5_000, 10_000]);
  });

  test("sleeps until the earliest of its sources, and asks it and those behind it", async () => {
    const before = source("before", () => clock.now() + 20_000);
    const often = source("often", () => clock.now() + 2_000);
    const behind = source("behind", () => clock.now() + 20_000);
    start(before, often, behind);
    await clock.advance(4_000);
    expect(often.askedAt).toEqual([0, 2_000, 4_000]);
    expect(behind.askedAt).toEqual(often.askedAt);
    expect(before.askedAt).toEqual([0]);
  });

  test("asks every source each 30 s, whatever another one does meanwhile", async () => {
    const never = source("never");
    const often = source("often", () => clock.now() + 7_000);
    start(never, often);
    await clock.advance(90_000);
    expect(never.askedAt).toEqual([0, 30_000, 60_000, 90_000]);
  });

  test("that a timer wakes too early runs nothing, and sleeps on", async () => {
    const calls = source("calls", () => clock.now() + 5_000);
    start(calls);
    await clock.advance(4_000);
    clock.jump(-2_000);
    await clock.advance(1_000);
    expect(calls.askedAt).toEqual([0]);
    await clock.advance(2_000);
    expect(calls.askedAt).toEqual([0, 5_000]);
  });

  test("never sleeps more than 30 s, whatever its sources say", async () => {
    const days = source("days", () => clock.now() + 86_400_000);
    const never = source("never");
    start(days, never);
    await clock.advance(90_000);
    expect(LONGEST_SLEEP_MS).toBe(30_000);
    expect(days.askedAt).toEqual([0, 30_000, 60_000, 90_000]);
    expect(never.askedAt).toEqual(days.askedAt);
  });

  test("goes round again at once for what is overdue, without spinning in place", async () => {
    let left = 3;
    const backlog = source("backlog", () => (left-- > 0 ? clock.now() - 1_000 : null));
    start(backlog);
    await clock.advance(0);
    expect(backlog.askedAt).toEqual([0, 0, 0, 0]);
  });

  test("started twice runs once", async () => {
    const calls = source("calls");
    start(calls);
    loop.start();
    await clock.advance(0);
    expect(calls.askedAt).toEqual([0]);
  });
});

describe("a wake", () => {
  test("asks everybody: it does not say for whom", async () => {
    const first = source("first");
    const second = source("second");
    start(first, second);
    await clock.advance(10_000);
    loop.wake();
    await clock.advance(0);
    expect(first.askedAt).toEqual([0, 10_000]);
    expect(second.askedAt).toEqual([0, 10_000]);
  });

  test("brings the next round at once, and the sleep begins anew", async () => {
    const calls = source("calls");
    start(calls);
    await clock.advance(10_000);
    loop.wake();
    await clock.advance(30_000);
    expect(calls.askedAt).toEqual([0, 10_000, 40_000]);
  });

  test("for what is due in more than 30 s brings none: every source is asked before then", async () => {
    let dueAt = Infinity;
    const calls = source("calls", () => (dueAt > clock.now() ? dueAt : null));
    start(calls);
    await clock.advance(1_000);
    dueAt = clock.now() + LONGEST_SLEEP_MS + 1;
    loop.wake(dueAt);
    await clock.advance(0);
    expect(calls.askedAt).toEqual([0]);
    await clock.advance(LONGEST_SLEEP_MS + 1);
    expect(calls.askedAt).toEqual([0, LONGEST_SLEEP_MS, dueAt]);
    loop.wake(clock.now() + LONGEST_SLEEP_MS);
    await clock.advance(0);
    expect(calls.askedAt).toHaveLength(4);
  });

  test("many times over is one round", async () => {
    const calls = source("calls");
    start(calls);
    await clock.advance(1_000);
    for (let i = 0; i < 100; i++) loop.wake();
    await clock.advance(0);
    expect(calls.askedAt).toEqual([0, 1_000]);
  });

  test("during a round brings another right after it", async () => {
    const gate = Promise.withResolvers<null>();
    const calls = source("calls", () => gate.promise);
    start(calls);
    await clock.advance(1_000);
    loop.wake();
    await clock.advance(1_000);
    expect(calls.askedAt).toEqual([0]);
    gate.resolve(null);
    await clock.advance(0);
    expect(calls.askedAt).toEqual([0, 2_000]);
  });

  test("before the start does nothing", async () => {
    const calls = source("calls");
    loop = createSchedulerLoop({ clock, sources: [calls], logger: createLogger(clock, "debug", () => {}) });
    loop.wake();
    await clock.advance(60_000);
    expect(calls.askedAt).toEqual([]);
  });
});

describe("a source that fails", () => {
  test("does not stop the others, is logged, and is asked again after a second", async () => {
    let failures = 2;
    const failing = source("failing", () => {
      if (failures-- > 0) throw new Error("database is locked");
      return null;
    });
    const good = source("good");
    start(failing, good);
    await clock.advance(3_000);
    expect(failing.askedAt).toEqual([0, 1_000, 2_000]);
    expect(good.askedAt).toEqual([0, 1_000, 2_000]);
    expect(logLines).toHaveLength(2);
    expect(JSON.parse(logLines[0]!)).toMatchObject({ level: "error", source: "failing", error: "database is locked" });
  });
});

describe("a machine whose clock is set", () => {
  test("forward: what became due is noticed within 30 s", async () => {
    const dueAt = 3_600_000;
    const done: number[] = [];
    const calls = source("calls", () => {
      if (clock.now() >= dueAt && done.length === 0) done.push(clock.now());
      return done.length > 0 ? null : dueAt;
    });
    start(calls);
    await clock.advance(10_000);
    clock.jump(7_200_000);
    await clock.advance(20_000);
    expect(done).toHaveLength(1);
  });

  test("back: the loop still wakes within 30 s", async () => {
    const calls = source("calls");
    start(calls);
    await clock.advance(10_000);
    clock.jump(-3_600_000);
    await clock.advance(20_000);
    expect(calls.askedAt).toHaveLength(2);
  });

  test("back in the middle of a round: the loop still wakes within 30 s", async () => {
    let setBack = true;
    const calls = source("calls", () => {
      if (setBack) clock.jump(-3_600_000);
      setBack = false;
      return null;
    });
    start(calls);
    await clock.advance(30_000);
    expect(calls.askedAt).toHaveLength(2);
  });
});

describe("stopping", () => {
  test("waits for the round under way, and no other begins", async () => {
    const gate = Promise.withResolvers<null>();
    const calls = source("calls", () => gate.promise);
    start(calls);
    await clock.advance(0);
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    loop.wake();
    await settle();
    expect(stopped).toBeFalse();
    gate.resolve(null);
    await stopping;
    await clock.advance(120_000);
    expect(calls.askedAt).toEqual([0]);
  });

  test("while asleep ends at once", async () => {
    const calls = source("calls");
    start(calls);
    await clock.advance(1_000);
    await loop.stop();
    loop.wake();
    loop.start();
    await clock.advance(120_000);
    expect(calls.askedAt).toEqual([0]);
  });
});

test("the beat tells when the last round ended, and stays behind when a source hangs", async () => {
  let hang = false;
  const calls = source("calls", () => (hang ? new Promise<null>(() => {}) : null));
  start(calls);
  await clock.advance(60_000);
  expect(loop.beatAtElapsedMs()).toBe(60_000);
  hang = true;
  await clock.advance(120_000);
  expect(loop.beatAtElapsedMs()).toBe(60_000);
  // This round never ends, so neither would a stop: the next test gets a loop of its own.
  loop = createSchedulerLoop({ clock, sources: [], logger: createLogger(clock, "error", () => {}) });
});
