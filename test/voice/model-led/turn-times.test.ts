// Timing of a turn answered by a model, separate from our own.
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

test("a model's answer is timed from the request to its first words, regardless of our question after it", async () => {
  const stage = setTalkingStage({
    brief: LED,
    createAgent: (given) => {
      const chat = scriptedChat(given.clock, () => ({ text: "Behind the house.", afterMs: 400 }));
      return createTalkingAgent({ ...given, tools: { ...given.tools, chat } });
    },
  });
  await stage.answer();
  await stage.pass(2 * SOUND_MS + 100);
  await stage.says("Yes, speaking.");
  await stage.pass(2 * SOUND_MS + 100);
  await stage.says("Is there parking?");
  await stage.pass(3 * SOUND_MS);
  expect(stage.heard().slice(-2)).toEqual(["Behind the house.", "Will you come?"]);
  const turn = stage.agent.ended("peer").turns?.at(-1);
  expect(turn?.led).toBeTrue();
  expect((turn?.llm_first ?? 0) - (turn?.llm_start ?? 0)).toBe(400);
  expect(turn?.tts_start).toBe(turn?.llm_first ?? -1);
});
