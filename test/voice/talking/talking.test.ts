import { describe, expect, test } from "bun:test";
import { SOUND_MS, soundOf } from "../stage.ts";
import { answered, heardOut, setTalkingStage } from "./callee.ts";
import type { StageOptions } from "../stage.ts";

const GREETING = "Hello, this is City Hospital.";
const IDENTITY = "Am I speaking with Ravi?";
const APPOINTMENT_LINE = "Your appointment is on Tuesday, the fifth of May, at ten thirty in the morning.";
const ATTEND = "Will you come?";
const GOODBYE = "Thank you. Goodbye.";
/** Time left after the goodbye. */
const LEAVING_MS = 700;

/** Identity is confirmed, and the appointment was told. */
async function asked(options: StageOptions = {}) {
  const stage = await answered(options);
  await stage.says("Yes, speaking.");
  await heardOut(stage, 2);
  return stage;
}

describe("a call by voice", () => {
  test("goes from the greeting to a confirmed appointment", async () => {
    const stage = await asked();
    expect(stage.heard()).toEqual([GREETING, IDENTITY, APPOINTMENT_LINE, ATTEND]);
    await stage.says("Yes, I will.");
    await heardOut(stage, 2);
    expect(stage.count("desk: confirm")).toBe(1);
    expect(stage.last()).toBe(GOODBYE);
    await stage.pass(LEAVING_MS);
    expect(stage.happened.at(-1)).toBe("hang up");
    const { transcript, extractedDetails } = stage.agent.ended("us");
    expect(extractedDetails).toMatchObject({ answer: "confirmed", answered_by: "voice" });
    expect(transcript.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      `agent: ${GREETING}`,
      `agent: ${IDENTITY}`,
      "user: Yes, speaking.",
      `agent: ${APPOINTMENT_LINE}`,
      `agent: ${ATTEND}`,
      "user: Yes, I will.",
      expect.stringContaining("agent: "),
      `agent: ${GOODBYE}`,
    ]);
    const seconds = transcript.map(({ timestamp }) => timestamp);
    expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
  });

  test("answers an expected yes within a moment of its recognition", async () => {
    const stage = await answered();
    await stage.says("Yes.", { thenMs: 480 });
    expect(stage.last()).toBe(APPOINTMENT_LINE);
  });

  test("prepares the next phrases while the callee listens and speaks", async () => {
    const stage = await answered();
    expect(stage.spoken).toContain(APPOINTMENT_LINE);
    expect(stage.spoken).toContain(ATTEND);
  });

  test("synthesises the current phrase before likely next ones", async () => {
    const stage = await asked();
    const before = stage.spoken.length;
    const played = stage.heard().length;
    await stage.says("Can I have another day?");
    await heardOut(stage, 4);
    const said = stage.heard().slice(played);
    expect(said.at(-1)).toBe("Which one suits you?");
    const fresh = stage.spoken.slice(before);
    expect(fresh.slice(0, said.length)).toEqual(said);
    expect(fresh.length).toBeGreaterThan(said.length);
  });

  test("joins an utterance with a pause in it", async () => {
    const stage = await answered();
    await stage.says("Yes", { thenMs: 230 });
    await stage.says("Yes, this is me.");
    await stage.pass(100);
    expect(stage.asked).toHaveLength(2);
    expect(stage.agent.ended("peer").transcript.filter(({ speaker }) => speaker === "user")).toMatchObject([
      { text: "Yes, this is me." },
    ]);
  });

  test("asks again after silence, twice, and then says goodbye", async () => {
    const stage = await answered();
    await stage.pass(8_000);
    expect(stage.heard().filter((line) => line === IDENTITY)).toHaveLength(2);
    await stage.pass(SOUND_MS + 8_000);
    expect(stage.heard().filter((line) => line === IDENTITY)).toHaveLength(3);
    // The third time with the keys.
    await stage.pass(2 * SOUND_MS + 6_000 + SOUND_MS + 200 + LEAVING_MS);
    expect(stage.happened.at(-1)).toBe("hang up");
  });

  test("names the keys after two misunderstandings", async () => {
    const stage = await asked();
    await stage.says("Bananas.");
    await heardOut(stage, 3);
    await stage.says("Umbrellas.");
    await heardOut(stage, 4);
    expect(stage.heard().join()).toContain("Press 1 to confirm.");
    await stage.press("1");
    await stage.pass(100);
    expect(stage.count("desk: confirm")).toBe(1);
  });
});

