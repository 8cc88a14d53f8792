// A television near the callee: it interrupts the agent once, for less than three seconds, and is attributed to no
// speaker.
import { expect, test } from "bun:test";
import { SOUND_MS } from "../stage.ts";
import { setTalkingStage } from "./callee.ts";

const TELEVISION = 1_000;
/** 10 dB louder: callers and machines at a telephone. */
const CALLER = 3_300;
const BABBLE = { text: "I'm not sure that the", confidence: 0.4, alarms: [] };

async function watching(amplitude = TELEVISION) {
  const stage = setTalkingStage();
  await stage.answer();
  await stage.pass(1_100);
  stage.isAsLoudAs(amplitude);
  stage.willHear(BABBLE);
  return stage;
}

test("the agent resumes within three seconds and is not interrupted again", async () => {
  const stage = await watching();
  await stage.voice(2_900);
  // Interrupted and repeated.
  const lines = stage.heard();
  expect(lines.filter((line) => line === lines.at(-1)).length).toBeGreaterThanOrEqual(1);
  const played = stage.count("stop");
  await stage.voice(2 * SOUND_MS + 4_000);
  expect(stage.count("stop")).toBe(played);
});

test("the keys are offered after six seconds of background only; the caller is understood over it", async () => {
  const stage = await watching();
  await stage.voice(2_900);
  await stage.voice(2 * SOUND_MS + 6_600);
  expect(stage.heard().join(" ")).toContain("Please answer with the keys of your phone.");
  await stage.voice(4 * SOUND_MS);
  stage.isAsLoudAs(CALLER);
  await stage.says("Yes, speaking.", { forMs: 700, thenMs: 900 });
  expect(stage.heard().join(" ")).toContain("Your appointment is on");
});

test("the transcript does not contain it as the callee's words", async () => {
  const stage = await watching();
  await stage.voice(8_000);
  const { transcript } = stage.agent.ended("peer");
  expect(transcript.filter(({ speaker }) => speaker !== "agent")).toEqual([]);
});

test("a far television that talks into the greeting is known by its level, before the caller has spoken", async () => {
  const stage = await watching();
  stage.willHear("In other news, the train drivers have called it off.");
  await stage.voice(2_900);
  const stops = stage.count("stop");
  await stage.voice(2 * SOUND_MS + 4_000);
  expect(stage.count("stop")).toBe(stops);
  stage.isAsLoudAs(CALLER);
  await stage.says("Yes, speaking.", { forMs: 700, thenMs: 900 });
  expect(stage.heard().join(" ")).toContain("Your appointment is on");
});

test("words of a known television that would be an answer count for nothing", async () => {
  const stage = await watching();
  await stage.voice(2_900);
  await stage.pass(2 * SOUND_MS + 500);
  // A sudden louder word of it passes the gate.
  stage.isAsLoudAs(2 * TELEVISION);
  await stage.says("Yes, that is right.", { forMs: 900, thenMs: 900 });
  expect(stage.heard().join(" ")).not.toContain("Your appointment is on");
});

test("guessed words are transcribed as unclear", async () => {
  const stage = setTalkingStage();
  await stage.answer();
  await stage.pass(2 * SOUND_MS + 100);
  stage.willHear(BABBLE);
  await stage.voice(700);
  // Their last word suggests that more follows.
  await stage.pass(2_000);
  const { transcript } = stage.agent.ended("peer");
  expect(transcript.filter(({ speaker }) => speaker !== "agent").map(({ text }) => text)).toEqual(["(not clear)"]);
});

test("a clearly recognised television is not waited for, either", async () => {
  const stage = await watching();
  stage.willHear("And welcome to the news of the evening.");
  await stage.voice(2_900);
  const stops = stage.count("stop");
  await stage.voice(2 * SOUND_MS + 4_000);
  expect(stage.count("stop")).toBe(stops);
});

test("before the caller has spoken, the agent speaks over meaningless clear words after three seconds and keeps listening", async () => {
  const stage = await watching(CALLER);
  stage.willHear("In other news, the train drivers have called it off.");
  await stage.voice(900);
  const cutOff = stage.heard().length;
  await stage.voice(2_000);
  expect(stage.heard().length).toBeGreaterThan(cutOff);
  const stops = stage.count("stop");
  stage.willHear("In other news. Hello, you have reached the voicemail of Asha Rao.");
  await stage.voice(1_000);
  expect(stage.count("stop")).toBe(stops);
  await stage.pass(2_000);
  expect(stage.agent.ended("peer").analytics!.disposition).toBe("voicemail");
});

