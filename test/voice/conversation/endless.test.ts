// Giving the same answer to everything, by key or by voice, always ends the call: no question repeats forever.
import { describe, expect, test } from "bun:test";
import type { TalkCall, TalkEvent } from "../../../src/voice/conversation/model.ts";
import type { Intent } from "../../../src/voice/understanding/meaning.ts";
import { APPOINTMENT, OFFERS, Talk } from "./talk.ts";

/** More turns than the longest regular call here. */
const MOST_TURNS = 60;

/** The calendar succeeds, transfers fail, and the model adds nothing. */
function whatFollows(talk: Talk, appointment: typeof APPOINTMENT | null): TalkEvent | null {
  const [slot = null] = OFFERS;
  switch (talk.does) {
    case "lookUp":
      return { type: "lookedUp", appointment };
    case "confirm":
      return { type: "confirmed", isDone: true };
    case "cancel":
      return { type: "cancelled", isDone: true };
    case "requestChange":
      return { type: "changeRequested", isDone: true };
    case "offer":
      return { type: "offered", offers: OFFERS };
    case "book":
      return { type: "booked", slot };
    case "wait":
      return { type: "waited", isDone: true };
    case "decline":
      return { type: "placeDeclined", isDone: true };
    case "transfer":
    case "consult":
      return { type: "transferred", outcome: "refused" };
    default:
      return null;
  }
}

/** Number of answers until the call was over; MOST_TURNS if it did not end. */
function turnsWith(talk: Talk, appointment: typeof APPOINTMENT | null, modelSays: TalkEvent, answer: () => void) {
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    for (let steps = 0; steps < MOST_TURNS && talk.state.stage !== "listening"; steps++) {
      if (talk.state.stage === "over") return turns;
      const event = whatFollows(talk, appointment);
      if (event) talk.event(event);
      else if (talk.does === "lead") talk.event(modelSays);
      else talk.hears();
    }
    answer();
  }
  return MOST_TURNS;
}

const GONE = { type: "unled" } as const;
const LEADERS: Readonly<Record<string, TalkEvent | null>> = {
  nobody: null,
  "a model that answers": { type: "led", suggestion: null, ending: "whole" },
  "a model that asks": { type: "led", suggestion: null, ending: "question" },
  "a model that breaks off": { type: "led", suggestion: null, ending: "broken" },
  "a model that is gone": GONE,
};
const CALLS: Readonly<Record<string, Partial<TalkCall>>> = {
  "about an appointment or a booking": {},
  "about nothing in the calendar": { canBook: false },
  "with a waiting list": { canWait: true },
  "about a place of the waiting list": { canWait: true, hasPlace: true },
  "from them": { isOutbound: false },
  "from a known number": { isOutbound: false, isCallerKnown: true },
};

describe.each(Object.keys(CALLS))("a call %s", (about) => {
  describe.each(Object.keys(LEADERS))("led by %s", (leader) => {
    const isLed = leader !== "nobody";
    const begun = () => new Talk(CALLS[about], { isLed });
    const modelSays = LEADERS[leader] ?? GONE;

    test.each("0123456789#".split(""))("ends when the key is always %s, with and without recognition", (key) => {
      for (const appointment of [null, APPOINTMENT]) {
        const talk = begun();
        expect(turnsWith(talk, appointment, modelSays, () => void talk.presses(key))).toBeLessThan(MOST_TURNS);
        const unheard = begun().event({ type: "deaf" });
        expect(turnsWith(unheard, appointment, modelSays, () => void unheard.presses(key))).toBeLessThan(MOST_TURNS);
      }
    });

    test.each<Intent>(["yes", "no", "another_time", "not_that_person"])("ends where they always mean %s", (intent) => {
      // A model may keep answering within its budget.
      if (isLed && modelSays !== GONE) return;
      for (const appointment of [null, APPOINTMENT]) {
        const talk = begun();
        expect(turnsWith(talk, appointment, modelSays, () => void talk.says(intent))).toBeLessThan(MOST_TURNS);
        const known = begun();
        const answer = () => void known.says(known.state.question === "identity" ? "yes" : intent);
        expect(turnsWith(known, appointment, modelSays, answer)).toBeLessThan(MOST_TURNS);
      }
    });
  });
});

test("a meaningless sound is followed by the question within three seconds", () => {
  const talk = new Talk().identified();
  talk.means({ text: "Oh.", said: ["backchannel"], sure: 0.6 });
  expect(talk.action).toMatchObject({ do: "listen", forMs: 2_500 });
  expect(talk.event({ type: "silence" }).words).toContain("Will you come?");
  // The callee asked for a moment, which is granted.
  const patient = new Talk().identified().says("hold_on").hearsOut();
  expect(patient.means({ text: "Oh.", said: ["backchannel"], sure: 0.6 }).action).toMatchObject({ forMs: 45_000 });
});
