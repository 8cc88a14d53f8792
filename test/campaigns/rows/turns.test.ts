// Lists are read one after the other, and few may wait.
import { expect, test } from "bun:test";
import { createTurns } from "../../../src/campaigns/rows/turns.ts";

test("one list is read at a time, in the order they came, whatever becomes of the one before", async () => {
  const inTurn = createTurns();
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const one = inTurn(async () => {
    seen.push("first begins");
    await first.promise;
    throw new Error("broken");
  });
  const two = inTurn(async () => seen.push("second"));
  await Promise.resolve();
  expect(seen).toEqual(["first begins"]);
  first.resolve();
  expect(await one.catch((error: unknown) => String(error))).toBe("Error: broken");
  await two;
  expect(seen).toEqual(["first begins", "second"]);
});

test("whoever comes when eight wait is told to come again, and is welcome once they are done", async () => {
  const inTurn = createTurns();
  const held = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 8 }, () => inTurn(() => held.promise));
  await expect(inTurn(async () => {})).rejects.toMatchObject({ code: "RATE_LIMITED" });
  held.resolve();
  await Promise.all(waiting);
  expect(await inTurn(async () => "read")).toBe("read");
});
