// Admission: a deadline for every waiting command, and lanes.
import { expect, test } from "bun:test";
import { Gate } from "../../../src/db/postgres/gate.ts";
import { WirePool } from "../../../src/db/postgres/pool.ts";
import { DatabaseFault, SILENT } from "../../../src/db/postgres/faults.ts";
import type { Wire } from "../../../src/db/postgres/wire.ts";
import { createManualClock, settle } from "../../support/manual-clock.ts";
import { rejectionOf } from "../../support/temp.ts";

const never = () => new Promise<never>(() => {});

test("a command does not wait for a retried one beyond its deadline", async () => {
  const clock = createManualClock();
  const gate = new Gate(clock);
  void gate.repeat(10_000, never);
  const [waiting, behind] = [rejectionOf(gate.enter(10_000)), rejectionOf(gate.repeat(10_000, never))];
  let isAnswered = false;
  void Promise.all([waiting, behind]).then(() => (isAnswered = true));
  await clock.advance(9_999);
  expect(isAnswered).toBe(false);
  await clock.advance(1);
  expect(await waiting).toBeInstanceOf(DatabaseFault);
  expect(await behind).toBeInstanceOf(DatabaseFault);
});

test("when the retried command ends, commands within their deadline begin", async () => {
  const clock = createManualClock();
  const gate = new Gate(clock);
  const over = Promise.withResolvers<void>();
  const repeated = gate.repeat(10_000, () => over.promise);
  const waiting = gate.enter(10_000);
  over.resolve();
  await repeated;
  await waiting;
  // Its timer is cleared as well.
  await clock.advance(20_000);
});

test("commands of one lane run sequentially in order, and other lanes run concurrently", async () => {
  const gate = new Gate(createManualClock());
  const seen: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (lane: string, name: string) =>
    gate.inLane(lane, async () => {
      seen.push(`${name} begins`);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      seen.push(`${name} ends`);
      if (name === "b") throw new Error("b fails");
    });
  const all = [run("x", "a"), rejectionOf(run("x", "b")), run("x", "c"), run("y", "other")];
  await settle();
  expect(seen).toEqual(["a begins", "other begins"]);
  for (const name of ["a", "b", "c", "other"]) {
    ends.get(name)?.();
    await settle();
  }
  await Promise.all(all);
  expect(seen.filter((word) => !word.startsWith("other"))).toEqual([
    "a begins",
    "a ends",
    "b begins",
    "b ends",
    "c begins",
    "c ends",
  ]);
});

function fakeWires() {
  const opened: { wire: Wire; lose: (fault: DatabaseFault) => void; isEnded: boolean }[] = [];
  const open = async (): Promise<Wire> => {
    const lost = Promise.withResolvers<DatabaseFault>();
    const one = { lose: lost.resolve, isEnded: false };
    const wire = { lost: lost.promise, isLost: false, end: () => void (one.isEnded = true) } as unknown as Wire;
    opened.push(Object.assign(one, { wire }));
    return wire;
  };
  return { opened, open };
}

test("while every connection is stuck, those that wait are refused after three seconds and new ones after a moment", async () => {
  const clock = createManualClock();
  const pool = new WirePool({ open: fakeWires().open, most: 2, clock });
  const [first] = [await pool.take(), await pool.take()];
  const waiting = rejectionOf(pool.take());
  await clock.advance(3_000);
  expect(await waiting).toMatchObject({ state: "53300" });
  const late = rejectionOf(pool.take());
  // Not in the same turn, or a caller that retries at once would keep every answer from being read.
  await clock.advance(50);
  expect(await late).toMatchObject({ state: "53300" });
  // One connection returns, and commands run again.
  pool.give(first);
  pool.give(await pool.take());
});

test("a busy pool that makes progress is waited for, up to seven seconds or the command's remaining time", async () => {
  const clock = createManualClock();
  const pool = new WirePool({ open: fakeWires().open, most: 1, clock });
  const holdForASecond = (wire: Wire): string => {
    clock.after(1_000, () => pool.give(wire));
    return "served";
  };
  holdForASecond(await pool.take());
  const waiting = (withinMs?: number) => pool.take(withinMs).then(holdForASecond, () => "refused");
  const all = [
    ...Array.from({ length: 5 }, () => waiting()),
    waiting(4_000),
    ...Array.from({ length: 4 }, () => waiting()),
  ];
  await clock.advance(12_000);
  const answers = await Promise.all(all);
  expect(answers.slice(0, 7)).toEqual(["served", "served", "served", "served", "served", "refused", "served"]);
  expect(answers.slice(-2)).toEqual(["refused", "refused"]);
});

test("when one connection gets no answer from the database, idle ones are closed too", async () => {
  const { opened, open } = fakeWires();
  const pool = new WirePool({ open, most: 3, clock: createManualClock() });
  const wires = [await pool.take(), await pool.take()];
  for (const wire of wires) pool.give(wire);
  opened[0]?.lose(new DatabaseFault("silent", null, true, SILENT));
  await settle();
  expect(opened.map(({ isEnded }) => isEnded)).toEqual([true, true]);
  await pool.take();
  expect(opened).toHaveLength(3);
});
