// The question whether further calls are welcome: only a clear yes to it is consent, and it never holds up a call that
// ends for another reason.
import { describe, expect, test } from "bun:test";
import type { AgentBrief } from "../../../src/voice/port.ts";
import { SOUND_MS, setStage } from "../stage.ts";
import { Talk } from "../conversation/talk.ts";
import { heardOut, setTalkingStage, type TalkingStage } from "./callee.ts";

const MAY_CALL = "May our automatic assistant call you about health camps, packages and offers?";
const NOTED = "All right. We have noted that we may call you.";
const REFUSED = "All right. We will not call you about that.";
const CONFIRMED = "Thank you. Your appointment is confirmed.";
const GIVEN = { consent: { purpose: "promotional", isGiven: true } };
const NOT_GIVEN = { consent: { purpose: "promotional", isGiven: false } };
const GOODBYE = "Thank you. Goodbye.";

async function called(more: Partial<AgentBrief> = {}): Promise<TalkingStage> {
  const stage = setTalkingStage({ brief: { asksConsentFor: "promotional", ...more } });
  await stage.answer();
  await heardOut(stage, 2);
  return stage;
}
/** Identity and appointment are confirmed, and the question was heard. */
async function asked(more: Partial<AgentBrief> = {}): Promise<TalkingStage> {
  const stage = await called(more);
  await stage.says("Yes, speaking.");
  await heardOut(stage, 2);
  await stage.says("Yes, I will come.");
  await heardOut(stage, 2);
  expect(stage.heard().slice(-1)).toEqual([MAY_CALL]);
  return stage;
}
const agreements = ({ happened }: Pick<TalkingStage, "happened">) =>
  happened.filter((what) => what.startsWith("agree ")).map((what) => JSON.parse(what.slice("agree ".length)) as object);

describe("after the call's business", () => {
  for (const how of ["word", "key"] as const) {
    test(`a yes by ${how} is stored before it is confirmed`, async () => {
      const stage = await asked();
      if (how === "word") await stage.says("Yes, you may.");
      else await stage.press("1");
      const { happened } = stage;
      expect(happened.indexOf(`agree ${JSON.stringify(GIVEN)}`)).toBeGreaterThan(happened.indexOf(`play ${MAY_CALL}`));
      expect(happened.indexOf(`play ${NOTED}`)).toBeGreaterThan(happened.indexOf(`agree ${JSON.stringify(GIVEN)}`));
      await heardOut(stage, 2);
      await stage.pass(1_000);
      expect(stage.heard().slice(-2)).toEqual([NOTED, GOODBYE]);
      const result = stage.agent.ended("us");
      expect(result).toMatchObject(GIVEN);
      expect(result.extractedDetails).toMatchObject({ answer: "confirmed", consent_answer: "given" });
    });

    test(`a no by ${how} grants nothing and is noted`, async () => {
      const stage = await asked();
      if (how === "word") await stage.says("No, thank you.");
      else await stage.press("2");
      expect(stage.last()).toBe(REFUSED);
      const result = stage.agent.ended("peer");
      expect(result).toMatchObject(NOT_GIVEN);
      expect(result.extractedDetails).toMatchObject({ answer: "confirmed", consent_answer: "refused" });
      expect(stage.count("desk: undo")).toBe(0);
    });
  }

  for (const words of ["Okay, bye.", "Okay, thank you.", "Yes, if I must.", "Bananas and", "Maybe another time."])
    test(`"${words}" is no consent: asked once more, then the goodbye`, async () => {
      const stage = await asked();
      await stage.says(words);
      await heardOut(stage, 2);
      expect(stage.last()).toBe(MAY_CALL);
      await stage.says(words);
      await heardOut(stage, 2);
      const result = stage.agent.ended("us");
      expect(result.consent).toBeUndefined();
      expect(result.extractedDetails).toMatchObject({ answer: "confirmed", consent_answer: null });
      expect(agreements(stage)).toEqual([]);
      expect(stage.heard().filter((text) => text === MAY_CALL)).toHaveLength(2);
      expect(stage.count("desk: undo")).toBe(0);
    });

  test("silence is no consent, and the call ends", async () => {
    const stage = await asked();
    await stage.pass(9_000 + SOUND_MS);
    expect(stage.last()).toBe(GOODBYE);
    expect(stage.agent.ended("us").consent).toBeUndefined();
  });

  test("the callee who hangs up at the question has confirmed and agreed to nothing more", async () => {
    const stage = await asked();
    const result = stage.agent.ended("peer");
    expect(result.consent).toBeUndefined();
    expect(result.extractedDetails).toMatchObject({ answer: "confirmed", consent_answer: null });
  });

  test("not interested is a no to the question, not to the appointment", async () => {
    const stage = await asked();
    await stage.says("I am not interested.");
    const result = stage.agent.ended("peer");
    expect(result).toMatchObject(NOT_GIVEN);
    expect(result.extractedDetails).toMatchObject({ answer: "confirmed" });
  });

  test("a yes that is taken back over the goodbye counts as a no", async () => {
    const stage = await asked();
    await stage.says("Yes, sure.");
    await stage.pass(500);
    await stage.says("No, I do not want that.");
    expect(stage.agent.ended("peer")).toMatchObject(NOT_GIVEN);
    expect(agreements(stage)).toEqual([GIVEN, NOT_GIVEN]);
    expect(stage.count("desk: undo")).toBe(0);
  });

  for (const words of ["Do not call me again.", "9"])
    test(`"${words}" stops all calls, also after a yes`, async () => {
      for (const isAgreed of [true, false]) {
        const stage = await asked();
        if (isAgreed) await stage.says("Yes, sure.");
        if (words === "9") await stage.press(words);
        else await stage.says(words);
        const result = stage.agent.ended("peer");
        expect(result.optOut).toBe(true);
        expect(result.consent).toBeUndefined();
      }
    });

  test("words over the question are no answer to it", async () => {
    const stage = await called();
    await stage.says("Yes, speaking.");
    await heardOut(stage, 2);
    await stage.says("Yes, I will come.");
    await stage.pass(SOUND_MS);
    await stage.says("Yes.", { forMs: 500 });
    expect(agreements(stage)).toEqual([]);
    await heardOut(stage, 2);
    expect(stage.last()).toBe(MAY_CALL);
    await stage.says("Yes.");
    expect(agreements(stage)).toEqual([GIVEN]);
  });

  test("a wish about the appointment is still heard", async () => {
    const stage = await asked();
    await stage.says("Wait, I have to cancel the appointment.");
    expect(stage.count("desk: undo")).toBe(1);
    expect(stage.agent.ended("peer").consent).toBeUndefined();
  });

  test("a cry for help comes before the question", async () => {
    const stage = await asked({ transferTo: "+912212345678" });
    await stage.says("Help, I cannot breathe!");
    await heardOut(stage, 1);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "emergency" });
  });

  test("by keypad the keys are named, and a key over the question is no answer", async () => {
    const stage = setStage({ brief: { asksConsentFor: "promotional" } });
    await stage.answer();
    await stage.clock.advance(3 * SOUND_MS);
    await stage.press("1");
    await stage.clock.advance(3 * SOUND_MS);
    await stage.press("1");
    await stage.press("1");
    expect(stage.happened.filter((what) => what.startsWith("agree"))).toEqual([]);
    await stage.clock.advance(4 * SOUND_MS);
    expect(stage.heard()).toContain(MAY_CALL);
    expect(stage.heard().at(-1)).toBe("Press 9 if you do not want to be called again.");
    await stage.press("1");
    expect(stage.agent.ended("peer")).toMatchObject(GIVEN);
  });

  test("in Hindi", async () => {
    const stage = setStage({ brief: { asksConsentFor: "service", language: "hi" } });
    await stage.answer();
    await stage.clock.advance(3 * SOUND_MS);
    await stage.press("1");
    await stage.clock.advance(3 * SOUND_MS);
    await stage.press("1");
    await stage.clock.advance(4 * SOUND_MS);
    expect(stage.heard()).toContain("क्या हमारी ऑटोमैटिक सहायक आपको आपके इलाज, जैसे अपॉइंटमेंट और जाँच, के बारे में कॉल कर सकती है?");
    await stage.press("2");
    expect(stage.heard().at(-1)).toBe("ठीक है। हम इस बारे में आपको कॉल नहीं करेंगे।");
    expect(stage.agent.ended("peer").consent).toEqual({ purpose: "service", isGiven: false });
  });
});

