// The opening notices: who calls and that the voice is automatic, before everything else.
import { describe, expect, test } from "bun:test";
import { SOUND_MS, setStage, soundOf, type StageOptions } from "../stage.ts";
import { heardOut, setTalkingStage } from "./callee.ts";

const NOTICES = { hospital: "City Hospital", callbackNumber: "+912212345678" };
const OPENING = "Hello, this is the automatic assistant of City Hospital.";
const byVoice = (brief: StageOptions["brief"] = {}, options: StageOptions = {}) =>
  setTalkingStage({ ...options, brief: { notices: NOTICES, greeting: "Good morning.", ...brief } });
const byKeys = (brief: StageOptions["brief"] = {}, options: StageOptions = {}) =>
  setStage({ ...options, brief: { notices: NOTICES, greeting: "Good morning.", ...brief } });

describe("the opening", () => {
  test("is the first sentence of a call by voice", async () => {
    const stage = byVoice();
    await stage.answer();
    await heardOut(stage, 3);
    expect(stage.heard()).toEqual([OPENING, "Good morning.", "Am I speaking with Ravi?"]);
    expect(stage.agent.ended("peer").notices).toEqual([
      { kind: "caller", heardAt: SOUND_MS / 1_000 },
      { kind: "automatic", heardAt: SOUND_MS / 1_000 },
    ]);
  });

  test("is the first sentence of a call by keypad, in Hindi", async () => {
    const stage = byKeys({ language: "hi-IN", greeting: "" });
    await stage.answer();
    await stage.clock.advance(SOUND_MS);
    expect(stage.heard()[0]).toBe("नमस्ते, मैं City Hospital की ऑटोमैटिक सहायक हूँ।");
    expect(stage.heard()[1]).toStartWith("अगर मैं Ravi से बात कर रही हूँ");
    expect(stage.agent.ended("peer").notices).toMatchObject([{ heardAt: 2 }, { heardAt: 2 }]);
  });

  test("precedes a recorded greeting, whose words are unknown", async () => {
    const greeting = "Hello, this is the automatic assistant of City Hospital.";
    const stage = byKeys({ greeting }, { recorded: ["greeting"] });
    await stage.answer();
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.heard().slice(0, 2)).toEqual([OPENING, "[greeting]"]);
  });

  test("is not repeated where the greeting contains it", async () => {
    const greeting = "Hello. This is Asha, the AI assistant of City Hospital. Am I speaking with Ravi?";
    const stage = byVoice({ greeting });
    await stage.answer();
    await heardOut(stage, 2);
    expect(stage.heard()).toEqual([
      "Hello. This is Asha, the AI assistant of City Hospital.",
      "Am I speaking with Ravi?",
    ]);
    expect(stage.agent.ended("peer").notices).toMatchObject([
      { kind: "caller", heardAt: 2 },
      { kind: "automatic", heardAt: 2 },
    ]);
  });

  test("opens an inbound call and an open announcement", async () => {
    for (const brief of [{ direction: "inbound" }, { announcesOpenly: true }] as const) {
      const stage = byVoice(brief);
      await stage.answer();
      expect(stage.heard()).toEqual([OPENING]);
    }
  });

  test("is not preceded by a filler when the calendar is slow", async () => {
    const stage = byVoice({ direction: "inbound" }, { desk: { appointment: () => new Promise(() => {}) } });
    await stage.answer();
    await stage.pass(6_000);
    expect(stage.heard()[0]).toBe(OPENING);
  });

  test("is tried again where its synthesis failed", async () => {
    // One in advance and one when it is due.
    let failures = 2;
    const voice = async (text: string) => (text === OPENING && failures-- > 0 ? null : soundOf(SOUND_MS));
    const stage = byKeys({}, { voice, recorded: ["greeting"] });
    await stage.answer();
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.heard().slice(0, 2)).toEqual([OPENING, "[greeting]"]);
    expect(stage.agent.ended("peer").notices).toMatchObject([{ kind: "caller" }, { kind: "automatic" }]);
  });

  test("is not left out where its synthesis fails twice: nothing else is said, and the call ends", async () => {
    const voice = async (text: string) => (text === OPENING ? null : soundOf(SOUND_MS));
    for (const stage of [byKeys({}, { voice, recorded: ["greeting"] }), byVoice({}, { voice })]) {
      await stage.answer();
      await stage.clock.advance(SOUND_MS);
      expect(stage.happened.filter((what) => !what.startsWith("desk"))).toEqual(["hang up"]);
      expect(stage.agent.ended("us")).toMatchObject({ notices: [], isUnnoticed: true });
    }
  });

  test("is not left out where its synthesis breaks off", async () => {
    const clausesOf = (text: string) => (text === OPENING ? text.split(/(?<=,) /) : [text]);
    const voice = async (text: string) => (text.startsWith("this is") ? null : soundOf(SOUND_MS));
    const stage = byKeys({}, { voice, clausesOf, recorded: ["greeting"] });
    await stage.answer();
    await stage.clock.advance(10 * SOUND_MS);
    expect(stage.heard()).not.toContain("[greeting]");
    expect(stage.count("hang up")).toBe(1);
    expect(stage.agent.ended("us").isUnnoticed).toBe(true);
  });

  test("is spoken in English where no voice has the language of the call, and so are the other notices", async () => {
    const voice = async (_text: string, language?: string) => (language === "en" ? soundOf(SOUND_MS) : null);
    for (const language of ["ta-IN", "hi-IN"]) {
      const brief = { language, isMute: true, recording: "announce" } as const;
      const stage = byKeys(brief, { voice, recorded: ["greeting", "menu", "goodbye"] });
      await stage.answer();
      await stage.clock.advance(2 * SOUND_MS + 100);
      await stage.press("1");
      await stage.clock.advance(2 * SOUND_MS);
      await stage.press("4");
      await stage.clock.advance(10 * SOUND_MS);
      expect(stage.heard()).toEqual([
        OPENING,
        "This call is recorded. Press 7 at any time to stop the recording.",
        "[greeting]",
        "[menu]",
        expect.stringContaining("You can call us on"),
        "Press 9 if you do not want to be called again.",
        "[goodbye]",
      ]);
    }
  });

  test("leaves a whole message in English where no voice has the language of the call", async () => {
    const voice = async (_text: string, language?: string) => (language === "en" ? soundOf(SOUND_MS) : null);
    const stage = byKeys({ language: "hi", isMute: true }, { voice, recorded: ["greeting", "menu"] });
    await stage.answer();
    await stage.hear("Please leave a message after the tone.");
    await stage.clock.advance(20 * SOUND_MS);
    expect(stage.heard().join(" ")).toContain("This is the automatic assistant of City Hospital. I am sorry");
    expect(stage.heard().join(" ")).toContain("You can call us on");
  });

  test("a brief without facts for notices reports none", async () => {
    const stage = setTalkingStage();
    await stage.answer();
    expect(stage.agent.ended("peer").notices).toBeUndefined();
  });
});

