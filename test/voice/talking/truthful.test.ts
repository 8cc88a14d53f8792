// A model, an approved answer or the owner's greeting claims to be human, claims a consent, or says
// that it has given a notice: the fixed line is said instead.
import { describe, expect, test } from "bun:test";
import type { ModelSpeech } from "../../../src/payloads/approved-answer.ts";
import { SOUND_MS, setStage, type StageOptions } from "../stage.ts";
import { setLedCall, type LedCall, type LedCallOptions } from "../model-led/led-call.ts";
import { setTalkingStage } from "./callee.ts";

const NOTICES = { hospital: "City Hospital", callbackNumber: "+912212345678" };
const OPENING = "Hello, this is the automatic assistant of City Hospital.";
const WHO = "This is the automatic assistant of City Hospital.";
const RECORDED = "This call is recorded.";
const HOW_TO_STOP = "To stop these calls, say stop calling, or press 9.";

const IN_ENGLISH: readonly (readonly [claim: string, line: string])[] = [
  ["I am a human.", WHO],
  ["I'm not a robot, I promise.", WHO],
  ["I already told you who I am.", WHO],
  ["You agreed to be recorded.", RECORDED],
  ["This call is not recorded.", RECORDED],
  ["We already told you how to stop.", HOW_TO_STOP],
];
const IN_HINDI: typeof IN_ENGLISH = [
  ["मैं एक इंसान हूँ।", "मैं City Hospital की ऑटोमैटिक सहायक हूँ।"],
  ["यह ऑटोमैटिक कॉल नहीं है।", "मैं City Hospital की ऑटोमैटिक सहायक हूँ।"],
  ["आपने रिकॉर्डिंग के लिए सहमति दी है।", "यह कॉल रिकॉर्ड की जा रही है।"],
];

const UNGUARDED: LedCallOptions["led"] = { guard: (text) => ({ text }) };
const QUESTION = "What else should I know about the parking?";

interface Led {
  brief?: StageOptions["brief"];
  led?: LedCallOptions["led"];
  /** Key that answers whether the call may be recorded. */
  mayRecord?: string;
}

/** A call up to the callee's question, to which the model says this. */
async function askedModel(text: string, { brief = {}, led = {}, mayRecord }: Led = {}) {
  const recording = mayRecord === undefined ? "announce" : "ask";
  const call = setLedCall(() => ({ text }), {
    led,
    brief: { notices: NOTICES, greeting: "", recording, modelSpeech: "free", ...brief },
  });
  await call.answer();
  await call.heardOut(3);
  if (mayRecord !== undefined) {
    await call.press(mayRecord);
    await call.heardOut(2);
  }
  await call.hear("Yes, speaking.");
  await call.heardOut(3);
  const before = call.heard().length;
  await call.hear(QUESTION);
  return { call, said: () => call.heard().slice(before) };
}

async function answerOf(text: string, options: Led = {}): Promise<{ call: LedCall; said: string[] }> {
  const { call, said } = await askedModel(text, options);
  await call.heardOut(2);
  return { call, said: said() };
}

