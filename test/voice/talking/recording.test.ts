// Recording of a call: nothing before the notice was heard or the callee agreed, and nothing after they want it off.
import { describe, expect, test } from "bun:test";
import { SOUND_MS, setStage, type StageOptions } from "../stage.ts";
import { heardOut, setTalkingStage, type TalkingStage } from "./callee.ts";

const NOTICES = { hospital: "City Hospital", callbackNumber: "+912212345678" };
const OPENING = "Hello, this is the automatic assistant of City Hospital.";
const NOTICE = "This call is recorded.";
const MAY_RECORD = "May we record this call?";
const IDENTITY = "Am I speaking with Ravi?";
const STOPPED = "All right. The recording has stopped.";

type Mode = "announce" | "ask" | "off";
const briefOf = (recording: Mode, more: StageOptions["brief"] = {}) => ({
  notices: NOTICES,
  greeting: "",
  recording,
  ...more,
});
async function called(recording: Mode, more: StageOptions["brief"] = {}): Promise<TalkingStage> {
  const stage = setTalkingStage({ brief: briefOf(recording, more) });
  await stage.answer();
  return stage;
}
const records = ({ happened }: Pick<TalkingStage, "happened">) =>
  happened.filter((what) => what === "record" || what === "stop recording");

describe("announced", () => {
  test("it starts when the notice was played to its end", async () => {
    const stage = await called("announce");
    await stage.pass(2 * SOUND_MS - 100);
    expect(records(stage)).toEqual([]);
    await stage.pass(200);
    expect(records(stage)).toEqual(["record"]);
    expect(stage.heard()).toEqual([OPENING, NOTICE, IDENTITY]);
    const { recording, notices } = stage.agent.ended("peer");
    expect(recording).toEqual({ mode: "announce", consent: null, from: 4, until: null });
    expect(notices?.[2]).toEqual({ kind: "recording", heardAt: 4 });
  });

  test("the notice is said again if the callee speaks over it", async () => {
    const stage = await called("announce");
    await stage.pass(SOUND_MS + 500);
    await stage.says("What is this about?", { forMs: 900, thenMs: 600 });
    expect(records(stage)).toEqual([]);
    expect(stage.heard()).toEqual([OPENING, NOTICE, NOTICE]);
    await stage.pass(SOUND_MS);
    expect(records(stage)).toEqual(["record"]);
  });

  test("it is announced on a call by keypad and to a voicemail", async () => {
    const stage = setStage({ brief: briefOf("announce", { language: "hi" }) });
    await stage.answer();
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.heard()[1]).toBe("यह कॉल रिकॉर्ड की जा रही है। रिकॉर्डिंग बंद करने के लिए कभी भी सात दबाइए।");
    expect(stage.count("record")).toBe(1);
    const machine = await called("announce");
    await machine.says("Please leave a message after the tone.", { forMs: 1_800 });
    await machine.pass(4_000);
    await heardOut(machine, 6);
    const message = machine.heard().findIndex((text) => text.includes("sorry to have missed you"));
    expect(machine.heard()[message + 1]).toBe(NOTICE);
  });

  for (const words of ["Stop recording.", "I do not want to be recorded."])
    test(`"${words}" stops it at once, and the agent confirms it`, async () => {
      const stage = await called("announce");
      await heardOut(stage, 3);
      await stage.says(words);
      expect(records(stage)).toEqual(["record", "stop recording"]);
      expect(stage.last()).toBe(STOPPED);
      await heardOut(stage, 2);
      expect(stage.last()).toBe(IDENTITY);
      const { recording } = stage.agent.ended("peer");
      expect(recording).toMatchObject({ mode: "announce", consent: "withdrawn", from: 4 });
      expect(recording?.until).toBeGreaterThan(6);
    });

  for (const [language, confirmed] of [
    ["en", STOPPED],
    ["hi", "ठीक है। रिकॉर्डिंग बंद कर दी गई है।"],
  ] as const)
    test(`by keypad (${language}), key 7 stops it in every state, and the agent confirms it`, async () => {
      for (const keys of [[], ["1"], ["1", "1"], ["1", "2"]]) {
        const stage = setStage({ brief: briefOf("announce", { language }) });
        await stage.answer();
        await stage.clock.advance(4 * SOUND_MS);
        for (const key of keys) {
          await stage.press(key);
          await stage.clock.advance(2 * SOUND_MS);
        }
        expect(records(stage)).toEqual(["record"]);
        await stage.press("7");
        expect(records(stage)).toEqual(["record", "stop recording"]);
        expect(stage.heard().at(-1)).toBe(confirmed);
        await stage.clock.advance(60_000);
        expect(records(stage)).toEqual(["record", "stop recording"]);
        expect(stage.agent.ended("us").recording).toMatchObject({ consent: "withdrawn", until: expect.any(Number) });
      }
    });

  test("it can be stopped over the goodbye, and starts no more", async () => {
    const stage = await called("announce");
    await heardOut(stage, 3);
    await stage.says("Yes, speaking.");
    await heardOut(stage, 2);
    await stage.says("Yes, I will come.");
    await stage.pass(SOUND_MS);
    await stage.says("Stop recording.", { forMs: 700 });
    expect(records(stage)).toEqual(["record", "stop recording"]);
    await heardOut(stage, 5);
    expect(stage.heard()).toContain(STOPPED);
    expect(stage.count("desk: undo")).toBe(0);
    expect(records(stage)).toEqual(["record", "stop recording"]);
  });
});

