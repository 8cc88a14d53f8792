// A callee who speaks while a model is pending is heard out.
import { expect, test } from "bun:test";
import { createTalkingAgent } from "../../../src/voice/talking/talking.ts";
import { SOUND_MS } from "../stage.ts";
import { setTalkingStage } from "../talking/callee.ts";
import { scriptedChat } from "./scripted-chat.ts";

/** The model's own words, which the owner's text contains. */
const LED = {
  modelSpeech: "free",
  promptTemplate: "Parking is behind the house. There is a stand for it.",
  details: [{ name: "car", description: "" }],
} as const;

test("the agent does not speak over a callee who starts before its question", async () => {
  const stage = setTalkingStage({
    brief: LED,
    createAgent: (given) => {
      const chat = scriptedChat(given.clock, () => ({
        text: "You can park behind the house. And then",
        stallsAfter: 35,
      }));
      return createTalkingAgent({ ...given, tools: { ...given.tools, chat } });
    },
  });
  await stage.answer();
  await stage.pass(2 * SOUND_MS + 100);
  await stage.says("Yes, speaking.");
  await stage.pass(2 * SOUND_MS + 100);
  await stage.says("Is there parking?");
  await stage.pass(SOUND_MS + 1_000);
  expect(stage.last()).toBe("You can park behind the house.");
  const from = stage.happened.length;
  stage.willHear("I see.");
  await stage.voice(460);
  await stage.pass(200);
  // The model was given up meanwhile, and our question waits.
  expect(stage.happened.slice(from)).toEqual(["pause", "play Will you come?"]);
  await stage.pass(1_000);
  expect(stage.happened.slice(from)).toEqual(["pause", "play Will you come?", "resume"]);
});