describe("with a language model", () => {
  const ended = { type: "led", suggestion: { do: "end" }, ending: "whole" } as const;
  /** The model leads, and nothing but its words is open. */
  const open = () =>
    new Talk({ canBook: false, asksConsentFor: "promotional" }, { isLed: true })
      .hears()
      .says("yes")
      .event({ type: "lookedUp", appointment: null });

  test("its words and the yes to them are no consent: our own question follows", () => {
    const talk = open().event({ type: "led", suggestion: null, ending: "question" }).says("yes");
    expect(talk.state.consent).toBeNull();
    talk.event(ended);
    expect(talk.words).toBe(MAY_CALL);
    expect(talk.state.consent).toBe("asked");
    expect(talk.hears().says("yes").state.consent).toBe("given");
  });

  test("it gets no turn while the question is open", () => {
    const talk = open().event(ended).hears();
    for (const text of ["What offers do you have?", "Ask my wife?"]) expect(talk.means({ text }).does).toBe("say");
    expect(talk.state.consent).toBe("asked");
  });
});

describe("not asked", () => {
  const cases: Readonly<Record<string, (stage: TalkingStage) => Promise<void>>> = {
    "of a callee who wants no more calls": (stage) => stage.says("Do not call me again."),
    "on a voicemail": (stage) => stage.says("Please leave a message after the tone.", { forMs: 1_800 }),
    "at a wrong number": (stage) => stage.says("You have the wrong number."),
    "of a callee who is called later": async (stage) => {
      await stage.press("4");
    },
    "of a callee who says nothing": (stage) => stage.pass(40_000),
  };
  for (const [name, act] of Object.entries(cases))
    test(name, async () => {
      const stage = await called();
      await act(stage);
      await stage.pass(10 * SOUND_MS);
      expect(stage.heard()).not.toContain(MAY_CALL);
      expect(stage.agent.ended("us").consent).toBeUndefined();
    });

  test("of an inbound caller, whose number may be forged, nor where the agent does not ask", async () => {
    const cases: Partial<AgentBrief>[] = [{ direction: "inbound", asksConsentFor: "promotional" }, {}];
    for (const brief of cases) {
      const stage = setTalkingStage({ brief });
      await stage.answer();
      await heardOut(stage, 2);
      await stage.says("Yes, speaking.");
      await heardOut(stage, 2);
      await stage.says("Yes, I will come.");
      await stage.pass(4 * SOUND_MS);
      expect(stage.heard()).toContain(CONFIRMED);
      expect(stage.heard()).not.toContain(MAY_CALL);
    }
  });
});
