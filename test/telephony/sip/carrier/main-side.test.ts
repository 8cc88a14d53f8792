// The main thread's part in calls of the worker: it forwards questions, decides on inbound calls, and keeps their
// trace.
import { beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mulawWavHeader } from "../../../../src/audio/wav.ts";
import { settle } from "../../../support/manual-clock.ts";
import { dialogOfCaller, type KeptDialog } from "../../../../src/telephony/sip/call/dialog.ts";
import { request, response } from "../message/messages.ts";
import { tempFolder } from "../../../support/temp.ts";
import { callOrder } from "../../carrier-log.ts";
import { workerSettings } from "./bench.ts";
import { messageAt } from "./fake-worker.ts";
import { clips, MainSide } from "./main-side.ts";

let main: MainSide;
beforeEach(() => {
  main = new MainSide();
});

describe("questions of an agent", () => {
  const answerOf = async (question: unknown, callId = "call-1") => {
    main.workers.last().say({ type: "ask", askId: 9, callId, question });
    await settle();
    const told = main.workers.last().told.at(-1);
    return told?.type === "answer" && told.askId === 9 ? told.answer : null;
  };
  beforeEach(async () => {
    main.start();
    main.run();
    await main.dial();
  });

  test("are passed on, and so are the answers", async () => {
    main.answer = async (callId, question) => ({ callId, question });
    expect(await answerOf({ any: "thing" })).toEqual({ value: { callId: "call-1", question: { any: "thing" } } });
  });

  test("that fail are told so, and nothing of why", async () => {
    main.answer = () => Promise.reject(new Error("Meera's place is gone"));
    expect(await answerOf("who?")).toEqual({ failed: true });
    expect(main.logLines.join()).not.toContain("Meera");
  });
});

describe("a call that arrives", () => {
  const request = callOrder({ callId: "in", trunkId: "main", recordingFile: "/nowhere/in.wav" });

  beforeEach(() => {
    main.start();
    main.run();
    main.workers.last().say({
      type: "arrived",
      callId: "in",
      trunkId: "main",
      from: "+919810012345",
      to: "+911140001000",
      isToAccount: false,
    });
  });

  test("is told with its numbers, and taken once", async () => {
    expect(main.arrivals).toMatchObject([
      { callId: "in", trunkId: "main", from: "+919810012345", to: "+911140001000" },
    ]);
    main.arrivals[0]!.accept(request);
    main.arrivals[0]!.accept(request);
    main.arrivals[0]!.reject("no_line");
    await settle();
    expect(main.workers.last().told.slice(2)).toMatchObject([
      { type: "accept", order: { callId: "in", direction: "inbound" } },
    ]);
    main.workers.last().say({ type: "answered", callId: "in" });
    expect(main.log.of("in")).toEqual(["answered"]);
  });

  test.each([
    ["unknown_number", 404],
    ["no_line", 486],
    ["unavailable", 480],
  ] as const)("is rejected as %s with %i, and nothing more is told of it", (why, sipCode) => {
    main.arrivals[0]!.reject(why);
    expect(main.workers.last().told.at(-1)).toEqual({ type: "reject", callId: "in", sipCode });
    main.workers
      .last()
      .say({ type: "ended", callId: "in", end: { kind: "failed", code: "rejected", message: "Rejected." } });
    expect(main.log.count()).toBe(0);
  });

  test("and gives up is told as ended, and can be taken no more", async () => {
    main.workers
      .last()
      .say({ type: "ended", callId: "in", end: { kind: "failed", code: "no_answer", message: "Gave up." } });
    main.arrivals[0]!.accept(request);
    await settle();
    expect(main.log.of("in")).toEqual(["ended"]);
    expect(main.workers.last().toldTypes()).not.toContain("accept");
  });
});

test("the ladder of a call under way can be read, is bounded, and goes into its end", async () => {
  main.start();
  main.run();
  await main.dial({ callId: "a" });
  expect(main.carrier.traceOf("a")).toEqual([]);
  for (let i = 0; i < 310; i++) main.workers.last().say({ type: "trace", callId: "a", message: messageAt(i) });
  expect(main.carrier.traceOf("a")).toHaveLength(300);
  main.workers.last().say({ type: "ended", callId: "a", end: { kind: "failed", code: "busy", message: "Busy." } });
  expect(main.log.endOf("a").line?.trace).toHaveLength(300);
  expect(main.carrier.traceOf("a")).toBeNull();
});