describe("an opening that was cut off", () => {
  async function cutOff(words: string) {
    const stage = byVoice();
    await stage.answer();
    await stage.pass(1_000);
    await stage.says(words, { forMs: 900, thenMs: 600 });
    return stage;
  }

  test("is said again before the answer to the callee's words, and counts then", async () => {
    const stage = await cutOff("What is this about?");
    expect(stage.heard()).toEqual([OPENING, OPENING]);
    await stage.pass(SOUND_MS);
    expect(stage.heard()[2]).toStartWith("I have a message");
    const { notices = [] } = stage.agent.ended("peer");
    expect(notices.map(({ kind }) => kind)).toEqual(["caller", "automatic"]);
    expect(notices[0]?.heardAt).toBeGreaterThan(3);
  });

  test("is replaced by the answer to who is calling", async () => {
    const stage = await cutOff("Who is this?");
    expect(stage.heard()).toEqual([OPENING, "This is the automatic assistant of City Hospital."]);
    await stage.pass(SOUND_MS);
    expect(stage.heard()).not.toContain("Good morning.");
    expect(stage.agent.ended("peer").notices?.[1]?.heardAt).toBeGreaterThan(3);
  });

  test("is reported as not heard if the callee hangs up meanwhile", async () => {
    const stage = byVoice();
    await stage.answer();
    await stage.pass(SOUND_MS - 100);
    expect(stage.agent.ended("peer").notices).toEqual([
      { kind: "caller", heardAt: null },
      { kind: "automatic", heardAt: null },
    ]);
  });

  test("precedes the appointment however fast the keys are pressed", async () => {
    const stage = byVoice();
    await stage.answer();
    for (let i = 0; i < 3; i++) {
      await stage.press("1");
      await stage.pass(200);
    }
    expect(stage.heard().join(" ")).not.toContain("appointment");
    await heardOut(stage, 4);
    const { notices = [], transcript } = stage.agent.ended("peer");
    const about = transcript.find(({ text }) => text.includes("appointment"));
    expect(notices[0]?.heardAt).toBeLessThanOrEqual(about?.timestamp ?? -1);
  });

  test("does not delay help in an emergency", async () => {
    const stage = await cutOff("I have chest pain!");
    expect(stage.heard()[1]).toStartWith("This may be an emergency.");
  });

  test("ends the call where the voice fails before it can be said again", async () => {
    let isBroken = false;
    const stage = byKeys(
      {},
      { recorded: ["greeting", "menu"], voice: async () => (isBroken ? null : soundOf(SOUND_MS)) },
    );
    await stage.answer();
    await stage.clock.advance(500);
    isBroken = true;
    // The phrase is synthesised again at another pace.
    await stage.hear("Slower, please.");
    await stage.clock.advance(60_000);
    expect(stage.heard()).toEqual([OPENING]);
    expect(stage.count("hang up")).toBe(1);
    expect(stage.agent.ended("us").isUnnoticed).toBe(true);
  });
});

describe("the transcript", () => {
  test("says on its line which notices it carries, and when each was heard", async () => {
    const stage = byVoice();
    await stage.answer();
    await heardOut(stage, 3);
    const [opening, ...others] = stage.agent.ended("peer").transcript;
    const heard_at = SOUND_MS / 1_000;
    expect(opening).toEqual({
      speaker: "agent",
      text: OPENING,
      timestamp: 0,
      notices: [
        { kind: "caller", heard_at },
        { kind: "automatic", heard_at },
      ],
    });
    expect(others.map((line) => "notices" in line)).toEqual([false, false]);
  });

  test("says of a notice that was cut off that it was not heard, and when it was heard on its repetition", async () => {
    const stage = byKeys({ greeting: "" });
    await stage.answer();
    await stage.clock.advance(SOUND_MS / 2);
    await stage.press("0");
    await stage.clock.advance(3 * SOUND_MS);
    const lines = stage.agent.ended("peer").transcript.filter(({ notices }) => notices?.[0]?.kind === "caller");
    expect(lines.map(({ notices }) => notices!.map(({ heard_at }) => heard_at))).toEqual([
      [null, null],
      [(SOUND_MS * 1.5) / 1_000, (SOUND_MS * 1.5) / 1_000],
    ]);
  });
});
