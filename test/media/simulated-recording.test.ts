// The recording of a simulated call: synthesised on first playback only.
import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createSimulatedRecordings, isSimulated } from "../../src/calls/life/simulated-recording.ts";
import { createIds } from "../../src/core/ids.ts";
import { createRecordings, type Recordings } from "../../src/media/recordings.ts";
import type { Utterance } from "../../src/payloads/conversation.ts";
import type { RecordingReport } from "../../src/payloads/lawful.ts";
import { loudness, parseWav } from "../telephony/wav.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { tempFolder } from "../support/temp.ts";

const ONE_SECOND = Int16Array.from({ length: 8_000 }, (_, i) => 10_000 * Math.sin(i / 3));
const TALK: Utterance[] = [
  { speaker: "agent", text: "Good morning.", timestamp: 0 },
  { speaker: "user", text: "Please leave a message after the tone.", timestamp: 2 },
  { speaker: "agent", text: "Goodbye.", timestamp: 4 },
];

describe("the recording of a simulated call", () => {
  let dataDir: string;
  let recordings: Recordings;
  let asked: string[];
  let clock: ManualClock;
  const make = (
    transcript: readonly Utterance[] | null,
    seconds: number,
    speak: (text: string) => Promise<Int16Array | null> = async () => ONE_SECOND,
    report: RecordingReport | null = null,
  ) => {
    const simulated = createSimulatedRecordings({
      clock,
      recordings,
      speak: (text) => (asked.push(text), speak(text)),
    });
    const name = simulated.nameFor("a.wav");
    const recording = report && JSON.stringify(report);
    const talk = { transcript: transcript && JSON.stringify(transcript), seconds, recording };
    return { name, made: simulated.make(name, talk), again: () => simulated.make(name, talk) };
  };
  const heard = (name: string) => parseWav(readFileSync(recordings.pathOf(name)));
  const files = () => readdirSync(join(dataDir, "recordings"));

  beforeEach(() => {
    dataDir = tempFolder();
    clock = createManualClock();
    recordings = createRecordings(dataDir, createIds(clock));
    asked = [];
  });

  test("is known by its name", () => {
    const { name } = make(TALK, 6);
    expect([isSimulated(name), isSimulated("a.wav")]).toEqual([true, false]);
  });

  test("has the agent on the left and the callee on the right, where they spoke and nowhere else", async () => {
    const { name, made } = make(TALK, 6);
    await made;
    const [agent, callee] = heard(name).channels;
    for (const [channel, from, isHeard] of [
      [agent, 0, true],
      [agent, 1.01, false],
      [agent, 2, false],
      [agent, 4, true],
      [callee, 0, false],
      [callee, 2, true],
      [callee, 4, false],
    ] as const) {
      const level = loudness(channel, from, from + 0.9);
      if (isHeard) expect(level).toBeGreaterThan(3_000);
      else expect(level).toBe(0);
    }
  });

  test("is as long as the call, for its owner's eyes alone, and its words end with it", async () => {
    const { name, made } = make(TALK, 4.5);
    await made;
    expect(heard(name).durationSeconds).toBe(4.5);
    expect(statSync(recordings.pathOf(name)).mode & 0o777).toBe(0o600);
  });

  test("holds what was said while it was on: not the announcement before, and nothing after a withdrawal", async () => {
    const report: RecordingReport = { mode: "ask", consent: "withdrawn", from: 1.5, until: 3.5 };
    const { name, made } = make(TALK, 6, async () => ONE_SECOND, report);
    await made;
    expect(asked).toEqual(["Please leave a message after the tone."]);
    const { durationSeconds, channels } = heard(name);
    expect(durationSeconds).toBe(2);
    const [agent, callee] = channels;
    expect(loudness(agent, 0, 2)).toBe(0);
    expect(loudness(callee, 0, 0.49)).toBe(0);
    expect(loudness(callee, 0.5, 1.4)).toBeGreaterThan(3_000);
  });

  test("ends each line where the same speaker's next one begins", async () => {
    const talk = [0, 0.5].map((timestamp) => ({ speaker: "agent" as const, text: String(timestamp), timestamp }));
    const level = (text: string) => new Int16Array(8_000).fill(text === "0" ? 1_000 : 8_000);
    const { name, made } = make(talk, 2, async (text) => level(text));
    await made;
    const [agent] = heard(name).channels;
    expect(loudness(agent, 0, 0.49)).toBeCloseTo(1_000, -2);
    expect(loudness(agent, 0.51, 1.49)).toBeCloseTo(8_000, -3);
  });

  test("has a tone for a key, and asks the voice for none", async () => {
    const { name, made } = make([{ speaker: "user", text: "Pressed 5.", timestamp: 0.5 }], 2);
    await made;
    expect(asked).toEqual([]);
    const [, callee] = heard(name).channels;
    expect(loudness(callee, 0.5, 0.65)).toBeGreaterThan(3_000);
    expect(loudness(callee, 0.7, 2)).toBe(0);
  });

  test("is silent where the voice has no words, and as long as ever", async () => {
    const { name, made } = make([{ speaker: "agent", text: "नमस्ते मीरा।", timestamp: 0 }], 3, async () => null);
    await made;
    expect(asked).toEqual(["नमस्ते मीरा।"]);
    expect(heard(name).durationSeconds).toBe(3);
    expect(loudness(heard(name).channels[0], 0, 3)).toBe(0);
  });

  test.each([
    ["without a transcript", null],
    ["without a word", []],
  ])("%s is silence", async (_what, transcript) => {
    const { name, made } = make(transcript, 1);
    await made;
    expect(heard(name).durationSeconds).toBe(1);
  });

  test("asked for twice at once is made once, and a third time it is there", async () => {
    const said = Promise.withResolvers<Int16Array>();
    const { name, made, again } = make(TALK.slice(0, 1), 2, () => said.promise);
    const second = again();
    said.resolve(ONE_SECOND);
    await Promise.all([made, second]);
    expect(asked).toHaveLength(1);
    const before = statSync(recordings.pathOf(name)).mtimeMs;
    await again();
    expect(asked).toHaveLength(1);
    expect(statSync(recordings.pathOf(name)).mtimeMs).toBe(before);
  });

  test("is never longer than ten minutes or two hundred lines, whatever the call says of itself", async () => {
    const talk = Array.from({ length: 500 }, (_, i) => ({ speaker: "agent" as const, text: `${i}`, timestamp: i * 5 }));
    const { name, made } = make(talk, 36_000, async () => new Int16Array(80));
    await made;
    expect(heard(name).durationSeconds).toBe(600);
    expect(asked).toHaveLength(200);
  });

  test("that the disk does not take fails, leaves nothing half-written, and is made when asked for again", async () => {
    const { name, made, again } = make(TALK, 6);
    // A folder in the place of the file that is being written.
    const blocker = `${recordings.pathOf(name)}.unfinished`;
    mkdirSync(join(blocker, "full"), { recursive: true });
    const outcome = await made.then(
      () => "made",
      () => "failed",
    );
    expect([outcome, existsSync(recordings.pathOf(name))]).toEqual(["failed", false]);
    rmSync(blocker, { recursive: true, force: true });
    await again();
    expect(files()).toEqual([name]);
  });

  test("whose voice fails is refused, and made when asked for again", async () => {
    let fails = true;
    const { name, made, again } = make(TALK, 6, async () => {
      if (fails) throw new Error("the voice is gone");
      return ONE_SECOND;
    });
    expect(await made.catch(String)).toContain("the voice is gone");
    fails = false;
    await again();
    expect(files()).toEqual([name]);
  });

  test("whose voice is not there yet is not kept as silence: who asks is told when to ask again", async () => {
    let isReady = false;
    const { name, made, again } = make(TALK, 6, async () => (isReady ? ONE_SECOND : null));
    expect(await made.catch((error: unknown) => error)).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 5 });
    expect(files()).toEqual([]);
    isReady = true;
    await again();
    expect(files()).toEqual([name]);
  });

  test("that takes too long is told so before the connection goes, and is there for who asks again", async () => {
    const said = Promise.withResolvers<Int16Array>();
    const { name, made, again } = make(TALK.slice(0, 1), 2, () => said.promise);
    const refused = made.catch((error: unknown) => error);
    await clock.advance(110_000);
    expect(await refused).toMatchObject({ code: "UNAVAILABLE" });
    said.resolve(ONE_SECOND);
    await again();
    expect([files(), asked.length]).toEqual([[name], 1]);
  });

  test("beyond four at once waits for its turn elsewhere", async () => {
    const said = Promise.withResolvers<Int16Array>();
    const simulated = createSimulatedRecordings({ clock, recordings, speak: () => said.promise });
    const talk = { transcript: JSON.stringify(TALK.slice(0, 1)), seconds: 1, recording: null };
    const making = ["a", "b", "c", "d"].map((name) => simulated.make(simulated.nameFor(`${name}.wav`), talk));
    const fifth = simulated.make(simulated.nameFor("e.wav"), talk);
    expect(await fifth.catch((error: unknown) => error)).toMatchObject({ code: "UNAVAILABLE" });
    said.resolve(ONE_SECOND);
    await Promise.all(making);
    expect(files()).toHaveLength(4);
  });
});
