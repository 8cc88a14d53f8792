// Packet loss may hide the decisive word.
import { describe, expect, test } from "bun:test";
import { SOUND_MS } from "../stage.ts";
import { answered, heardOut, type TalkingStage } from "./callee.ts";

const GREETING = "Hello, this is City Hospital.";
const IDENTITY = "Am I speaking with Ravi?";
const APPOINTMENT_LINE = "Your appointment is on Tuesday, the fifth of May, at ten thirty in the morning.";
const ATTEND = "Will you come?";

describe("sound that arrived with a hole in it", () => {
  const DOUBT = "I am not sure that I understood you. Was that a yes?";

  /** The rest of "No, I am her brother". */
  async function answersTorn(stage: TalkingStage, text: string, lostFrames: number): Promise<void> {
    stage.losesFrames(lostFrames);
    await stage.says(text);
    await heardOut(stage, 1);
  }

  test("is no proof of who speaks: nothing is told of the appointment until it was asked after", async () => {
    const stage = await answered();
    await answersTorn(stage, "Yeah.", 8);
    expect(stage.heard()).toEqual([GREETING, IDENTITY, DOUBT]);
    await stage.says("No, I am her brother.");
    await heardOut(stage, 2);
    expect(stage.heard()).not.toContain(APPOINTMENT_LINE);
  });

  test("costs one question more where it was a yes after all", async () => {
    const stage = await answered();
    await answersTorn(stage, "Yeah.", 8);
    await stage.says("Yes.");
    await heardOut(stage, 2);
    expect(stage.heard()).toEqual([GREETING, IDENTITY, DOUBT, APPOINTMENT_LINE, ATTEND]);
  });

  test("counts as whole where a packet or two were lost", async () => {
    const stage = await answered();
    await answersTorn(stage, "Yeah.", 2);
    await heardOut(stage, 1);
    expect(stage.heard()).toEqual([GREETING, IDENTITY, APPOINTMENT_LINE, ATTEND]);
  });

  test("is forgotten with the words that it was in", async () => {
    const stage = await answered();
    stage.losesFrames(8);
    await stage.pass(1_000);
    await stage.says("Yes.");
    await heardOut(stage, 2);
    expect(stage.heard()).toEqual([GREETING, IDENTITY, APPOINTMENT_LINE, ATTEND]);
  });

  test("never hides a cry for help", async () => {
    const stage = await answered();
    stage.losesFrames(8);
    stage.willHear({ text: "I have just paint.", confidence: 0.9, alarms: ["chest pain"] });
    await stage.voice(500);
    await stage.pass(500 + SOUND_MS);
    expect(stage.heard().join(" ")).toMatch(/emergency/i);
  });
});
