// What scripts/test tells at its end, in which order it runs what, and what is in which tier.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { failedTests, NOTHING, skippedTests } from "../scripts/bun-tests.ts";
import { closingLines } from "../scripts/test-closing.ts";
import { batchesOf, runInLanes, type Job } from "../scripts/test-queue.ts";
import { createDatabaseLook } from "../scripts/database-tests.ts";
import {
  globsWithoutFile,
  isBlackBox,
  isEveryday,
  isOnBoth,
  LEFT_OUT_FOR_TIME,
  SQLITE_ONLY,
} from "../scripts/test-plan.ts";
import { settle } from "./support/manual-clock.ts";

const FILES = [...new Bun.Glob("**/*.test.ts").scanSync(import.meta.dir)].map((file) => `test/${file}`);

test("what failed is named once, with the file that holds it and what it said", () => {
  const output = [
    "test/calls/create.test.ts:",
    "(pass) a call > is made [0.52ms]",
    "",
    "error: expected 1",
    "(fail) a call > is told of [1203.10ms]",
    "test/calls/cancel.test.ts:",
    "(fail) is never dialled",
    "",
    "2 tests failed:",
    "(fail) a call > is told of [1203.10ms]",
    "(fail) is never dialled",
    "",
    " 1 pass",
    " 2 fail",
  ].join("\n");
  expect(failedTests(output)).toEqual([
    "test/calls/create.test.ts: a call > is told of\n      error: expected 1",
    "test/calls/cancel.test.ts: is never dialled",
  ]);
});

test("skipped tests are counted by file, with the reason that the file gave", () => {
  const output = [
    "test/db/full-disk.test.ts:",
    "SKIPS: needs root",
    "(skip) a full disk > is told of",
    "(skip) a full disk > costs no row",
    "(pass) an empty one [3.00ms]",
    "test/calls/later.test.ts:",
    "(todo) is called back",
    "",
    "3 tests skipped:",
    "(skip) a full disk > is told of",
  ].join("\n");
  expect(skippedTests(output)).toEqual([
    { file: "test/db/full-disk.test.ts", tests: 2, reason: "needs root" },
    { file: "test/calls/later.test.ts", tests: 1, reason: "the test gives no reason" },
  ]);
});

describe("the closing line", () => {
  const skips = [
    { file: "test/b.test.ts", tests: 2, reason: "needs root" },
    { file: "test/a.test.ts", tests: 1, reason: "needs root" },
    { file: "test/c.test.ts", tests: 4, reason: "needs baresip-core (--no-install was given)" },
  ];
  const tally = { ...NOTHING, passed: 12, skipped: 7, skips };

  test("counts what was skipped, and tells every reason once", () => {
    const { lines, isGood } = closingLines(tally, { seconds: 3, isCi: false });
    expect(isGood).toBeTrue();
    expect(lines.at(-1)).toBe("12 passed, 0 failed, 7 skipped");
    expect(lines).toContain("  3 tests: needs root: test/a.test.ts, test/b.test.ts");
    expect(lines).toContain("  4 tests: needs baresip-core (--no-install was given): test/c.test.ts");
  });

  test("counts skipped tests as failed with CI=true", () => {
    const { lines, isGood } = closingLines({ ...tally, failed: 1 }, { seconds: 3, isCi: true });
    expect(isGood).toBeFalse();
    expect(lines.at(-1)).toBe("12 passed, 8 failed, 0 skipped");
  });

  test("stands after the name of each failure", () => {
    const { lines, isGood } = closingLines({ ...NOTHING, failed: 1, failures: ["lint"] }, { seconds: 3, isCi: false });
    expect(isGood).toBeFalse();
    expect(lines.slice(-4)).toEqual(["  lint", "", "After 3 s:", "0 passed, 1 failed, 0 skipped"]);
  });
});

