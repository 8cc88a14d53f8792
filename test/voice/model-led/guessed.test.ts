// Speculative model queries: the model is queried as soon as words are recognised, and discarded if the callee goes on.
import { expect, test } from "bun:test";
import { createTalkingAgent } from "../../../src/voice/talking/talking.ts";
import { SOUND_MS } from "../stage.ts";
import { setTalkingStage } from "../talking/callee.ts";
import { scriptedChat, type ChatScript, type ScriptedChat } from "./scripted-chat.ts";

/** The model's own words, which the owner's text contains. */
const LED = {
  modelSpeech: "free",
  promptTemplate: "Parking is behind the house. There is a stand for it.",
  details: [{ name: "car", description: "" }],
} as const;

/** From the end of speech to the built-in recogniser's answer. */
const RECOGNISED_MS = 480;

/** Identity is confirmed, and the attendance question was asked. */
async function setStage(script: ChatScript) {
  let chat: ScriptedChat | null = null;
  const dropped: string[] = [];
  const stage = setTalkingStage({
    brief: LED,
    createAgent: (given) => {
      chat = scriptedChat(given.clock, script);
      const { stream } = chat;
      const watched: ScriptedChat = {
        ...chat,
        stream(request, signal) {
          const last = request.messages.findLast(({ role }) => role === "user")?.content ?? "";
          signal.addEventListener("abort", () => dropped.push(last));
          return stream(request, signal);
        },
      };
      return createTalkingAgent({ ...given, tools: { ...given.tools, chat: watched } });
    },
  });
  await stage.answer();
  await stage.pass(2 * SOUND_MS + 100);
  await stage.says("Yes, speaking.");
  await stage.pass(2 * SOUND_MS + 100);
  return { ...stage, dropped, requests: () => chat?.requests ?? [] };
}

const lastOf = (messages: readonly { role: string; content: string }[]) =>
  messages.findLast(({ role, content }) => role === "user" && !content.startsWith("{"))?.content;

test("it is queried once when words are recognised, and its answer plays after the end of turn", async () => {
  const stage = await setStage(() => ({ text: "Behind the house.", afterMs: 200 }));
  stage.willHear("Is there parking near the");
  await stage.voice(500);
  await stage.pass(RECOGNISED_MS);
  expect(stage.requests()).toHaveLength(1);
  expect(stage.last()).toBe("Will you come?");
  // An incomplete sentence is awaited: 1,400 ms from the end of speech.
  await stage.pass(1_400 - RECOGNISED_MS + 60);
  expect(stage.last()).toBe("Behind the house.");
  expect(stage.requests()).toHaveLength(1);
  await stage.pass(2 * SOUND_MS);
  expect(stage.agent.ended("peer").led).toMatchObject({ turns: 1, fillers: 0, takeovers: 0 });
});

test("a continued utterance gets one answer; the first one is neither played nor noted", async () => {
  const note = { calls: [{ name: "record_detail", arguments: { name: "car", value: "parking" } }] };
  const stage = await setStage(({ messages }) =>
    lastOf(messages)?.includes("bicycle")
      ? { text: "There is a stand for it." }
      : { ...note, text: "Behind the house." },
  );
  stage.willHear("Is there parking for my");
  await stage.voice(500);
  await stage.pass(RECOGNISED_MS);
  expect(stage.requests()).toHaveLength(1);
  stage.willHear("Is there parking for my bicycle?");
  await stage.voice(400);
  await stage.pass(RECOGNISED_MS + 60);
  expect(stage.requests()).toHaveLength(2);
  await stage.pass(SOUND_MS);
  expect(stage.heard()).toContain("There is a stand for it.");
  expect(stage.heard()).not.toContain("Behind the house.");
  const { led, extractedDetails } = stage.agent.ended("peer");
  expect(led).toMatchObject({ turns: 1 });
  expect(extractedDetails).not.toHaveProperty("car");
});

test("a continued utterance cancels the first request", async () => {
  const stage = await setStage(() => ({ text: "Behind the house.", afterMs: 5_000 }));
  stage.willHear("Is there parking for my");
  await stage.voice(500);
  await stage.pass(RECOGNISED_MS);
  expect(stage.dropped).toEqual([]);
  await stage.voice(200);
  expect(stage.dropped).toHaveLength(1);
});

test("a key pressed meanwhile is answered, and the model's answer is not played", async () => {
  const stage = await setStage(() => ({ text: "Behind the house." }));
  stage.willHear("Is there parking near the");
  await stage.voice(500);
  await stage.pass(RECOGNISED_MS);
  await stage.press("2");
  await stage.pass(4 * SOUND_MS);
  expect(stage.count("desk: offer 3")).toBe(1);
  expect(stage.heard()).not.toContain("Behind the house.");
});

test("a rejected speculative answer does not count", async () => {
  const stage = await setStage(() => ({ text: "You have cancer." }));
  for (const words of ["Is there parking near the", "Is there parking near the river and"]) {
    stage.willHear(words);
    await stage.voice(400);
    await stage.pass(RECOGNISED_MS);
  }
  await stage.press("3");
  await stage.pass(100);
  expect(stage.agent.ended("peer").led).toMatchObject({ turns: 0, stopped: 0 });
});

test("clear answers and backchannels query no model", async () => {
  const stage = await setStage(() => ({ text: "Behind the house." }));
  stage.willHear("Yes, I will come.");
  await stage.voice(500);
  await stage.pass(240);
  expect(stage.requests()).toHaveLength(0);
});
