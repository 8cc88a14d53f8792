// Jobs run one after the other, and few may wait.
import { expect, test } from "bun:test";
import { createOneAtATime } from "../../src/core/one-at-a-time.ts";

test("one job runs at a time, in the order they came, whatever becomes of the one before", async () => {
  const inTurn = createOneAtATime();
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const one = inTurn("org_1", async () => {
    seen.push("first begins");
    await first.promise;
    throw new Error("broken");
  });
  const two = inTurn("org_2", async () => seen.push("second"));
  await Promise.resolve();
  expect(seen).toEqual(["first begins"]);
  first.resolve();
  expect(await one.catch((error: unknown) => String(error))).toBe("Error: broken");
  await two;
  expect(seen).toEqual(["first begins", "second"]);
});

test("a job is refused while eight wait, and taken once they are done", async () => {
  const inTurn = createOneAtATime();
  const held = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 8 }, (_, i) => inTurn(`org_${i}`, () => held.promise));
  await expect(inTurn("org_9", async () => {})).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 5 });
  held.resolve();
  await Promise.all(waiting);
  expect(await inTurn("org_9", async () => "read")).toBe("read");
});

test("one organisation may have three, and leaves room for the others", async () => {
  const inTurn = createOneAtATime();
  const held = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 3 }, () => inTurn("org_1", () => held.promise));
  await expect(inTurn("org_1", async () => {})).rejects.toMatchObject({ code: "RATE_LIMITED" });
  const other = inTurn("org_2", async () => "read");
  held.resolve();
  await Promise.all(waiting);
  expect(await other).toBe("read");
});
