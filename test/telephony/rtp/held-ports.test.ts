// Audio ports that are open before their calls begin.
import { afterEach, expect, test } from "bun:test";
import { createLogger } from "../../../src/core/logger.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { rejectionOf } from "../../support/temp.ts";
import { stageWith, type Stage } from "./stage.ts";

let stage: Stage;
const lines: string[] = [];
function begin(pairs: number): Stage {
  lines.length = 0;
  const logger = createLogger(createManualClock(), "debug", (line) => void lines.push(line));
  return (stage = stageWith({ pairs, logger }));
}
afterEach(() => stage.engine.stop());

const HELD = { recordingFile: null, fromHeld: true };
const OTHER = { recordingFile: null };

test("those that are held are for the calls that they are held for", async () => {
  const { engine } = begin(2);
  expect(await engine.hold(2)).toBe(2);
  expect((await rejectionOf(engine.open("call_in", OTHER))).message).toContain("widen the range");
  await engine.open("call_a", HELD);
  await engine.open("call_b", HELD);
  expect(engine.streams).toBe(2);
});

test("no more are held than there are, and it is told once while they are short", async () => {
  const { engine, clock } = begin(1);
  const call = await engine.open("call_a", OTHER);
  expect([await engine.hold(2), await engine.hold(1)]).toEqual([0, 0]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("Calls wait");
  await call.close();
  expect(await engine.hold(1)).toBe(0); // The port rests.
  await clock.advance(10_000);
  expect(await engine.hold(1)).toBe(1);
});

test("what is let go of needs no rest", async () => {
  const { engine } = begin(1);
  expect(await engine.hold(1)).toBe(1);
  expect(await engine.hold(0)).toBe(0);
  await engine.open("call_in", OTHER);
  expect(engine.streams).toBe(1);
});

test("a call for which none is held opens its own", async () => {
  const { engine } = begin(1);
  await engine.open("call_a", HELD);
  expect(engine.streams).toBe(1);
});
