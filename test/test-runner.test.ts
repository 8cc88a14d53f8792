// What scripts/test tells at its end, and what it leaves out of the daily round.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { failedTests } from "../scripts/bun-tests.ts";
import { createDatabaseLook } from "../scripts/database-tests.ts";
import {
  globsWithoutFile,
  isBlackBox,
  isDaily,
  isOnBoth,
  LEFT_OUT_FOR_TIME,
  SQLITE_ONLY,
} from "../scripts/test-plan.ts";

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

describe("the daily round", () => {
  test("names no file that is not there", () => {
    expect(globsWithoutFile(FILES)).toEqual([]);
  });

  test("has nearly every unit test, and one scenario of each kind", () => {
    const unit = FILES.filter((file) => !isBlackBox(file));
    expect(unit.filter(isDaily).length / unit.length).toBeGreaterThan(0.85);
    for (const name of ["first-start", "calls", "webhooks", "dashboard", "sip-outcomes"]) {
      expect(isDaily(`test/scenarios/${name}.test.ts`)).toBeTrue();
    }
    expect(isDaily("test/scenarios/durability.test.ts")).toBeFalse();
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
