// Packet loss may hide the decisive word.
import { describe, expect, test } from "bun:test";
import { SOUND_MS } from "../stage.ts";
import { answered, heardOut, type TalkingStage } from "./callee.ts";

const GREETING = "Hello, this is City Hospital.";
const IDENTITY = "Am I speaking with Ravi?";
const APPOINTMENT_LINE = "Your appointment is on Tuesday, the fifth of May, at ten thirty in the morning.";
const ATTEND = "Will you come?";

describe("speech with a gap from packet loss", () => {
  const DOUBT = "I am not sure that I understood you. Was that a yes?";

  /** The rest of "No, I am her brother". */
  async function answersTorn(stage: TalkingStage, text: string, lostFrames: number): Promise<void> {
    stage.losesFrames(lostFrames);
    await stage.says(text);
    await heardOut(stage, 1);
  }

  test("does not confirm identity: the appointment is not told until it was asked again", async () => {
    const stage = await answered();
    await answersTorn(stage, "Yeah.", 8);
    expect(stage.heard()).toEqual([GREETING, IDENTITY, DOUBT]);
    await stage.says("No, I am her brother.");
    await heardOut(stage, 2);
    expect(stage.heard()).not.toContain(APPOINTMENT_LINE);
  });

  test("costs one more question if it was a yes", async () => {
    const stage = await answered();
    await answersTorn(stage, "Yeah.", 8);
    await stage.says("Yes.");
    await heardOut(stage, 2);
    expect(stage.heard()).toEqual([GREETING, IDENTITY, DOUBT, APPOINTMENT_LINE, ATTEND]);
  });

  test("counts as complete if only a packet or two were lost", async () => {
    const stage = await answered();
    await answersTorn(stage, "Yeah.", 2);
    await heardOut(stage, 1);
    expect(stage.heard()).toEqual([GREETING, IDENTITY, APPOINTMENT_LINE, ATTEND]);
  });

  test("has no effect on later words", async () => {
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
