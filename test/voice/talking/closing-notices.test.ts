// The number to call back and how to stop the calls: at the end, in a voicemail, and on request.
import { describe, expect, test } from "bun:test";
import { SOUND_MS, setStage, type StageOptions } from "../stage.ts";
import { heardOut, setTalkingStage, type TalkingStage } from "./callee.ts";

const NOTICES = { hospital: "City Hospital", callbackNumber: "+912212345678" };
const CALLBACK = "You can call us on plus nine one, two two one two three, four five six seven eight.";
const STOP = "To stop these calls, say stop calling, or press 9.";
const STOP_BY_KEY = "Press 9 if you do not want to be called again.";
const OPTED_OUT = "I have noted it. We will not call this number again. I am sorry to have troubled you.";
const CONFIRMED = "Thank you. Your appointment is confirmed.";
const GOODBYE = "Thank you. Goodbye.";

const brief = (more: StageOptions["brief"] = {}) => ({ notices: NOTICES, greeting: "", ...more });

/** The attendance question was asked. */
async function asked(more: StageOptions["brief"] = {}): Promise<TalkingStage> {
  const stage = setTalkingStage({ brief: brief(more) });
  await stage.answer();
  await heardOut(stage, 2);
  await stage.says("Yes, speaking.");
  await heardOut(stage, 2);
  return stage;
}
const confirmed = async (more?: StageOptions["brief"]) => {
  const stage = await asked(more);
  await stage.says("Yes, I will come.");
  return { stage, from: stage.heard().length - 1 };
};
const heardKinds = ({ agent }: Pick<TalkingStage, "agent">) =>
  (agent.ended("us").notices ?? []).filter(({ heardAt }) => heardAt !== null).map(({ kind }) => kind);

describe("at the end of a call", () => {
  test("by voice, both are said before the goodbye", async () => {
    const { stage, from } = await confirmed();
    await heardOut(stage, 4);
    await stage.pass(1_000);
    expect(stage.heard().slice(from)).toEqual([CONFIRMED, CALLBACK, STOP, GOODBYE]);
    expect(stage.happened.at(-1)).toBe("hang up");
    expect(heardKinds(stage)).toEqual(["caller", "automatic", "callback", "stop"]);
  });

  test("they are synthesised before the answer, so that a slow voice does not delay them", async () => {
    const stage = await asked();
    expect(stage.spoken).toContain(CALLBACK);
    expect(stage.spoken).toContain(STOP);
  });

  test("by keypad, the menu has already named key 9", async () => {
    const stage = setStage({ brief: brief() });
    await stage.answer();
    await stage.clock.advance(4 * SOUND_MS);
    await stage.press("1");
    await stage.clock.advance(3 * SOUND_MS);
    await stage.press("1");
    await stage.clock.advance(5 * SOUND_MS);
    expect(stage.heard().slice(-3)).toEqual([CONFIRMED, CALLBACK, GOODBYE]);
    expect(stage.heard().join(" ")).toContain(STOP_BY_KEY);
    expect(heardKinds(stage).toSorted()).toEqual(["automatic", "callback", "caller", "stop"]);
  });

  test("by keypad with a recorded menu, whose words are unknown, key 9 is named", async () => {
    const stage = setStage({ brief: brief({ announcesOpenly: true }), recorded: ["menu"] });
    await stage.answer();
    await stage.clock.advance(4 * SOUND_MS);
    await stage.press("1");
    await stage.clock.advance(5 * SOUND_MS);
    expect(stage.heard().slice(-4)).toEqual([CONFIRMED, CALLBACK, STOP_BY_KEY, GOODBYE]);
  });

  test("in Hindi the digits are Hindi words", async () => {
    const stage = setStage({ brief: brief({ language: "hi-IN" }) });
    await stage.answer();
    await stage.clock.advance(4 * SOUND_MS);
    await stage.press("4");
    await stage.clock.advance(5 * SOUND_MS);
    expect(stage.heard().join(" ")).toContain("प्लस नौ एक, दो दो एक दो तीन, चार पाँच छह सात आठ।");
  });

  test("an inbound caller hears neither", async () => {
    const stage = setTalkingStage({ brief: brief({ direction: "inbound" }) });
    await stage.answer();
    await heardOut(stage, 4);
    await stage.says("Yes, I will come.");
    await heardOut(stage, 5);
    expect(stage.heard().slice(-2)).toEqual([CONFIRMED, GOODBYE]);
  });

  test("a polite word does not cut them off", async () => {
    const { stage, from } = await confirmed();
    await stage.pass(SOUND_MS + 300);
    await stage.says("Okay, thank you, bye.", { forMs: 900 });
    await heardOut(stage, 4);
    await stage.pass(1_000);
    expect(stage.heard().slice(from)).toEqual([CONFIRMED, CALLBACK, STOP, GOODBYE]);
    expect(heardKinds(stage)).toContain("callback");
  });

  test("a callee who hangs up over them has not heard them", async () => {
    const { stage } = await confirmed();
    await stage.pass(SOUND_MS + 500);
    expect(stage.agent.ended("peer").notices?.slice(2)).toEqual([{ kind: "callback", heardAt: null }]);
  });

  for (const how of ["words", "key"] as const)
    test(`the calls are stopped by ${how}, and the appointment stays confirmed`, async () => {
      const { stage } = await confirmed();
      await heardOut(stage, 3);
      if (how === "words") await stage.says("Stop calling.", { forMs: 700 });
      else await stage.press("9");
      await stage.pass(1_000);
      expect(stage.last()).toBe(OPTED_OUT);
      expect(stage.count("desk: undo")).toBe(0);
      expect(stage.happened).toContain('agree {"optOut":true}');
      await heardOut(stage, 3);
      expect(stage.heard().slice(-2)).toEqual([OPTED_OUT, GOODBYE]);
      expect(stage.agent.ended("us")).toMatchObject({ optOut: true });
    });

  test("key 9 stops the calls after an outcome that cannot be contested", async () => {
    const stage = setStage({ brief: brief({ transferTo: null }) });
    await stage.answer();
    await stage.clock.advance(4 * SOUND_MS);
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    await stage.press("9");
    expect(stage.heard().at(-1)).toBe(OPTED_OUT);
  });

  test("a call that is transferred: both are said before the line is handed over", async () => {
    const stage = await asked();
    const from = stage.heard().length;
    await stage.says("I want to speak to a person.");
    await heardOut(stage, 2);
    expect(stage.count("transfer +912200001111")).toBe(0);
    await heardOut(stage, 1);
    expect(stage.heard().slice(from)).toEqual(["Please hold the line.", CALLBACK, STOP]);
    expect(stage.count("transfer +912200001111")).toBe(1);
    expect(heardKinds(stage)).toEqual(["caller", "automatic", "callback", "stop"]);
  });

  test("an emergency is not followed by notices", async () => {
    const stage = setTalkingStage({ brief: brief({ transferTo: null }) });
    await stage.answer();
    await heardOut(stage, 2);
    await stage.says("I have chest pain!");
    await heardOut(stage, 3);
    expect(stage.heard().join(" ")).not.toContain("stop these calls");
  });
});