describe("a model that is free to speak", () => {
  for (const [language, lines] of [
    ["en-IN", IN_ENGLISH],
    ["hi-IN", IN_HINDI],
  ] as const)
    test.each(lines)(`${language}: %s`, async (text, line) => {
      for (const led of [{}, UNGUARDED]) {
        const { call, said } = await answerOf(text, { brief: { language }, led });
        expect(said[0]).toBe(line);
        expect(call.heard().join(" ")).not.toContain(text.slice(0, -1));
        expect(call.agent.ended("peer")).toMatchObject({ led: { stopped: 1 } });
      }
    });

  test("the fixed line is said once for several claims, and the rest of the answer is not said", async () => {
    const { said } = await answerOf("I am a human. I am a real person. You agreed to be recorded.");
    expect(said.filter((line) => line === WHO)).toHaveLength(1);
    expect(said).not.toContain(RECORDED);
  });

  test("a claim put together from a field of the call is found when it is said", async () => {
    const brief = { additionalInfo: { voice: "a human" }, promptTemplate: "The voice is {{voice}}." };
    const { said } = await answerOf("I am {{voice}}.", { brief });
    expect(said[0]).toBe(WHO);
  });

  test.each([
    ["given", "1", "You agreed to be recorded."],
    ["refused", "2", "All right. This call is not recorded."],
  ])("a consent that was %s", async (_, mayRecord, line) => {
    const { said } = await answerOf("You agreed to be recorded.", { mayRecord, led: UNGUARDED });
    expect(said[0]).toBe(line);
  });

  test("a notice counts only where the fixed line was played to its end", async () => {
    const kindsOf = (call: LedCall) => call.agent.ended("peer").notices?.filter(({ kind }) => kind === "stop");
    const claim = "We already told you how to stop.";
    const { call } = await answerOf(claim);
    expect(kindsOf(call)).toMatchObject([{ kind: "stop", heardAt: expect.any(Number) }]);
    const { call: cut } = await askedModel(claim);
    await cut.clock.advance(SOUND_MS / 2);
    expect(cut.heard().at(-1)).toBe(HOW_TO_STOP);
    expect(kindsOf(cut)).toEqual([{ kind: "stop", heardAt: null }]);
  });
});

test.each(["chosen", "free"] as const)("an approved answer that claims it (%s)", async (modelSpeech: ModelSpeech) => {
  const answer = "You can ask me. I am a real person. The lift is at gate two.";
  const call = setLedCall(() => ({ calls: [{ name: "answer_question", arguments: { number: "1" } }] }), {
    brief: {
      notices: NOTICES,
      greeting: "",
      modelSpeech,
      approvedAnswers: [{ question: "Who are you?", answer, language: "en-IN" }],
    },
  });
  await call.answer();
  await call.heardOut(2);
  await call.hear("Yes, speaking.");
  await call.heardOut(3);
  await call.hear(QUESTION);
  await call.heardOut(2);
  expect(call.heard()).toContain(`You can ask me. ${WHO} The lift is at gate two.`);
});

describe("the owner's greeting", () => {
  const greeted = async (greeting: string, options: StageOptions = {}) => {
    const stage = setTalkingStage({ ...options, brief: { notices: NOTICES, greeting } });
    await stage.answer();
    await stage.pass(4 * SOUND_MS);
    return stage.heard();
  };

  test("that claims it is left out after the opening", async () => {
    expect(await greeted("I am a real person from the hospital.")).toEqual([OPENING, "Am I speaking with Ravi?"]);
  });

  test("keeps its other sentences", async () => {
    const greeting = "Good morning. I am not a robot. Am I speaking with Ravi?";
    expect(await greeted(greeting)).toEqual([OPENING, `Good morning. ${WHO} Am I speaking with Ravi?`]);
  });

  test("that contains the notices and takes them back is replaced by the fixed line", async () => {
    const greeting = "This is the AI assistant of City Hospital, but really I am a human.";
    const stage = setTalkingStage({ brief: { notices: NOTICES, greeting } });
    await stage.answer();
    await stage.pass(SOUND_MS + 100);
    expect(stage.heard()[0]).toBe(WHO);
    expect(stage.agent.ended("peer").notices).toMatchObject([
      { kind: "caller", heardAt: 2 },
      { kind: "automatic", heardAt: 2 },
    ]);
  });

  test("with the hospital's own name is said as it is", async () => {
    const hospital = "Real Human Care";
    const greeting = "Hello, this is Real Human Care.";
    const stage = setStage({ brief: { notices: { ...NOTICES, hospital }, greeting } });
    await stage.answer();
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.heard().slice(0, 2)).toEqual(["Hello, this is the automatic assistant of Real Human Care.", greeting]);
  });
});
