// Closing on the line: speech during the closing, after it, and while hanging up.
import { describe, expect, test } from "bun:test";
import { SOUND_MS, type StageOptions } from "../stage.ts";
import { answered, heardOut, type TalkingStage } from "./callee.ts";

const EMERGENCY = "This may be an emergency.";
const LEAVING_MS = 700;

/** The attendance question was asked. */
async function asked(options: StageOptions = {}): Promise<TalkingStage> {
  const stage = await answered(options);
  await stage.says("Yes, speaking.");
  await heardOut(stage, 2);
  return stage;
}

describe("the last words", () => {
  test("give way to an objection, which is transcribed and takes the answer back", async () => {
    const stage = await asked();
    await stage.says("Yes.", { thenMs: 800 });
    expect(stage.count("desk: confirm")).toBe(1);
    await stage.says("But I cannot come on that day.", { forMs: 1_500 });
    expect(stage.count("desk: undo")).toBe(1);
    expect(stage.count("desk: offer 3")).toBe(1);
    await heardOut(stage, 5);
    expect(stage.last()).toBe("Which one suits you?");
    const { transcript, extractedDetails } = stage.agent.ended("peer");
    expect(transcript.map(({ text }) => text)).toContain("But I cannot come on that day.");
    expect(extractedDetails).toMatchObject({ answer: "unsettled" });
  });

  test("give way to an alarm", async () => {
    const stage = await asked();
    await stage.says("Yes, I will come.", { thenMs: 900 });
    await stage.says("I have chest pain.", { forMs: 1_200 });
    expect(stage.last()).toStartWith(EMERGENCY);
    expect(stage.agent.ended("peer").extractedDetails).toMatchObject({ answer: "emergency" });
  });

  test("are followed by a pause in which an alarm still counts", async () => {
    const stage = await asked();
    await stage.says("Yes.");
    await heardOut(stage, 2);
    expect(stage.happened).not.toContain("hang up");
    await stage.says("I have chest pain.", { forMs: 1_200 });
    expect(stage.happened).not.toContain("hang up");
    expect(stage.last()).toStartWith(EMERGENCY);
  });

  test("wait for a callee in mid-word, and hang up after noise", async () => {
    const stage = await asked();
    await stage.says("Yes.");
    await heardOut(stage, 2);
    stage.willHear("");
    await stage.voice(LEAVING_MS + 400);
    expect(stage.happened).not.toContain("hang up");
    await stage.pass(3_000);
    expect(stage.happened.at(-1)).toBe("hang up");
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "confirmed" });
  });

  test("continue over noise, with recognition running", async () => {
    const stage = await asked();
    await stage.says("Yes.", { thenMs: 700 });
    stage.willHear("");
    for (let i = 0; i < 3; i++) {
      await stage.voice(700);
      await stage.pass(500);
    }
    await stage.says("I have chest pain.", { forMs: 1_200 });
    expect(stage.last()).toStartWith(EMERGENCY);
  });

  test("are not interrupted by voicemail", async () => {
    const stage = await answered();
    await stage.says("Please leave a message after the tone.", { forMs: 1_000 });
    await stage.pass(3_000);
    await stage.says("You can also press one to be called back.", { forMs: 1_500 });
    await stage.pass(2 * SOUND_MS);
    expect(stage.happened.at(-1)).toBe("hang up");
  });
});

describe("a callee who hangs up", () => {
  test("right after a clear yes has confirmed", async () => {
    const stage = await asked();
    stage.willHear("Yes.");
    await stage.voice(500);
    expect(stage.count("desk: confirm")).toBe(0);
    await hangsUp(stage);
    expect(stage.count("desk: confirm")).toBe(1);
    expect(stage.agent.ended("peer").extractedDetails).toMatchObject({ answer: "confirmed" });
  });

  test("during an objection has not, and it is transcribed", async () => {
    const stage = await asked();
    await stage.says("Yes.", { thenMs: 800 });
    stage.willHear("But I cannot come on that day.");
    await stage.voice(1_200);
    await hangsUp(stage);
    expect(stage.count("desk: undo")).toBe(1);
    expect(stage.agent.ended("peer")).toMatchObject({
      extractedDetails: { answer: "unsettled" },
      transcript: expect.arrayContaining([
        expect.objectContaining({ speaker: "user", text: "But I cannot come on that day." }),
      ]),
    });
  });

  test("with an alarm as their last word is an emergency", async () => {
    const stage = await asked();
    stage.willHear("I have chest pain.");
    await stage.voice(900);
    await hangsUp(stage);
    expect(stage.agent.ended("peer").extractedDetails).toMatchObject({ answer: "emergency" });
  });

  test("is not waited for if the recogniser does not answer", async () => {
    const stage = await asked();
    stage.recogniserHangs();
    await stage.voice(500);
    await hangsUp(stage);
    expect(stage.agent.ended("peer").extractedDetails).toMatchObject({ answer: "none" });
  });
});

async function hangsUp(stage: TalkingStage): Promise<void> {
  const heard = stage.agent.lastWords();
  for (let i = 0; i < 30; i++) await stage.clock.advance(100);
  await heard;
}
