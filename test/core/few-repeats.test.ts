import { describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/core/clock.ts";
import { limitRepeats } from "../../src/core/few-repeats.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createManualClock } from "../support/manual-clock.ts";

function setStage() {
  const clock = createManualClock();
  const lines: Record<string, unknown>[] = [];
  const log = createLogger(clock, "debug", (line) => void lines.push(JSON.parse(line) as Record<string, unknown>));
  const logger = limitRepeats(log, clock);
  return { clock, logger, lines, said: () => lines.map(({ message }) => message) };
}

const LEFT_OUT = "Repeated log lines were suppressed.";

describe("lines of one kind", () => {
  test("are written five times a minute, and the rest is told as a number", async () => {
    const { clock, logger, lines, said } = setStage();
    for (let i = 0; i < 1_884; i++) logger.error("A commit failed.", { error: "disk full", commands: i });
    expect(said()).toEqual(Array.from({ length: 5 }, () => "A commit failed."));
    await clock.advance(MINUTE_MS);
    expect(lines.at(-1)).toMatchObject({
      level: "error",
      message: LEFT_OUT,
      of: "A commit failed.",
      error: "disk full",
      left_out: 1_879,
    });
    expect(lines).toHaveLength(6);
  });

  test("are written again in the next minute", async () => {
    const { clock, logger, said } = setStage();
    for (let i = 0; i < 6; i++) logger.warn("Slow.");
    await clock.advance(MINUTE_MS);
    logger.warn("Slow.");
    expect(said()).toEqual([...Array.from({ length: 5 }, () => "Slow."), LEFT_OUT, "Slow."]);
  });

  test("that are few are all written, and nothing is told of what was not left out", async () => {
    const { clock, logger, said } = setStage();
    for (let i = 0; i < 5; i++) logger.warn("Slow.");
    await clock.advance(3 * MINUTE_MS);
    expect(said()).toHaveLength(5);
  });

  test("are told before the end, where the process ends first", () => {
    const { logger, lines } = setStage();
    for (let i = 0; i < 7; i++) logger.error("Gone.", { job: "a" });
    logger.tellLeftOut();
    expect(lines.at(-1)).toMatchObject({ message: LEFT_OUT, of: "Gone.", job: "a", left_out: 2 });
    logger.tellLeftOut();
    expect(lines).toHaveLength(6);
  });
});

describe("another kind is", () => {
  test("another message, level, place or fault; the first of each is always written", () => {
    const { logger, lines } = setStage();
    for (let i = 0; i < 50; i++) logger.error("Failed.", { job: "a", error: "x" });
    logger.error("Failed.", { job: "b", error: "x" });
    logger.error("Failed.", { job: "a", error: "y" });
    logger.error("Failed.", { job: "a", error: "x", endpoint_id: "whe_2" });
    logger.warn("Failed.", { job: "a", error: "x" });
    logger.error("Failed otherwise.", { job: "a", error: "x" });
    expect(lines).toHaveLength(10);
  });

  test("not another record: a call, a request, a number", () => {
    const { logger, lines } = setStage();
    for (let i = 0; i < 50; i++) logger.error("Failed.", { call_id: `call_${i}`, request_id: `req_${i}`, attempt: i });
    expect(lines).toHaveLength(5);
  });

  test("bounded in number: past it a message is one kind, and still none is lost silently", async () => {
    const { clock, logger, lines } = setStage();
    for (let i = 0; i < 5_000; i++) logger.error("Failed.", { error: `line ${i}` });
    logger.error("Something new.");
    expect(lines.length).toBeLessThan(300);
    expect(lines.at(-1)).toMatchObject({ message: "Something new." });
    const written = lines.length - 1;
    await clock.advance(MINUTE_MS);
    const leftOut = lines.slice(written).reduce((sum, { left_out = 0 }) => sum + Number(left_out), 0);
    expect(written + leftOut).toBe(5_000);
  });
});

test("lines that record something are no repeats: answered requests, dialled calls, and what debugging shows", () => {
  const { logger, lines } = setStage();
  for (let i = 0; i < 50; i++) {
    logger.info("Request answered.", { request_id: `req_${i}` });
    logger.info("The simulator dials.", { call_id: `call_${i}` });
    logger.debug("Looked.");
  }
  expect(lines).toHaveLength(150);
  for (let i = 0; i < 50; i++) logger.info("A call was not taken.", { trunk_id: "trk_1" });
  expect(lines).toHaveLength(155);
});
