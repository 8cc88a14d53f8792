import { expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/core/clock.ts";
import { createFewLines } from "../../src/core/few-lines.ts";
import { createManualClock } from "../support/manual-clock.ts";

function setStage() {
  const clock = createManualClock();
  const log: string[] = [];
  const say = createFewLines<string>(clock, {
    write: (line) => void log.push(line),
    leftOut: (count) => void log.push(`${count} more`),
  });
  return { clock, log, say };
}

test("the first five of a minute are written, and how many were left out is told at its end", async () => {
  const { clock, log, say } = setStage();
  for (let i = 1; i <= 9; i++) say(`${i}`);
  expect(log).toEqual(["1", "2", "3", "4", "5"]);
  await clock.advance(MINUTE_MS);
  expect(log.at(-1)).toBe("4 more");
  say("again");
  expect(log.at(-1)).toBe("again");
});

test("a few are all written, and nothing is told of what was not left out", async () => {
  const { clock, log, say } = setStage();
  for (let i = 1; i <= 5; i++) say(`${i}`);
  await clock.advance(2 * MINUTE_MS);
  expect(log).toEqual(["1", "2", "3", "4", "5"]);
});
