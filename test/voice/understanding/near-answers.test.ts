// Sentences that resemble a yes change nothing; clear ones count the first time.
import { describe, expect, test } from "bun:test";
import { hearingNow, meaningOf } from "../../../src/voice/talking/hearing-words.ts";
import { APPOINTMENT, OFFERS, Talk } from "../conversation/talk.ts";
import { generatedNear, NEAR_NO_BY_HAND, NEAR_YES_BY_HAND, PLAIN_NO, PLAIN_YES } from "./near-answers.ts";

const NOW = { date: "2026-11-15", startTime: "12:00" };
const GENERATED = generatedNear(33, 200);
const NEAR_YES = [...NEAR_YES_BY_HAND, ...GENERATED.yes];
const NEAR_NO = [...NEAR_NO_BY_HAND, ...GENERATED.no];

/** Each question whose answer changes the calendar or ends the call's business. */
const ASKED: Readonly<Record<string, () => Talk>> = {
  attend: () => new Talk().identified(),
  cancel: () => new Talk().identified().says("cancel_appointment").hears(),
  book: () => new Talk().identified(null),
  slot: () =>
    new Talk()
      .identified()
      .says("another_time")
      .event({ type: "offered", offers: OFFERS })
      .hears()
      .means({ choice: { index: 0, confidence: 0.9 } })
      .hears(),
};

function says(talk: Talk, text: string): Talk {
  const { action, state } = talk;
  const expecting = action?.do === "listen" ? action.expecting : "yes_no";
  const meaning = meaningOf({ text, confidence: 0.9, alarms: [] }, hearingNow(state, expecting, NOW, "en-IN"));
  return talk.event({ type: "heard", meaning });
}

const EFFECTS = ["confirm", "cancel", "book", "requestChange", "decline", "wait"];
/** The forbidden effect of a sentence; null if the agent asks or follows another request. */
function effectOf(question: string, text: string): string | null {
  const talk = says(ASKED[question]!(), text);
  if (EFFECTS.includes(talk.does)) return talk.does;
  return talk.state.stage === "telling" ? talk.state.outcome : null;
}

test("the lists are as long as they should be, half by hand and half put together", () => {
  const byHand = NEAR_YES_BY_HAND.length + NEAR_NO_BY_HAND.length;
  const generated = GENERATED.yes.length + GENERATED.no.length;
  expect(new Set([...NEAR_YES, ...NEAR_NO]).size).toBeGreaterThanOrEqual(480);
  expect(Math.min(byHand, generated)).toBeGreaterThanOrEqual(200);
  expect(new Set([...PLAIN_YES, ...PLAIN_NO]).size).toBeGreaterThanOrEqual(100);
  expect(generatedNear(33, 200)).toEqual(GENERATED);
});

describe.each(Object.keys(ASKED))("asked: %s", (question) => {
  test("no sentence that only looks like a yes confirms, cancels or books", () => {
    const wrong = NEAR_YES.flatMap((text) => effectOf(question, text) ?? []).length;
    const which = NEAR_YES.filter((text) => effectOf(question, text) !== null);
    expect({ wrong, which }).toEqual({ wrong: 0, which: [] });
  });

  test("no sentence that only looks like a no ends or changes anything", () => {
    expect(NEAR_NO.filter((text) => effectOf(question, text) !== null)).toEqual([]);
  });
});

test("sentences that resemble a no do not lead to another time", () => {
  const taken = NEAR_NO.filter((text) => says(ASKED["attend"]!(), text).state.question === "change");
  expect(taken).toEqual([]);
});

test("sentences that resemble a yes always get a question or an answer", () => {
  const unanswered = NEAR_YES.filter((text) => says(ASKED["attend"]!(), text).does === "listen");
  expect(unanswered).toEqual([]);
});

describe("a plain answer is taken the first time", () => {
  test("yes", () => {
    expect(PLAIN_YES.filter((text) => says(ASKED["attend"]!(), text).does !== "confirm")).toEqual([]);
  });

  test("no", () => {
    const isTaken = ({ state, does }: Talk) => state.question === "change" || does === "offer";
    expect(PLAIN_NO.filter((text) => !isTaken(says(ASKED["attend"]!(), text)))).toEqual([]);
  });

  test("yes, to what was chosen and to a cancellation", () => {
    const short = [
      "Yes.",
      "Yes, please.",
      "Yeah.",
      "Yep.",
      "Sure.",
      "Okay.",
      "Yes, go ahead.",
      "Haan.",
      "जी हाँ",
      "Yes, do it.",
    ];
    expect(short.filter((text) => says(ASKED["slot"]!(), text).does !== "book")).toEqual([]);
    expect(short.filter((text) => says(ASKED["cancel"]!(), text).does !== "cancel")).toEqual([]);
  });

  test("with the day that was told in it", () => {
    expect(APPOINTMENT.date).toBe("2026-11-20");
    for (const text of ["Yes, on Friday.", "Yes, Friday at nine.", "Yes, I will come on Friday."])
      expect([text, says(ASKED["attend"]!(), text).does]).toEqual([text, "confirm"]);
  });
});

// Without "Yes?": recognisers put this question mark after many clear answers.
const isBareYes = (text: string) => /^(?:Sorry, )?\w+\?$/.test(text);

test.each(Object.keys(ASKED))(
  "repeated after the question, it has no effect either: %s",
  (question) => {
    const done = NEAR_YES.filter((text) => {
      const talk = says(ASKED[question]!(), text);
      if (talk.state.question !== "doubt" || isBareYes(text)) return false;
      return EFFECTS.includes(says(talk.hears(), text).does);
    });
    expect(done).toEqual([]);
  },
  180_000,
);
