// The simulator's line as the agent sees it: order of sounds, pauses, keys, and silence after the end.
import { describe, expect, test } from "bun:test";
import type { CreateCallAgent, Line, CallAgent } from "../../../src/telephony/port.ts";
import { settle } from "../../support/manual-clock.ts";
import { useSimulator } from "./stage.ts";

const stage = useSimulator();

describe("the line that it gives to the agent", () => {
  const sound = (words: string, lengthMs = 1_000) => ({ samples: null, lengthMs, words });
  const idle: CallAgent = { answered() {}, keyPressed() {}, heardWords() {}, ended: () => "left" };
  /** The line of an answered call whose callee only listens. */
  async function lineOf(given: Partial<CallAgent> = {}, recordingFile: string | null = "a.wav"): Promise<Line> {
    let line: Line | undefined;
    const withLine: CreateCallAgent = () => ({ ...idle, ...given, answered: (answered) => void (line = answered) });
    stage.start({ createCallAgent: withLine });
    stage.dial({ recordingFile });
    await stage.clock.advance(5_000);
    return line!;
  }

  test("plays one sound after the other, and tells how far each has come", async () => {
    const line = await lineOf();
    const ends: unknown[] = [];
    const first = line.play(sound("one"), (end) => ends.push(end));
    const second = line.play(sound("two"), (end) => ends.push(end));
    await stage.clock.advance(600);
    expect([first(), second()]).toEqual([600, 0]);
    await stage.clock.advance(600);
    expect([first(), second()]).toEqual([1_000, 200]);
    expect(ends).toEqual([{ isWhole: true, playedMs: 1_000 }]);
    line.stopPlaying();
    expect(ends.slice(1)).toEqual([{ isWhole: false, playedMs: 200 }]);
    await stage.clock.advance(10_000);
    expect(ends).toHaveLength(2);
  });

  test.each([
    ["is recorded once the agent has turned it on", "a.wav", [true, false], true],
    ["is not recorded before the agent has turned it on", "a.wav", [false], false],
    ["is not recorded where it must not be", null, [true], false],
  ] as const)("a call %s", async (_, recordingFile, turns, recorded) => {
    const line = await lineOf({}, recordingFile);
    for (const isOn of turns) line.record(isOn);
    line.hangUp();
    await stage.clock.advance(1_000);
    line.record(true);
    expect(stage.log.endOf("call-1")).toMatchObject({ kind: "completed", recorded });
  });

  test("keeps the place of a paused sound, and what follows waits for it", async () => {
    const line = await lineOf();
    const ends: unknown[] = [];
    const first = line.play(sound("one"), (end) => ends.push(end));
    const second = line.play(sound("two"), (end) => ends.push(end));
    await stage.clock.advance(400);
    line.pausePlaying();
    line.pausePlaying();
    await stage.clock.advance(60_000);
    expect([first(), second(), ends]).toEqual([400, 0, []]);
    line.resumePlaying();
    await stage.clock.advance(700);
    expect([first(), second()]).toEqual([1_000, 100]);
    expect(ends).toEqual([{ isWhole: true, playedMs: 1_000 }]);
  });

  test("tells how far a paused sound came when it is stopped, and plays what comes then", async () => {
    const line = await lineOf();
    const ends: unknown[] = [];
    line.play(sound("one"), (end) => ends.push(end));
    await stage.clock.advance(400);
    line.pausePlaying();
    await stage.clock.advance(5_000);
    line.stopPlaying();
    expect(ends).toEqual([{ isWhole: false, playedMs: 400 }]);
    line.play(sound("two"), (end) => ends.push(end));
    await stage.clock.advance(1_000);
    expect(ends.slice(1)).toEqual([{ isWhole: true, playedMs: 1_000 }]);
  });

  test("plays once what is asked for at the very end of another sound", async () => {
    const line = await lineOf();
    const ends: string[] = [];
    line.play(sound("one"), () => {
      line.play(sound("two"), () => ends.push("two"));
      line.play(sound("three"), () => ends.push("three"));
    });
    await stage.clock.advance(1_999);
    expect(ends).toEqual([]);
    await stage.clock.advance(1);
    expect(ends).toEqual(["two"]);
    await stage.clock.advance(999);
    expect(ends).toEqual(["two"]);
    await stage.clock.advance(1);
    expect(ends).toEqual(["two", "three"]);
  });

  test("lets the callee press once for what they heard, a moment after the agent fell silent", async () => {
    const keys: string[] = [];
    const line = await lineOf({ keyPressed: (key) => void keys.push(key) });
    line.play(sound("Press 1 please."), () => {});
    await stage.clock.advance(2_499);
    expect(keys).toEqual([]);
    await stage.clock.advance(1);
    expect(keys).toEqual(["1"]);
    await stage.clock.advance(60_000);
    expect(keys).toEqual(["1"]);
  });

  test("does not let them press for words that were cut off", async () => {
    const keys: string[] = [];
    const line = await lineOf({ keyPressed: (key) => void keys.push(key) });
    line.play(sound("Press 1 please."), () => {});
    await stage.clock.advance(500);
    line.stopPlaying();
    await stage.clock.advance(60_000);
    expect(keys).toEqual([]);
  });

  test("plays nothing and asks for nothing once the call is over", async () => {
    const ends: unknown[] = [];
    const line = await lineOf({ ended: (by) => (ends.push(by), "left") });
    line.play(sound("one"), (end) => ends.push(end.isWhole));
    line.hangUp();
    expect(ends).toEqual([]);
    await stage.clock.advance(0);
    expect(ends).toEqual([false, "us"]);
    expect(line.play(sound("two"), () => ends.push("played"))()).toBe(0);
    line.hangUp();
    await stage.clock.advance(60_000);
    await settle();
    expect(ends).toEqual([false, "us"]);
    expect(stage.log.endOf("call-1")).toMatchObject({ kind: "completed", talk: "left" });
    expect(stage.clock.waiting()).toBe(0);
  });
});