test("before the caller has spoken, an unrecognised machine does not mask the person after it", async () => {
  const stage = await watching(CALLER);
  await stage.voice(4_000);
  await stage.pass(2 * SOUND_MS + 1_000);
  // As loud as the machine was.
  await stage.says("Yes, speaking.", { forMs: 700, thenMs: 900 });
  expect(stage.heard().join(" ")).toContain("Your appointment is on");
});

test("short remarks over the agent lead to a repetition, not to a question", async () => {
  const stage = await watching();
  stage.willHear("Good evening to all.");
  for (let remark = 0; remark < 4; remark++) {
    await stage.voice(900);
    await stage.pass(1_200);
  }
  await stage.pass(2 * SOUND_MS);
  const said = stage.heard().join(" ");
  expect(said).not.toContain("did not understand");
  expect(said).not.toContain("connecting you to a person");
  const { transcript } = stage.agent.ended("peer");
  const written = transcript.filter(({ speaker }) => speaker !== "agent").map(({ text }) => text);
  expect(new Set(written)).toEqual(new Set(["(not clear)"]));
});

test("quieter meaningless words lead to the keys; the caller's words still count", async () => {
  const stage = setTalkingStage();
  await stage.answer();
  await stage.pass(2 * SOUND_MS + 100);
  stage.isAsLoudAs(CALLER);
  await stage.says("Yes, speaking.", { forMs: 700, thenMs: 900 });
  await stage.pass(2 * SOUND_MS + 100);
  stage.isAsLoudAs(TELEVISION);
  await stage.pass(500);
  await stage.says("The train drivers have called it off.", { forMs: 900, thenMs: 1_500 });
  await stage.pass(5 * SOUND_MS);
  const said = stage.heard().join(" ");
  expect(said).not.toContain("did not understand");
  expect(said).toContain("Please answer with the keys of your phone.");
  stage.isAsLoudAs(CALLER);
  await stage.says("Yes, I will come.", { forMs: 700, thenMs: 900 });
  await stage.pass(2 * SOUND_MS);
  expect(stage.heard().join(" ")).toContain("Your appointment is confirmed.");
});

test("words as loud as the caller lead to a question", async () => {
  const stage = setTalkingStage();
  await stage.answer();
  await stage.pass(2 * SOUND_MS + 100);
  stage.isAsLoudAs(CALLER);
  await stage.says("Yes, speaking.", { forMs: 700, thenMs: 900 });
  await stage.pass(2 * SOUND_MS + 100);
  await stage.says("The train drivers have called it off.", { forMs: 900, thenMs: 1_500 });
  await stage.pass(SOUND_MS);
  expect(stage.heard().join(" ")).toContain("did not understand");
});

test("a robot that talks over the greeting is heard out, and answered", async () => {
  const stage = await watching(CALLER);
  stage.willHear("Hi, the person you are calling has");
  await stage.voice(3_000);
  const before = stage.heard().length;
  stage.willHear(
    "Hi, the person you are calling has a screening service. Please say your name and why you are calling.",
  );
  await stage.voice(1_000);
  expect(stage.heard().length).toBe(before);
  await stage.pass(1_500);
  await stage.pass(SOUND_MS);
  expect(stage.heard().join(" ")).toContain("with a personal message");
});

test("early media is ignored", async () => {
  const stage = setTalkingStage();
  stage.willHear("The number that you have called is not available.");
  await stage.voice(1_500);
  await stage.pass(1_000);
  expect(stage.asked).toEqual([]);
});

test("continuous cries for help are not background", async () => {
  const stage = await watching();
  stage.willHear({ text: "I have chest pain and I cannot", confidence: 0.4, alarms: ["chest pain"] });
  await stage.voice(2_900);
  expect(stage.heard().join(" ")).toContain("This may be an emergency.");
});

test("a long explanation is heard out", async () => {
  const stage = setTalkingStage();
  await stage.answer();
  await stage.pass(2 * SOUND_MS + 100);
  stage.isAsLoudAs(CALLER);
  stage.willHear("Yes, this is she, I was just about to call you about the appointment that I have.");
  const before = stage.heard().length;
  await stage.voice(7_000);
  expect(stage.heard().length).toBe(before);
  await stage.pass(1_000);
  expect(stage.heard().join(" ")).toContain("Your appointment is on");
});

test("a recogniser timeout does not leave the callee in silence while the television goes on", async () => {
  const stage = await watching();
  stage.recogniserHangs();
  await stage.voice(2_000);
  const before = stage.heard().length;
  await stage.voice(6_000);
  expect(stage.heard().length).toBeGreaterThan(before);
  await stage.voice(2 * SOUND_MS + 8_000);
  expect(stage.heard().join(" ")).toContain("Please answer with the keys of your phone.");
});
