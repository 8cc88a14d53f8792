// Choosing among the offers.
import { describe, expect, test } from "bun:test";
import type { Hearing } from "../../../src/voice/understanding/meaning.ts";
import { understand } from "../../../src/voice/understanding/understand.ts";
import { HEARING } from "./hearing.ts";

const THURSDAY_MORNING = { date: "2026-11-19", startTime: "10:30" };
const FRIDAY_AFTERNOON = { date: "2026-11-20", startTime: "16:00" };
const MONDAY_MORNING = { date: "2026-11-23", startTime: "09:00" };

const TWO: Hearing = {
  ...HEARING,
  expecting: "choice",
  offers: [THURSDAY_MORNING, FRIDAY_AFTERNOON],
  lastOffered: FRIDAY_AFTERNOON,
};
const THREE: Hearing = {
  ...TWO,
  offers: [THURSDAY_MORNING, FRIDAY_AFTERNOON, MONDAY_MORNING],
  lastOffered: MONDAY_MORNING,
};
const SAME_DAY: Hearing = {
  ...TWO,
  offers: [THURSDAY_MORNING, { date: "2026-11-19", startTime: "16:00" }, FRIDAY_AFTERNOON],
};

const indexIn = (text: string, hearing: Hearing) => understand(text, hearing).choice?.index ?? null;

describe("of Thursday 10:30 and Friday 16:00", () => {
  test.each([
    ["The first.", 0],
    ["First one please.", 0],
    ["the first one", 0],
    ["The second.", 1],
    ["Second one.", 1],
    ["I'll take the second one", 1],
    ["the 2nd", 1],
    ["One.", 0],
    ["Two.", 1],
    ["two please", 1],
    ["Number two.", 1],
    ["Option one.", 0],
    ["option 2 please", 1],
    ["the last one", 1],
    ["The latter.", 1],
    ["Thursday.", 0],
    ["Thursday please.", 0],
    ["Thursday works for me.", 0],
    ["The Thursday one please.", 0],
    ["Friday afternoon would be great.", 1],
    ["The early one.", 0],
    ["The late one, I think.", 1],
    ["On Friday.", 1],
    ["Friday is fine.", 1],
    ["the one on Friday", 1],
    ["The earlier one.", 0],
    ["The later one.", 1],
    ["later please", 1],
    ["half past ten", 0],
    ["the ten thirty", 0],
    ["The 10:30.", 0],
    ["10.30 is good", 0],
    ["four o'clock", 1],
    ["at four", 1],
    ["four", 1],
    ["4 p.m.", 1],
    ["the morning one", 0],
    ["in the afternoon", 1],
    ["afternoon is better for me", 1],
    ["the 19th", 0],
    ["the twentieth", 1],
    ["20th November", 1],
    ["Friday at four", 1],
    ["Not the first, the second.", 1],
    ["Not Thursday, Friday.", 1],
    ["Yes, Thursday please.", 0],
    ["No, the second one.", 1],
    ["the soonest", 0],
    ["the first available", 0],
  ])("%p takes number %d", (text, index) => expect(indexIn(text, TWO)).toBe(index));

  test.each([
    "Yes.",
    "None of those.",
    "Neither.",
    "Wednesday.",
    "Next week.",
    "Eleven o'clock.",
    "Friday at ten",
    "Friday the 21st",
    "The fifth one.",
    "the first or the second",
    "What was the second one?",
    "Who is this?",
    "Another day please.",
    "The first two are fine.",
    "Anything but Friday.",
    "I can't do any of those.",
    "What were they again?",
    "I can't come on Thursday.",
    "Hold on, let me check Thursday.",
    "No.",
    "Hmm.",
    "",
  ])("%p takes none", (text) => expect(indexIn(text, TWO)).toBeNull());

  test("either is a weak choice of the first", () => {
    for (const text of [
      "Either.",
      "Either is fine.",
      "Any of them.",
      "You choose.",
      "It doesn't matter.",
      "Both are fine.",
    ])
      expect(understand(text, TWO).choice).toEqual({ index: 0, confidence: 0.6 });
  });

  test("that one is a weak choice of what was told last", () => {
    expect(understand("That one.", TWO).choice).toEqual({ index: 1, confidence: 0.6 });
  });

  test("the other one is not the one that was told last", () => {
    expect(indexIn("The other one.", TWO)).toBe(0);
  });

  test("what is asked for in another way stays to be confirmed", () => {
    expect(understand("What about Thursday?", TWO).choice).toEqual({ index: 0, confidence: 0.6 });
  });

  test("a question about a place stays to be confirmed", () => {
    expect(understand("Is the Friday one still free?", TWO).choice).toEqual({ index: 1, confidence: 0.6 });
  });

  test("a number is no time as well", () => {
    expect(understand("Two.", TWO)).toMatchObject({ choice: { index: 1 }, moment: null });
  });

  test("a weekday is that of the place on the table, however far away it is", () => {
    const far = { date: "2026-12-03", startTime: "10:30" };
    expect(understand("Thursday is fine.", { ...HEARING, lastOffered: far }).moment?.date).toBe("2026-12-03");
    expect(understand("Thursday.", { ...TWO, offers: [FRIDAY_AFTERNOON, far] })).toMatchObject({
      choice: { index: 1 },
      moment: { date: "2026-12-03" },
    });
  });

  test("a day that was not offered is a moment, so that the agent can look for it", () => {
    expect(understand("Wednesday.", TWO)).toMatchObject({ choice: null, moment: { date: "2026-11-18" } });
  });
});