describe("on request", () => {
  for (const [question, answer] of [
    ["What number can I call you back on?", [CALLBACK]],
    ["How do I stop these calls?", [STOP]],
    ["Who is this?", ["This is the automatic assistant of City Hospital.", CALLBACK]],
  ] as const)
    test(question, async () => {
      const stage = await asked();
      const before = stage.heard().length;
      await stage.says(question);
      await heardOut(stage, answer.length);
      expect(stage.heard().slice(before, before + answer.length)).toEqual([...answer]);
      // The call goes on.
      await heardOut(stage, 2);
      expect(stage.last()).toBe("Will you come?");
      expect(stage.happened.join()).not.toContain("optOut");
    });

  for (const question of ["What number can I call you back on?", "Who is this?"])
    test(`${question}, to an inbound caller too`, async () => {
      const stage = setTalkingStage({ brief: brief({ direction: "inbound" }) });
      await stage.answer();
      await heardOut(stage, 4);
      await stage.says(question);
      await heardOut(stage, 2);
      expect(stage.heard()).toContain(CALLBACK);
    });

  test("is answered also where the question was put too often", async () => {
    for (const [question, answer] of [
      ["What number can I call you back on?", CALLBACK],
      ["How do I stop these calls?", STOP],
      ["Stop recording.", "All right. The recording has stopped."],
    ] as const) {
      const stage = await asked({ recording: "announce" });
      await heardOut(stage, 1);
      for (let i = 0; i < 2; i++) {
        await stage.says("Can you repeat that?");
        await stage.pass(3 * SOUND_MS);
      }
      const before = stage.heard().length;
      await stage.says(question);
      await stage.pass(2 * SOUND_MS);
      expect(stage.heard()[before]).toBe(answer);
    }
  });

  test("a notice that was heard on request is not repeated at the end", async () => {
    const stage = await asked();
    await stage.says("What number can I call you back on?");
    await heardOut(stage, 3);
    await stage.says("Yes, I will come.");
    await heardOut(stage, 4);
    expect(stage.heard().slice(-3)).toEqual([CONFIRMED, STOP, GOODBYE]);
  });

  test("the number is given again over the goodbye", async () => {
    const { stage } = await confirmed();
    await heardOut(stage, 3);
    await stage.says("What is your number?", { forMs: 700 });
    await heardOut(stage, 1);
    expect(stage.heard().filter((text) => text === CALLBACK)).toHaveLength(2);
  });
});

describe("a voicemail", () => {
  const left = async (more: StageOptions["brief"] = {}) => {
    const stage = setTalkingStage({ brief: brief({ greeting: "Good morning, about your visit.", ...more }) });
    await stage.answer();
    await heardOut(stage, 3);
    const from = stage.heard().length;
    await stage.says("Please leave a message after the tone.", { forMs: 1_500 });
    await stage.pass(3_000);
    await heardOut(stage, 4);
    return { stage, message: stage.heard().slice(from) };
  };

  test("is told who called, that the call is automatic, the number, and how to stop the calls", async () => {
    const { stage, message } = await left();
    expect(message).toEqual([
      "This is the automatic assistant of City Hospital. I am sorry to have missed you.",
      CALLBACK,
      "To stop these calls, tell us on that number, or press 9 when we call.",
      GOODBYE,
    ]);
    expect(heardKinds(stage)).toEqual(["caller", "automatic", "callback", "stop"]);
  });

  test("is told nothing of the purpose, even by an open announcement or the agent's name", async () => {
    const { message } = await left({ isTriedAgain: true, agentName: "Fertility clinic reminder" });
    expect(message.join(" ")).not.toMatch(/appointment|visit|Fertility|Ravi/);
  });
});