describe("a key", () => {
  test("counts at any moment; simultaneous speech does not", async () => {
    const stage = await asked();
    stage.willHear("No.");
    await stage.voice(300);
    await stage.press("1");
    await stage.pass(3_000);
    expect(stage.count("desk: confirm")).toBe(1);
    expect(stage.heard().join()).not.toContain("another time");
  });

  test("after recognition started discards its words", async () => {
    const stage = await asked();
    await stage.says("No.", { thenMs: 240 });
    await stage.press("1");
    await stage.pass(3_000);
    expect(stage.count("desk: confirm")).toBe(1);
    expect(stage.heard().join()).not.toContain("another time");
  });
});

describe("a callee who speaks over the agent", () => {
  test("pauses it, and it resumes after a backchannel", async () => {
    const stage = setTalkingStage();
    await stage.answer();
    await stage.pass(1_000);
    await stage.says("Mhm.", { forMs: 300, thenMs: 600 });
    expect(stage.happened.filter((what) => what === "pause" || what === "resume" || what === "stop")).toEqual([
      "pause",
      "resume",
    ]);
    await heardOut(stage, 2);
    expect(stage.heard()).toEqual([GREETING, IDENTITY]);
  });

  test("stops it with words, and the transcript has only the played part", async () => {
    const stage = await answered();
    await stage.says("Yes.");
    await stage.pass(800);
    expect(stage.last()).toBe(APPOINTMENT_LINE);
    await stage.says("Can I speak to a person please", { forMs: 1_000, thenMs: 800 });
    expect(stage.count("stop")).toBe(1);
    const { transcript, turns } = stage.agent.ended("peer");
    const cut = transcript.find(({ text }) => text.startsWith("Your appointment"));
    expect(cut?.text).toMatch(/…$/);
    expect(turns?.some(({ interrupted_at }) => interrupted_at !== null)).toBe(true);
  });

  test("with a hello when they pick up does not interrupt the greeting", async () => {
    const stage = setTalkingStage();
    await stage.answer();
    await stage.pass(100);
    await stage.says("Hello?", { forMs: 700, thenMs: 500 });
    expect(stage.count("pause")).toBe(0);
    await heardOut(stage, 2);
    expect(stage.heard()).toEqual([GREETING, IDENTITY]);
  });

  test("with a long hello hears it again, without a misunderstanding", async () => {
    const stage = setTalkingStage();
    await stage.answer();
    await stage.pass(SOUND_MS + 500);
    await stage.says("Hello? Hello?", { forMs: 900, thenMs: 1_200 });
    expect(stage.heard()).toEqual([GREETING, IDENTITY, IDENTITY]);
    expect(stage.agent.ended("peer").transcript.map(({ text }) => text)).toContain("Hello? Hello?");
  });

  test("and says nothing hears it again from the interrupted phrase", async () => {
    const stage = setTalkingStage();
    await stage.answer();
    await stage.pass(1_000);
    stage.willHear("");
    await stage.voice(900);
    await stage.pass(1_200);
    expect(stage.heard()).toEqual([GREETING, GREETING]);
  });

  test("politely over the closing pauses it, and it resumes where it was paused", async () => {
    const stage = await asked();
    await stage.says("Yes.");
    await stage.pass(500);
    const before = { stop: stage.count("stop"), played: stage.heard().length };
    await stage.says("Thank you very much, bye bye", { forMs: 1_500 });
    expect(stage.count("pause")).toBe(1);
    expect(stage.count("resume")).toBe(1);
    await heardOut(stage, 2);
    await stage.pass(LEAVING_MS);
    expect(stage.count("stop")).toBe(before.stop);
    expect(stage.heard().slice(before.played)).toEqual([GOODBYE]);
    expect(stage.happened.at(-1)).toBe("hang up");
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "confirmed" });
  });
});