describe("of three", () => {
  test.each([
    ["the third one", 2],
    ["the middle one", 1],
    ["Monday", 2],
    ["the last", 2],
    ["nine", 2],
    ["the latest", 2],
    ["the earliest one", 0],
    ["the afternoon", 1],
  ])("%p takes number %d", (text, index) => expect(indexIn(text, THREE)).toBe(index));
  test.each(["the morning", "the other one", "in the morning please"])("%p could be two of them", (text) =>
    expect(indexIn(text, THREE)).toBeNull(),
  );
});

describe("of two on the same day", () => {
  test("the day alone chooses none, and is kept so that the agent can ask", () => {
    expect(understand("Thursday.", SAME_DAY)).toMatchObject({ choice: null, moment: { date: "2026-11-19" } });
  });
  test("the same time on two days chooses none", () => {
    expect(understand("At four.", SAME_DAY)).toMatchObject({ choice: null, moment: { time: "16:00" } });
  });
  test.each([
    ["Thursday, the later one", 1],
    ["Thursday at four", 1],
    ["the earlier one on Thursday", 0],
    ["Thursday morning", 0],
    ["Friday", 2],
  ])("%p takes number %d", (text, index) => expect(indexIn(text, SAME_DAY)).toBe(index));
});

describe("where a place begins at two", () => {
  const offers = [THURSDAY_MORNING, FRIDAY_AFTERNOON, { date: "2026-11-20", startTime: "14:00" }];
  test("two could be its number or its time: none is chosen", () => {
    expect(indexIn("Two.", { ...THREE, offers })).toBeNull();
    expect(indexIn("Two o'clock.", { ...THREE, offers })).toBe(2);
    expect(indexIn("The second.", { ...THREE, offers })).toBe(1);
  });
});

describe("where a place is on the second of a month", () => {
  const offers = [
    { date: "2026-12-02", startTime: "10:30" },
    { date: "2026-12-03", startTime: "10:30" },
  ];
  test("the second is a day, and only that day", () => {
    expect(indexIn("On the second.", { ...TWO, offers })).toBe(0);
  });
});

describe("of a single place", () => {
  const ONE: Hearing = { ...TWO, offers: [THURSDAY_MORNING], lastOffered: THURSDAY_MORNING };
  test.each(["Yes.", "Okay.", "That works.", "I'll take it.", "Thursday is fine.", "that one"])("%p takes it", (text) =>
    expect(indexIn(text, ONE)).toBe(0),
  );
  test.each(["No.", "Another day.", "Friday.", "Maybe."])("%p does not", (text) =>
    expect(indexIn(text, ONE)).toBeNull(),
  );
});

describe("asked for a yes to Thursday 10:30,", () => {
  const ASKED: Hearing = { ...HEARING, expecting: "yes_no", lastOffered: THURSDAY_MORNING };
  const firstIntent = (text: string) => understand(text, ASKED).intents[0];
  test("the same day said again is a weak yes", () => {
    expect(firstIntent("Thursday at half past ten")).toEqual({ intent: "yes", confidence: 0.6 });
  });
  test("another day alone is a weak wish for another time", () => {
    expect(firstIntent("Friday")).toEqual({ intent: "another_time", confidence: 0.6 });
  });
  test("a yes with another day is no yes to book on", () => {
    expect(firstIntent("Yes, Friday")).toEqual({ intent: "another_time", confidence: 0.6 });
    expect(firstIntent("Yes, at eleven")).toEqual({ intent: "another_time", confidence: 0.6 });
  });
  test("a yes with another place on the table is no yes either", () => {
    const meaning = understand("Yes, Friday", { ...ASKED, offers: [THURSDAY_MORNING, FRIDAY_AFTERNOON] });
    expect(meaning.intents[0]).toEqual({ intent: "another_time", confidence: 0.6 });
    expect(meaning.choice?.index).toBe(1);
  });
  test("a yes to the whole week is a yes to its Thursday", () => {
    expect(understand("Yes, next week is fine", ASKED)).toMatchObject({
      intents: [{ intent: "yes" }],
      moment: { date: "2026-11-19", dateEnd: null },
    });
  });
  test("a yes with the same day is a yes", () => {
    expect(firstIntent("Yes, Thursday is fine")?.confidence).toBeGreaterThan(0.9);
  });
});