describe("asked for", () => {
  test("comes after who is calling and before anything else", async () => {
    const stage = await called("ask");
    await heardOut(stage, 2);
    expect(stage.heard()).toEqual([OPENING, MAY_RECORD]);
    expect(records(stage)).toEqual([]);
  });

  for (const how of ["word", "key"] as const) {
    test(`a yes by ${how} starts it`, async () => {
      const stage = await called("ask");
      await heardOut(stage, 2);
      if (how === "word") await stage.says("Yes, sure.");
      else await stage.press("1");
      expect(records(stage)).toEqual(["record"]);
      await heardOut(stage, 2);
      expect(stage.heard().slice(2)).toEqual(["Thank you. This call is recorded.", IDENTITY]);
      expect(stage.agent.ended("peer").recording).toMatchObject({ mode: "ask", consent: "given", until: null });
    });

    test(`a no by ${how} goes on unrecorded`, async () => {
      const stage = await called("ask");
      await heardOut(stage, 2);
      if (how === "word") await stage.says("No, please don't.");
      else await stage.press("2");
      await heardOut(stage, 2);
      expect(stage.heard().slice(2)).toEqual(["All right. This call is not recorded.", IDENTITY]);
      expect(records(stage)).toEqual([]);
      expect(stage.agent.ended("peer").recording).toEqual({ mode: "ask", consent: "refused", from: null, until: null });
    });
  }

  test("by keypad the keys are named, and a key before the question is no answer", async () => {
    const stage = setStage({ brief: briefOf("ask") });
    await stage.answer();
    await stage.press("1");
    await stage.clock.advance(3 * SOUND_MS);
    expect(stage.heard()).toEqual([OPENING, MAY_RECORD, "Press 1 for yes, or 2 for no."]);
    expect(stage.count("record")).toBe(0);
    await stage.press("1");
    expect(stage.count("record")).toBe(1);
    await stage.clock.advance(SOUND_MS);
    expect(stage.heard().at(-1)).toBe("Press 7 at any time to stop the recording.");
    await stage.press("7");
    expect(stage.count("stop recording")).toBe(1);
  });

  for (const words of ["Bananas and", "Yes, if I must.", "mhm"])
    test(`"${words}" is no clear answer: it goes on unrecorded`, async () => {
      const stage = await called("ask");
      await heardOut(stage, 2);
      await stage.says(words);
      await stage.pass(8_000);
      expect(records(stage)).toEqual([]);
      expect(stage.agent.ended("peer").recording).toMatchObject({ consent: null, from: null });
    });

  test("silence is no consent", async () => {
    const stage = await called("ask");
    await heardOut(stage, 2);
    await stage.pass(5_500);
    expect(stage.last()).toBe(IDENTITY);
    expect(records(stage)).toEqual([]);
  });

  test("a yes to who answers the telephone, before the question, is no consent", async () => {
    const stage = await called("ask");
    await stage.pass(1_000);
    await stage.says("Yes?", { forMs: 900, thenMs: 600 });
    await stage.press("1");
    expect(records(stage)).toEqual([]);
    await heardOut(stage, 3);
    expect(stage.heard().slice(-2)).toEqual([MAY_RECORD, "Press 1 for yes, or 2 for no."]);
  });

  test("a machine cannot agree", async () => {
    const stage = await called("ask");
    await heardOut(stage, 2);
    await stage.says("Please leave a message after the tone.", { forMs: 1_500 });
    await stage.pass(15_000);
    expect(records(stage)).toEqual([]);
    expect(stage.heard()).not.toContain(NOTICE);
  });

  test("an inbound caller is asked too, and the call goes on", async () => {
    const stage = await called("ask", { direction: "inbound" });
    await heardOut(stage, 2);
    await stage.says("Yes.");
    await heardOut(stage, 3);
    expect(records(stage)).toEqual(["record"]);
    expect(stage.last()).toBe("Will you come?");
  });

  test("consent is withdrawn later in the call", async () => {
    const stage = await called("ask");
    await heardOut(stage, 2);
    await stage.says("Yes.");
    await heardOut(stage, 2);
    await stage.says("Stop recording.");
    expect(records(stage)).toEqual(["record", "stop recording"]);
    expect(stage.agent.ended("peer").recording).toMatchObject({ mode: "ask", consent: "withdrawn" });
  });
});

test("it ends where the desk joins the call in an emergency, because the desk agreed to nothing", async () => {
  const stage = await called("announce");
  await heardOut(stage, 3);
  await stage.says("I have chest pain!");
  await stage.pass(3 * SOUND_MS);
  expect(records(stage)).toEqual(["record", "stop recording"]);
  await stage.pass(60_000);
  const { recording } = stage.agent.ended("peer");
  expect(recording).toMatchObject({ mode: "announce", consent: null, from: 4 });
  expect(recording?.until).toBeWithin(6, 20);
});

test("off: nothing is recorded, and nothing is said of it", async () => {
  const stage = await called("off");
  await heardOut(stage, 3);
  expect(stage.heard()).toEqual([OPENING, IDENTITY]);
  await stage.says("Stop recording.");
  expect(stage.last()).toBe("All right. This call is not recorded.");
  expect(records(stage)).toEqual([]);
  expect(stage.agent.ended("peer").recording).toEqual({ mode: "off", consent: null, from: null, until: null });
});
