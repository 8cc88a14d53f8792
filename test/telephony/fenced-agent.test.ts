// A faulty agent can end only its own call, once.
import { describe, expect, test } from "bun:test";
import { createLogger } from "../../src/core/logger.ts";
import { createFencedAgent } from "../../src/telephony/fenced-agent.ts";
import type { CreateCallAgent, Line, CallAgent, CallAgentOptions } from "../../src/telephony/port.ts";
import { createManualClock } from "../support/manual-clock.ts";

const LINE: Line = {
  play: () => () => 0,
  stopPlaying() {},
  pausePlaying() {},
  resumePlaying() {},
  press() {},
  record() {},
  transfer: () => Promise.resolve("refused"),
  consult: async () => "refused" as const,
  hangUp() {},
};
const FRAME = new Int16Array(160);
const SECRET = "Meera has no visit";
const oops = (): never => {
  throw new TypeError(SECRET);
};

/** Two calls in one thread; the first is the one with the faults. */
function setStage(faulty: Partial<CallAgent> | CreateCallAgent) {
  const clock = createManualClock();
  const logLines: string[] = [];
  const logger = createLogger(clock, "debug", (line) => void logLines.push(line));
  const failed: string[] = [];
  const heard: string[] = [];
  const given = new Map<string, CallAgentOptions>();
  const agent = (callId: string, change: Partial<CallAgent> = {}): CallAgent => ({
    answered: () => void heard.push(`${callId} answered`),
    keyPressed: (key) => void heard.push(`${callId} ${key}`),
    heardWords: (words) => void heard.push(`${callId} ${words}`),
    ended: (by) => `${callId} ended by ${by}`,
    ...change,
  });
  const fence = (callId: string, createCallAgent: CreateCallAgent) =>
    createFencedAgent({
      callId,
      clock,
      logger,
      brief: null,
      clip: () => null,
      ask: () => Promise.reject(new Error("Nobody answers here.")),
      createCallAgent(options) {
        given.set(callId, options);
        return createCallAgent(options);
      },
      failed: () => void failed.push(callId),
    });
  const first = fence("a", typeof faulty === "function" ? faulty : () => agent("a", faulty));
  const other = fence("b", () => agent("b"));
  return { clock, first, other, failed, heard, logLines, optionsOf: (callId: string) => given.get(callId)! };
}

type Stage = ReturnType<typeof setStage>;

/** The call with the fault ends once, shortly afterwards; the other call continues; the log quotes no speech. */
async function expectOneCallLost({ clock, first, other, failed, heard, logLines }: Stage): Promise<void> {
  await clock.advance(0);
  expect(failed).toEqual(["a"]);
  heard.length = 0;
  first.keyPressed("1");
  other.keyPressed("2");
  await clock.advance(60_000);
  expect(heard).toEqual(["b 2"]);
  expect(first.ended("us")).toBeNull();
  expect(other.ended("peer")).toEqual({ talk: "b ended by peer" });
  expect(failed).toEqual(["a"]);
  expect(logLines).toHaveLength(1);
  expect(JSON.parse(logLines[0]!)).toMatchObject({ level: "error", call_id: "a", error: "TypeError" });
  expect(logLines[0]).not.toContain(SECRET);
}

describe("an agent that throws ends its own call and no other:", () => {
  const faults: [when: string, faulty: Partial<CallAgent> | CreateCallAgent, happens: (stage: Stage) => void][] = [
    ["as it is made", oops, () => {}],
    ["when the call is answered", { answered: oops }, ({ first }) => first.answered(LINE)],
    ["at a key", { keyPressed: oops }, ({ first }) => first.keyPressed("1")],
    ["at a frame", { heardFrame: oops }, ({ first }) => first.heardFrame(FRAME, 0)],
    ["at words", { heardWords: oops }, ({ first }) => first.heardWords("Hello?")],
    ["when it is called back", {}, ({ first }) => first.guard(oops)],
    ["in a timer of its own", {}, ({ optionsOf }) => void optionsOf("a").clock.after(0, oops)],
    ["in work that throws before it gives a promise", {}, ({ optionsOf }) => optionsOf("a").start(oops)],
  ];
  for (const [when, faulty, happens] of faults) {
    test(when, async () => {
      const stage = setStage(faulty);
      happens(stage);
      expect(stage.failed).toEqual([]);
      await stage.clock.advance(0);
      await expectOneCallLost(stage);
    });
  }
});

describe("work that an agent starts and does not wait for", () => {
  test("ends its own call and no other where it fails at once", async () => {
    const stage = setStage({});
    stage.optionsOf("a").start(() => Promise.reject(new TypeError(SECRET)));
    await expectOneCallLost(stage);
  });

  test("ends its own call and no other where it fails long after it was started", async () => {
    const stage = setStage({});
    const work = Promise.withResolvers<void>();
    stage.optionsOf("a").start(() => work.promise);
    await stage.clock.advance(30_000);
    expect(stage.failed).toEqual([]);
    work.reject(new TypeError(SECRET));
    await expectOneCallLost(stage);
  });

  test("ends it once, however much of it fails", async () => {
    const stage = setStage({});
    for (let i = 0; i < 3; i++) stage.optionsOf("a").start(() => Promise.reject(new TypeError(SECRET)));
    await expectOneCallLost(stage);
  });

  test("that fails after the end is silent: the call is over and its result stands", async () => {
    const { clock, first, failed, logLines, optionsOf } = setStage({});
    const work = Promise.withResolvers<void>();
    optionsOf("a").start(() => work.promise);
    expect(first.ended("us")).toEqual({ talk: "a ended by us" });
    work.reject(new TypeError(SECRET));
    await clock.advance(60_000);
    expect(failed).toEqual([]);
    expect(logLines).toEqual([]);
  });

  test("is not begun once the call is over", async () => {
    const { first, optionsOf } = setStage({});
    first.ended("peer");
    let hasBegun = false;
    optionsOf("a").start(async () => void (hasBegun = true));
    expect(hasBegun).toBe(false);
  });

  test("leaves the call alone where it comes to its end", async () => {
    const { clock, first, failed, optionsOf } = setStage({});
    optionsOf("a").start(async () => {});
    await clock.advance(60_000);
    expect(failed).toEqual([]);
    expect(first.ended("peer")).toEqual({ talk: "a ended by peer" });
  });
});

test("an agent that throws as it ends leaves nothing behind, and its call fails", async () => {
  const stage = setStage({ ended: oops });
  expect(stage.first.ended("us")).toBeNull();
  await stage.clock.advance(0);
  expect(stage.failed).toEqual(["a"]);
  expect(stage.logLines.join()).not.toContain(SECRET);
});

test("timers of a call that is over do nothing", async () => {
  const { clock, first, optionsOf } = setStage({});
  let hasRun = false;
  optionsOf("a").clock.after(1_000, () => void (hasRun = true));
  first.ended("peer");
  await clock.advance(60_000);
  expect(hasRun).toBe(false);
});

test("frames are asked for only by agents that hear them", () => {
  expect(setStage({}).first.hearsFrames).toBe(false);
  expect(setStage({ heardFrame() {} }).first.hearsFrames).toBe(true);
  expect(setStage(oops).first.hearsFrames).toBe(false);
});
