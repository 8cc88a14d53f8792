import { expect, test } from "bun:test";
import { sharedRun } from "../../src/core/shared-run.ts";
import { settle } from "../support/manual-clock.ts";

/** Runs that end when they are told to. */
function stage() {
  const runs: PromiseWithResolvers<number>[] = [];
  const ask = sharedRun(() => {
    const run = Promise.withResolvers<number>();
    runs.push(run);
    return run.promise;
  });
  return { runs, ask };
}

test("callers that ask before a run begins share it", async () => {
  const { runs, ask } = stage();
  const asked = Promise.all(Array.from({ length: 50 }, ask));
  await settle();
  runs[0]!.resolve(7);
  expect(await asked).toEqual(Array.from({ length: 50 }, () => 7));
  expect(runs).toHaveLength(1);
});

test("callers that ask during a run share the next one", async () => {
  const { runs, ask } = stage();
  const first = ask();
  await settle();
  const late = Promise.all([ask(), ask(), ask()]);
  await settle();
  expect(runs).toHaveLength(1);
  runs[0]!.resolve(1);
  expect(await first).toBe(1);
  await settle();
  expect(runs).toHaveLength(2);
  runs[1]!.resolve(2);
  expect(await late).toEqual([2, 2, 2]);
});

test("a failed run rejects its own callers only", async () => {
  const { runs, ask } = stage();
  const first = ask();
  await settle();
  const second = ask();
  runs[0]!.reject(new Error("The disk is full."));
  await expect(first).rejects.toThrow("The disk is full.");
  await settle();
  runs[1]!.resolve(2);
  expect(await second).toBe(2);
});