describe("faults", () => {
  test("lost ears lead to named keys, and the record says so", async () => {
    const stage = await asked();
    stage.loseEars();
    await heardOut(stage, 4);
    expect(stage.heard().join()).toContain("Press 1 to confirm.");
    await stage.press("1");
    await heardOut(stage, 2);
    const { extractedDetails } = stage.agent.ended("us");
    expect(extractedDetails).toMatchObject({
      answer: "confirmed",
      answered_by: "voice and keypad",
      voice_turns: 1,
      keypad_turns: 1,
      speech: "was lost during the call; it went on by keypad",
    });
    expect(stage.isClosed()).toBe(true);
  });

  test("ears lost before the answer lead to keys after the first question", async () => {
    const stage = setTalkingStage();
    stage.loseEars();
    await stage.answer();
    await heardOut(stage, 5);
    expect(stage.heard().slice(0, 2)).toEqual([GREETING, IDENTITY]);
    expect(stage.heard().join()).toContain("Press 1");
  });

  test("a failing recogniser leads to keys, and words count again after it recovers", async () => {
    const stage = await asked();
    stage.willHear(null);
    await stage.voice(500);
    await stage.pass(600);
    await heardOut(stage, 4);
    expect(stage.heard().join()).toContain("Press 1 to confirm.");
    await stage.says("Yes.");
    await stage.pass(200);
    expect(stage.count("desk: confirm")).toBe(1);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({
      answered_by: "voice",
      voice_turns: 2,
      keypad_turns: 0,
      speech: "was not recognised in 1 turn",
    });
  });

  test("after words are recognised again the keys are no longer named", async () => {
    const stage = await asked();
    stage.willHear(null);
    await stage.voice(500);
    await stage.pass(600);
    await heardOut(stage, 4);
    await stage.says("No.");
    await heardOut(stage, 2);
    expect(stage.last()).not.toContain("Press");
  });

  test("a recogniser that never answers times out after 3 s", async () => {
    const stage = await asked();
    stage.recogniserHangs();
    await stage.voice(500);
    await stage.pass(3_100);
    await heardOut(stage, 4);
    expect(stage.heard().join()).toContain("Press 1 to confirm.");
  });

  test("ears lost during a pause do not leave it silent", async () => {
    const stage = setTalkingStage();
    await stage.answer();
    await stage.pass(1_000);
    await stage.voice(300);
    expect(stage.count("pause")).toBe(1);
    stage.loseEars();
    await heardOut(stage, 4);
    expect(stage.heard().length).toBeGreaterThan(1);
  });

  test("recognition after the call has no effect", async () => {
    const stage = await asked();
    await stage.says("Yes.", { thenMs: 240 });
    const { extractedDetails } = stage.agent.ended("peer");
    await stage.clock.advance(10_000);
    expect(extractedDetails).toMatchObject({ answer: expect.not.stringMatching("confirmed") });
    expect(stage.count("desk: confirm")).toBe(0);
  });

  test("a late alarm interrupts the agent once and is transcribed", async () => {
    const stage = await asked();
    await stage.says("I have just paint.");
    await stage.pass(400);
    stage.spots("chest pain");
    stage.spots("chest pain");
    await heardOut(stage, 2);
    expect(stage.count("consult +912200001111")).toBe(1);
    const { transcript, extractedDetails } = stage.agent.ended("us");
    expect(transcript.filter(({ text }) => text === "chest pain")).toHaveLength(1);
    expect(JSON.stringify(extractedDetails)).toContain("emergency");
  });

  test("an alarm of the spotter counts, whatever the recogniser wrote", async () => {
    const stage = await asked();
    stage.willHear({ text: "I have just paint.", confidence: 0.9, alarms: ["chest pain"] });
    await stage.voice(700);
    await stage.pass(600);
    await heardOut(stage, 2);
    expect(stage.happened).toContain("consult +912200001111");
  });
});

