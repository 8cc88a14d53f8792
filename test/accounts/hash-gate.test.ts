// Queue for password hashing: one at a time, in a fair order.
import { describe, expect, test } from "bun:test";
import { createHashGate } from "../../src/accounts/hash-gate.ts";
import { messageOf } from "../../src/core/errors.ts";
import { settle } from "../support/manual-clock.ts";

describe("hashing", () => {
  function createQueue() {
    const gate = createHashGate();
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const enter = (name: string, source: string | null) =>
      gate
        .run(source, async () => {
          order.push(name);
          await new Promise<void>((resolve) => void ends.push(resolve));
        })
        .catch(messageOf);
    const drain = async () => {
      for (await settle(2); ends.length > 0; await settle(2)) ends.shift()!();
    };
    return { order, enter, drain, running: () => ends.length };
  }

  test("runs one at a time: known devices first, then each source in turn", async () => {
    const { order, enter, drain, running } = createQueue();
    void enter("a1", "a");
    void enter("a2", "a");
    void enter("a3", "a");
    void enter("b1", "b");
    void enter("known", null);
    await settle(2);
    expect(running()).toBe(1);
    await drain();
    expect(order).toEqual(["a1", "known", "a2", "b1", "a3"]);
    // Finished entries leave no state behind.
    void enter("later", "a");
    await settle(2);
    expect(running()).toBe(1);
    await drain();
  });

  test("rejects requests beyond the limits per source and in total, and keeps capacity for known devices", async () => {
    const { enter, drain } = createQueue();
    const flood = Array.from({ length: 1_000 }, (_, i) => enter(`x${i}`, `source ${i % 10}`));
    const single = Array.from({ length: 100 }, (_, i) => enter(`y${i}`, "source 0"));
    const known = enter("known", null);
    await drain();
    const refused = (await Promise.all([...flood, ...single])).filter((answer) => answer !== undefined);
    expect(refused).toHaveLength(1_100 - 257);
    expect(await known).toBeUndefined();
  });

  test("continues after a failure", async () => {
    const gate = createHashGate();
    await gate.run("a", () => Promise.reject(new Error("broken"))).catch(() => {});
    expect(await gate.run("a", async () => "fine")).toBe("fine");
  });
});
