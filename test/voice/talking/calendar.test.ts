// Calendar timeouts: the callee hears a filler, then the result, and never three seconds of silence. "Not saved"
// becomes an entry of the worklist (test/worklist/kinds.test.ts).
import { describe, expect, test } from "bun:test";
import type { BookingDesk } from "../../../src/calendar/desk-port.ts";
import { setStage, soundOf, type StageOptions } from "../stage.ts";
import { setTalkingStage, type TalkingStage } from "./callee.ts";

const NEVER = new Promise<never>(() => {});
const MOST_SILENCE_MS = 3_000;
const STEP_MS = 20;
const FILLER = "One moment, please.";
const HONEST = "I am sorry, I cannot reach the calendar just now. Somebody will call you back.";
const CLAUSE_MS = 1_200;
const options = (desk: Partial<BookingDesk>): StageOptions => ({ desk, voice: async () => soundOf(CLAUSE_MS) });

/** What the callee says, and the phrase before it. */
const SAID: Readonly<Record<string, { desk: Partial<BookingDesk>; says: readonly string[] }>> = {
  "looked for": { desk: { appointment: () => NEVER }, says: ["Yes, speaking."] },
  "cannot be looked for": {
    desk: { appointment: () => Promise.reject(new Error("down")) },
    says: ["Yes, speaking."],
  },
  confirmed: { desk: { confirm: () => NEVER }, says: ["Yes, speaking.", "Yes, I will come."] },
  "offered other times": { desk: { offer: () => NEVER }, says: ["Yes, speaking.", "I need another time."] },
  booked: {
    desk: { book: () => NEVER },
    says: ["Yes, speaking.", "I need another time.", "The first one, please.", "Yes, please."],
  },
};

/** Runs to the end of the call; returns the longest silence after the callee's words. */
async function talk(stage: TalkingStage, says: readonly string[]): Promise<number> {
  let [plays, speaksForMs, silentMs, longestMs] = [0, 0, 0, 0];
  async function step(isSpeaking = false): Promise<void> {
    await (isSpeaking ? stage.voice(STEP_MS) : stage.pass(STEP_MS));
    const played = stage.played();
    speaksForMs =
      Math.max(0, speaksForMs - STEP_MS) + played.slice(plays).reduce((sum, { lengthMs }) => sum + lengthMs, 0);
    plays = played.length;
    silentMs = speaksForMs > 0 || isSpeaking ? 0 : silentMs + STEP_MS;
  }
  const isOver = () => stage.happened.includes("hang up");
  await stage.answer();
  for (const words of says) {
    for (; !stage.last()?.endsWith("?") || silentMs < 400;) await step();
    stage.willHear(words);
    for (let ms = 0; ms < 600; ms += STEP_MS) await step(true);
    // The next question or the end.
    const before = plays;
    for (; !isOver() && (plays === before || speaksForMs > 0);) {
      await step();
      longestMs = Math.max(longestMs, silentMs);
    }
  }
  for (let ms = 0; ms < 20_000 && !isOver(); ms += STEP_MS) {
    await step();
    longestMs = Math.max(longestMs, silentMs);
  }
  return longestMs;
}

describe("on a call by voice", () => {
  test.each(Object.entries(SAID))("where an appointment is %s", async (_, { desk, says }) => {
    const stage = setTalkingStage(options(desk));
    const longestMs = await talk(stage, says);
    expect({ longestMs, isTooLong: longestMs > MOST_SILENCE_MS, said: stage.heard() }).toMatchObject({
      isTooLong: false,
    });
    // It is looked up while the phone rings and the greeting plays.
    expect(stage.heard().includes(FILLER)).toBe(says.length > 1);
    expect(stage.heard().slice(-2)).toEqual([HONEST, "Thank you. Goodbye."]);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "not_saved" });
  });

  test("a late answer is told after the filler, and nothing else", async () => {
    const answer = Promise.withResolvers<boolean>();
    const stage = setTalkingStage(options({ confirm: () => answer.promise }));
    const ended = talk(stage, ["Yes, speaking.", "Yes, I will come."]);
    const look = (): void => {
      if (stage.heard().includes(FILLER)) answer.resolve(true);
      else stage.clock.after(STEP_MS, look);
    };
    look();
    await ended;
    expect(stage.heard().slice(-3)).toEqual([
      FILLER,
      "Thank you. Your appointment is confirmed.",
      "Thank you. Goodbye.",
    ]);
  });

  test("no filler plays when the calendar answers normally", async () => {
    const stage = setTalkingStage(options({}));
    await talk(stage, ["Yes, speaking.", "Yes, I will come."]);
    expect(stage.heard()).not.toContain(FILLER);
  });
});

describe("on a call by keys", () => {
  const asked = ["confirm", "offer", "requestChange", "book"] as const;
  const keys = { confirm: ["1"], offer: ["2"], requestChange: ["2", "0"], book: ["2", "1", "1"] } as const;

  test.each(asked)("that comes to %s", async (what) => {
    const stage = setStage({ ...options({ [what]: () => NEVER }), brief: { announcesOpenly: true } });
    await stage.answer();
    for (const key of keys[what]) {
      await stage.clock.advance(7 * CLAUSE_MS);
      await stage.press(key);
    }
    const plays = stage.heard().length;
    await stage.clock.advance(MOST_SILENCE_MS);
    expect(stage.heard().slice(plays)).toEqual([FILLER]);
    await stage.clock.advance(CLAUSE_MS);
    expect(stage.heard().slice(plays)).toEqual([FILLER, HONEST]);
    await stage.clock.advance(3 * CLAUSE_MS);
    expect(stage.happened.at(-1)).toBe("hang up");
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "not_saved" });
  });
});