test("a worker that dies leaves what was recorded until then, ready to be played", async () => {
  const recordingFile = join(tempFolder(), "cut-off.wav");
  const head = mulawWavHeader({ channels: 2, frames: 0 });
  writeFileSync(recordingFile, Buffer.concat([head, Buffer.alloc(2 * 8_000 * 4, 0xff)]));
  main.start();
  main.run();
  await main.dial({ callId: "talking", recordingFile });
  await main.dial({ callId: "ringing", recordingFile });
  main.workers.last().say({ type: "answered", callId: "talking" });
  main.workers.last().die();
  expect(main.log.endOf("talking")).toMatchObject({ code: "interrupted", recorded: true, durationSeconds: 4 });
  expect(main.log.endOf("ringing")).not.toHaveProperty("recorded");
});

test("what a worker that died left standing at the trunk is ended by the next one, and what an earlier run left too", async () => {
  const kept = (callId: string): KeptDialog => ({
    trunkId: "main",
    dialog: dialogOfCaller(request("INVITE"), response(200, { extra: `Contact: <sip:${callId}@192.0.2.50>\n` })),
  });
  main.start();
  main.carrier.endLeft([JSON.stringify(kept("earlier"))]);
  expect(main.workers.last().toldTypes()).not.toContain("endLeft");
  main.run();
  expect(main.workers.last().told.at(-1)).toEqual({ type: "endLeft", dialogs: [kept("earlier")] });
  await main.dial({ callId: "talking" });
  main.workers.last().say({ type: "dialogKept", callId: "talking", kept: kept("talking") });
  await main.dial({ callId: "over" });
  main.workers.last().say({ type: "dialogKept", callId: "over", kept: kept("over") });
  main.workers.last().say({ type: "ended", callId: "over", end: { kind: "failed", code: "busy", message: "Busy." } });
  main.workers.last().die();
  await main.clock.advance(1_000);
  main.run();
  expect(main.workers.last().told.at(-1)).toEqual({ type: "endLeft", dialogs: [kept("talking")] });
});

test("a call without a trunk, or without a worker, fails a moment later and is never dialled", async () => {
  main.start();
  await main.dial({ callId: "early" });
  main.run();
  await main.dial({ callId: "lost", trunkId: null });
  expect(main.log.count()).toBe(0);
  await main.clock.advance(0);
  expect(main.log.endOf("early")).toMatchObject({ code: "infrastructure_error" });
  expect(main.log.endOf("lost")).toMatchObject({ code: "infrastructure_error" });
  expect(main.workers.last().toldTypes()).not.toContain("dial");
});

test("what the worker logs is logged at its level", () => {
  main.start();
  main.run();
  main.workers
    .last()
    .say({ type: "log", level: "warn", message: "a trunk is not available", fields: { trunk: "main" } });
  expect(main.logLines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ level: "warn", message: "a trunk is not available", trunk: "main" }),
  );
});

test("it has as many lines as there are pairs of audio ports", () => {
  main.start({ settings: workerSettings({ rtpPorts: { from: 10_000, to: 10_019 } }) });
  expect(main.carrier.lines).toBe(10);
});

test("beyond the appliance's audio ports a caller is told at once that all lines are busy, and nothing is written down", async () => {
  main.start({ settings: workerSettings({ rtpPorts: { from: 30_000, to: 30_001 } }) });
  main.run();
  await main.dial({ callId: "out" });
  const news = { trunkId: "main", from: "+919810012345", to: "+911140001000", isToAccount: false };
  main.workers.last().say({ type: "arrived", callId: "in", ...news });
  expect(main.workers.last().told.at(-1)).toEqual({ type: "reject", callId: "in", sipCode: 486 });
  expect(main.arrivals).toEqual([]);
});

describe("room for calls", () => {
  const held = (calls: number) => {
    const [last] = main.workers.last().told.slice(-1);
    if (last?.type !== "hold") throw new Error("Nothing was asked.");
    main.workers.last().say({ type: "held", askId: last.askId, calls });
    return last.calls;
  };

  test("is what the worker holds audio ports for, without those whose clips are still on their way", async () => {
    const brought = Promise.withResolvers<Int16Array>();
    main.start({ loadClip: () => brought.promise });
    main.run();
    await main.dial({ callId: "waits", clips: clips("slow") });
    const room = main.carrier.makeRoom!(2);
    expect(held(2)).toBe(3);
    expect(await room).toBe(1);
  });

  test("is none where the worker dies or says nothing, and whatever was asked for where the trunks are away anyway", async () => {
    main.start();
    expect(await main.carrier.makeRoom!(2)).toBe(2);
    main.run();
    const unheard = main.carrier.makeRoom!(2);
    await main.clock.advance(1_000);
    expect(await unheard).toBe(0);
    const lost = main.carrier.makeRoom!(2);
    main.workers.last().die();
    expect(await lost).toBe(0);
  });
});