describe("the queue", () => {
  /** Runs until told to end, and keeps the order of starts. */
  function jobsOf(...told: [name: string, seconds: number, isTalk?: boolean][]) {
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const jobs = told.map(([name, seconds, isTalk = false]): Job => {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      return { name, seconds, isTalk, run: () => (started.push(name), promise) };
    });
    const end = async (name: string) => (ends.get(name)!(), await settle());
    return { jobs, started, end };
  }

  test("starts the longest first, and what was never measured before it", async () => {
    const { jobs, started, end } = jobsOf(["short", 1], ["long", 60], ["new", Infinity], ["middle", 9]);
    const done = runInLanes([jobs], 2);
    await settle();
    expect(started).toEqual(["new", "long"]);
    await end("long");
    expect(started).toEqual(["new", "long", "middle"]);
    for (const name of ["new", "middle", "short"]) await end(name);
    await done;
    expect(started).toEqual(["new", "long", "middle", "short"]);
  });

  test("has one spoken call at once, and goes on with the next job meanwhile", async () => {
    const { jobs, started, end } = jobsOf(["call", 50, true], ["second call", 40, true], ["plain", 1]);
    const done = runInLanes([jobs], 3);
    await settle();
    expect(started).toEqual(["call", "plain"]);
    await end("call");
    expect(started).toEqual(["call", "plain", "second call"]);
    for (const name of ["plain", "second call"]) await end(name);
    await done;
  });

  test("takes jobs that come later, such as those that need the executable, and ends with the last of them", async () => {
    const { jobs, started, end } = jobsOf(["build", 20], ["scenario", 30]);
    const [build, scenario] = jobs as [Job, Job];
    const built = Promise.withResolvers<Job[]>();
    const run = async () => (await build.run(), built.resolve([scenario]));
    const done = runInLanes([[{ ...build, run }], built.promise], 4);
    await settle();
    expect(started).toEqual(["build"]);
    await end("build");
    expect(started).toEqual(["build", "scenario"]);
    await end("scenario");
    await done;
  });

  test("runs short files of one folder in one process, long ones alone", () => {
    const seconds: Record<string, number> = { "a/1": 2, "a/2": 4, "a/3": 60, "b/1": 4, "b/2": 9, "c/1": 4 };
    const batches = batchesOf([...Object.keys(seconds), "d/new"], (file) => seconds[file]);
    expect(batches.map(({ files }) => files.join(" "))).toEqual(["d/new", "a/3", "a/1 a/2 b/1", "b/2", "c/1"]);
  });
});

describe("the everyday tier", () => {
  test("names no file that is not there", () => {
    expect(globsWithoutFile(FILES)).toEqual([]);
  });

  test("has nearly every unit test", () => {
    const unit = FILES.filter((file) => !isBlackBox(file));
    expect(unit.filter((file) => isEveryday(file)).length / unit.length).toBeGreaterThan(0.8);
  });

  test.each([
    ["the executable", "test/scenarios/calls.test.ts", "sqlite"],
    ["both engines", "test/scenarios/calls-idempotency.test.ts", "postgres"],
    ["both engines, without the executable", "test/calls/create.test.ts", "postgres"],
    ["a browser", "test/browser/journey.test.ts", "sqlite"],
    ["SIP", "test/scenarios/sip-outcomes.test.ts", "sqlite"],
    ["a spoken call", "test/scenarios/sip-talk.test.ts", "sqlite"],
  ] as const)("has a test of %s", (_, file, engine) => {
    expect(FILES).toContain(file);
    expect(isEveryday(file, engine)).toBeTrue();
  });

  test("leaves the long ones to --all", () => {
    expect(isEveryday("test/scenarios/durability.test.ts")).toBeFalse();
    expect(isEveryday("test/telephony/sip/matrix.test.ts")).toBeFalse();
  });
});

describe("both engines", () => {
  const asksDatabase = createDatabaseLook(join(import.meta.dir, ".."));
  const asking = FILES.filter((file) => isBlackBox(file) || asksDatabase(file));

  test("have every test that asks a database, but for those that say why not", () => {
    const left = asking.filter((file) => isOnBoth(file));
    for (const name of [
      "accounts/key-service",
      "calls/create",
      "events/delivery",
      "http/idempotency",
      "scenarios/calls",
    ])
      expect(left).toContain(`test/${name}.test.ts`);
    expect(asking).not.toContain("test/core/ids.test.ts");
    expect(asking).not.toContain("test/telephony/sip/matrix.test.ts");
  });

  test("have nearly all of them in a night", () => {
    const left = (all: boolean) => asking.filter((file) => isOnBoth(file, all));
    expect(left(true)).toContain("test/scenarios/campaigns.test.ts");
    expect(left(false)).not.toContain("test/scenarios/campaigns.test.ts");
    expect(left(true).length / asking.length).toBeGreaterThan(0.8);
  });

  const leftOut = Object.entries({ ...SQLITE_ONLY, ...LEFT_OUT_FOR_TIME });
  test.each(leftOut)("%s is left out for a reason, and would run otherwise", (glob, reason) => {
    const found = FILES.filter((file) => new Bun.Glob(glob).match(file));
    expect(found.some((file) => asking.includes(file))).toBeTrue();
    expect(reason.split(" ").length).toBeGreaterThanOrEqual(3);
  });
});
