import { expect, test } from "bun:test";
import { inOrder } from "../../src/core/in-order.ts";
import { rejectionOf } from "../support/temp.ts";

test("the second begins when the first has ended", async () => {
  const told: string[] = [];
  const first = Promise.withResolvers<void>();
  const run = inOrder(async (name: string) => {
    told.push(`${name} begins`);
    if (name === "first") await first.promise;
    told.push(`${name} ends`);
  });
  const both = [run("first"), run("second")];
  first.resolve();
  await Promise.all(both);
  expect(told).toEqual(["first begins", "first ends", "second begins", "second ends"]);
});

test("one that fails does not keep the next from beginning", async () => {
  const done: string[] = [];
  const run = inOrder(async (name: string) => {
    if (name === "bad") throw new Error("not now");
    done.push(name);
  });
  const [bad, good] = [run("bad"), run("good")];
  expect((await rejectionOf(bad)).message).toBe("not now");
  await good;
  expect(done).toEqual(["good"]);
});