test("the timestamps of a turn are in order, from the end of speech to our first audio", async () => {
  const stage = await answered();
  await stage.says("Yes.");
  await stage.pass(500);
  const { turns } = stage.agent.ended("peer");
  expect(turns).toHaveLength(2);
  const [greeting, turn] = turns ?? [];
  expect(greeting).toMatchObject({ commit: 0, speech_end: null, rtp_first: expect.any(Number) });
  const order = [
    turn?.speech_end,
    turn?.stt_start,
    turn?.stt_final,
    turn?.commit,
    turn?.llm_start,
    turn?.llm_first,
    turn?.tts_start,
    turn?.tts_first,
    turn?.rtp_first,
  ];
  expect(order.every((atMs) => typeof atMs === "number")).toBe(true);
  expect(order).toEqual(order.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
  expect((turn?.rtp_first ?? 0) - (turn?.speech_end ?? 0)).toBeLessThan(700);
});

test("words on a simulated line are turns like any other", async () => {
  const stage = setTalkingStage();
  await stage.answer();
  await stage.clock.advance(2 * SOUND_MS);
  await stage.hear("Yes.");
  await stage.clock.advance(2 * SOUND_MS);
  await stage.hear("Yes.");
  await stage.clock.advance(2 * SOUND_MS + LEAVING_MS);
  expect(stage.count("desk: confirm")).toBe(1);
  expect(stage.happened.at(-1)).toBe("hang up");
});

describe("a phrase in clauses", () => {
  const clausesOf = (text: string) => text.split(/(?<=,) /);
  const appointmentInClauses = (text: string) => (text === APPOINTMENT_LINE ? clausesOf(text) : [text]);

  test("starts with the first while the rest is synthesised", async () => {
    const made = Promise.withResolvers<void>();
    const stage = setTalkingStage({
      clausesOf,
      voice: async (text) => {
        if (text === "this is City Hospital.") await made.promise;
        return soundOf(1_000);
      },
    });
    await stage.answer();
    await stage.pass(1_500);
    expect(stage.heard()).toEqual(["Hello,"]);
    made.resolve();
    await stage.pass(100);
    expect(stage.heard()).toEqual(["Hello,", "this is City Hospital."]);
  });

  test("is one entry of the transcript, as far as it was played", async () => {
    const stage = await answered({ clausesOf: appointmentInClauses });
    await stage.says("Yes.");
    await stage.pass(SOUND_MS + 1_000);
    const { transcript } = stage.agent.ended("peer");
    expect(transcript.at(-1)?.text).toBe("Your appointment is on Tuesday, the fifth …");
  });

  test("counts as told only after its last clause was played", async () => {
    const stage = await answered({ clausesOf: appointmentInClauses });
    await stage.says("Yes.");
    await stage.pass(2 * SOUND_MS);
    await stage.press("1");
    await stage.pass(100);
    expect(stage.count("desk: confirm")).toBe(0);
    await stage.pass(4 * SOUND_MS);
    await stage.press("1");
    await stage.pass(100);
    expect(stage.count("desk: confirm")).toBe(1);
  });

  test("is repeated from its first clause after an interruption", async () => {
    const stage = setTalkingStage({ clausesOf });
    await stage.answer();
    await stage.pass(SOUND_MS + 500);
    stage.willHear("");
    await stage.voice(900);
    await stage.pass(1_200);
    expect(stage.heard()).toEqual(["Hello,", "this is City Hospital.", "Hello,"]);
  });

  test("is skipped if synthesis fails, and retried the next time", async () => {
    let isDown = true;
    const stage = setTalkingStage({ voice: async () => (isDown ? null : soundOf(SOUND_MS)) });
    await stage.answer();
    isDown = false;
    await stage.pass(8_100);
    expect(stage.heard()).toEqual([IDENTITY]);
  });

  test("that failed in the middle is synthesised again, so that the callee can agree to it", async () => {
    let isDown = true;
    const isSecond = (text: string) => text.startsWith("the fifth");
    const stage = await asked({
      clausesOf: (text) => text.split(/(?<=Tuesday,) /),
      voice: async (text) => (isDown && isSecond(text) ? null : soundOf(SOUND_MS)),
    });
    expect(stage.heard().some(isSecond)).toBeFalse();
    isDown = false;
    await stage.press("1");
    await heardOut(stage, 3);
    expect(stage.count("desk: confirm")).toBe(0);
    expect(stage.heard().some(isSecond)).toBeTrue();
    await stage.press("1");
    expect(stage.count("desk: confirm")).toBe(1);
  });
});

describe("a machine that takes messages", () => {
  const MACHINE = "Please leave a message after the tone.";
  const isMessage = (text: string | undefined) => text?.includes("sorry to have missed you") ?? false;
  const beep = Int16Array.from({ length: 160 }, (_, i) => 6_000 * Math.sin((2 * Math.PI * 1_000 * i) / 8_000));

  async function greetedByMachine() {
    const stage = setTalkingStage();
    await stage.answer();
    await stage.pass(1_200);
    await stage.says(MACHINE, { forMs: 1_500, thenMs: 700 });
    return stage;
  }

  test("hears its message after the beep", async () => {
    const stage = await greetedByMachine();
    expect(isMessage(stage.last())).toBe(false);
    for (let i = 0; i < 20; i++) {
      await stage.clock.advance(20);
      stage.agent.heardFrame(beep, 0);
    }
    await stage.pass(300);
    expect(isMessage(stage.last())).toBe(true);
    await heardOut(stage, 2);
    expect(stage.happened.at(-1)).toBe("hang up");
    expect(stage.agent.ended("us").analytics?.disposition).toBe("voicemail");
  });

  test("that does not beep hears it after a silence", async () => {
    const stage = await greetedByMachine();
    await stage.pass(1_500);
    expect(isMessage(stage.last())).toBe(false);
    await stage.pass(1_500);
    expect(isMessage(stage.last())).toBe(true);
  });

  test("that beeps late hears it again", async () => {
    const stage = await greetedByMachine();
    await stage.pass(3_000);
    for (let i = 0; i < 20; i++) {
      await stage.clock.advance(20);
      stage.agent.heardFrame(beep, 0);
    }
    await stage.pass(300);
    expect(stage.heard().filter(isMessage)).toHaveLength(2);
  });

  test("gets the message even if its greeting was not recognised", async () => {
    const stage = await answered();
    for (let i = 0; i < 20; i++) {
      await stage.clock.advance(20);
      stage.agent.heardFrame(beep, 0);
    }
    await stage.pass(300);
    expect(isMessage(stage.last())).toBe(true);
  });
});

describe("what is agreed on", () => {
  const OPT_OUT = 'agree {"optOut":true}';

  test("is stored once, before it is confirmed in words", async () => {
    const writing = Promise.withResolvers<void>();
    const stage = await answered({ agree: () => writing.promise });
    const before = stage.heard().length;
    await stage.says("Please do not call me again.");
    await stage.pass(1_000);
    expect(stage.count(OPT_OUT)).toBe(1);
    expect(stage.heard()).toHaveLength(before);
    writing.resolve();
    await heardOut(stage, 2);
    expect(stage.last()).toBe(GOODBYE);
    expect(stage.count(OPT_OUT)).toBe(1);
    expect(stage.agent.ended("us")).toMatchObject({ optOut: true });
  });

  test("is stored with the named time after it was read back and confirmed", async () => {
    const stage = await answered();
    await stage.says("I am busy, call me tomorrow at ten.");
    await heardOut(stage, 1);
    expect(stage.happened.join()).not.toContain("agree");
    await stage.says("Yes.");
    await heardOut(stage, 2);
    const written = stage.happened.filter((what) => what.startsWith("agree"));
    const { callbackAt } = stage.agent.ended("us");
    expect(callbackAt).toBeGreaterThan(stage.clock.now());
    expect(written).toEqual([`agree ${JSON.stringify({ callbackAt })}`]);
  });

  test("is confirmed even if the write fails: the end of the call repeats it", async () => {
    const stage = await answered({ agree: () => Promise.reject(new Error("The disk is full.")) });
    await stage.says("Please do not call me again.");
    await heardOut(stage, 2);
    await stage.pass(LEAVING_MS);
    expect(stage.happened.at(-1)).toBe("hang up");
    expect(stage.logLines.join()).toContain("storing what was agreed on a call failed");
    expect(stage.agent.ended("us")).toMatchObject({ optOut: true });
  });
});

describe("a callee who asks the agent to speak", () => {
  test("more slowly hears slower speech for the rest of the call", async () => {
    const stage = await asked();
    expect(stage.spoken.join()).not.toContain("slowly");
    await stage.says("Could you speak more slowly, please?");
    await heardOut(stage, 3);
    expect(stage.spoken).toContain(`slowly: ${APPOINTMENT_LINE}`);
    await stage.says("Yes, I will come.");
    await heardOut(stage, 2);
    expect(stage.spoken).toContain(`slowly: ${GOODBYE}`);
    expect(stage.last()).toBe(GOODBYE);
  });

  test("louder hears 4 dB more, recordings too, for the rest of the call", async () => {
    const samples = new Int16Array(SOUND_MS * 8).fill(3_000);
    const stage = await asked({ voice: async () => ({ ...soundOf(SOUND_MS), samples }), recorded: ["goodbye"] });
    const peak = () => Math.max(...(stage.played().at(-1)?.samples ?? []));
    expect(peak()).toBe(3_000);
    await stage.says("Please speak louder, I can hardly hear you.");
    await heardOut(stage, 3);
    expect(peak()).toBeWithin(4_700, 4_800);
    await stage.says("Yes, I will come.");
    await heardOut(stage, 2);
    expect(Math.max(...(stage.played().at(-2)?.samples ?? []))).toBeWithin(4_700, 4_800);
    expect(stage.spoken.join()).not.toContain("slowly");
  });
});

describe("a hold", () => {
  test("stops the wait for an answer, which restarts afterwards", async () => {
    const stage = await asked();
    const before = stage.heard().length;
    stage.holdsUs(true);
    // Hold music is not an answer.
    await stage.says("It is a beautiful day.", { forMs: 3_000, thenMs: 60_000 });
    expect(stage.heard()).toHaveLength(before);
    stage.holdsUs(false);
    await stage.pass(7_000);
    expect(stage.heard()).toHaveLength(before);
    await stage.pass(1_500);
    expect(stage.heard().length).toBeGreaterThan(before);
  });

  test("during a phrase does not count it as told", async () => {
    const stage = await answered();
    await stage.says("Yes, speaking.");
    await stage.pass(200);
    expect(stage.last()).toBe(APPOINTMENT_LINE);
    stage.holdsUs(true);
    await stage.pass(20_000);
    expect(stage.last()).toBe(APPOINTMENT_LINE);
    stage.holdsUs(false);
    await heardOut(stage, 2);
    expect(stage.last()).toBe(ATTEND);
  });
});
