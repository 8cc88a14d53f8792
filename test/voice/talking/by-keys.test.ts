// Keypad calls: an agent without ears.
import { describe, expect, test } from "bun:test";
import type { Sound } from "../../../src/telephony/port.ts";
import { APPOINTMENT, OFFERS, setStage, SOUND_MS, soundOf, type StageOptions } from "../stage.ts";

const GREETING = "Hello, this is City Hospital.";
const APPOINTMENT_LINE = "Your appointment is on Tuesday, the fifth of May, at ten thirty in the morning.";
const NEVER_AGAIN = "Press 9 if you do not want to be called again.";
const THE_SECOND = "Thursday, the seventh of May, at five fifteen in the evening.";
const LATER_OR_NEVER = `Press 4 to be called later. ${NEVER_AGAIN}`;
const IDENTITY = "If I am speaking with Ravi, press 1. If not, press 2.";
const FURTHER = `Press 3 to speak to a person. ${LATER_OR_NEVER}`;
const MENU = `Press 1 to confirm. Press 2 for another time. Press 3 to speak to a person. ${LATER_OR_NEVER}`;
const GOODBYE = "Thank you. Goodbye.";
const FILLER = "One moment, please.";
/** After the closing. */
const LEAVING_MS = 700;
const NEVER = new Promise<never>(() => {});
const NOT_SAVED = "I am sorry, that could not be saved. Please call the hospital.";
const UNREACHABLE = "I am sorry, I cannot reach the calendar just now. Somebody will call you back.";

/** An agent with open announcements, which tells the purpose at once. */
const open = (options: StageOptions = {}): StageOptions => ({
  ...options,
  brief: { announcesOpenly: true, ...options.brief },
});

/** Answered, with greeting, appointment and menu played to their end. */
async function listening(options: StageOptions = {}) {
  const stage = setStage(open(options));
  await stage.answer();
  await stage.clock.advance(3 * SOUND_MS);
  return stage;
}

describe("who is on the telephone", () => {
  test("is asked by key, and the appointment is not mentioned before", async () => {
    const stage = setStage();
    await stage.answer();
    await stage.clock.advance(3 * SOUND_MS + 7_000);
    expect(stage.heard()).toEqual([GREETING, IDENTITY, FURTHER]);
    await stage.press("1");
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.heard().slice(3)).toEqual([APPOINTMENT_LINE, MENU]);
  });

  test("is asked even if the greeting asks it, because the greeting names no keys", async () => {
    const stage = setStage({ brief: { greeting: "Am I speaking with Ravi?" } });
    await stage.answer();
    await stage.clock.advance(SOUND_MS);
    expect(stage.heard()).toEqual(["Am I speaking with Ravi?", IDENTITY]);
  });

  test("may be another person who fetches the contact, and identity is asked again", async () => {
    const stage = setStage();
    await stage.answer();
    await stage.clock.advance(3 * SOUND_MS);
    await stage.press("2");
    await stage.clock.advance(3 * SOUND_MS);
    expect(stage.heard().slice(3)).toEqual([
      "Can Ravi come to the phone?",
      "Press 1 for yes, or 2 for no.",
      NEVER_AGAIN,
    ]);
    await stage.press("1");
    await stage.clock.advance(3 * SOUND_MS + 30_000);
    expect(stage.heard().slice(6)).toEqual(["Thank you. I will wait.", IDENTITY, FURTHER]);
    await stage.press("1");
    expect(stage.heard().at(-1)).toBe(APPOINTMENT_LINE);
  });

  test("without a name is asked for a moment, and called later after a no", async () => {
    const stage = setStage({ brief: { contactName: null } });
    await stage.answer();
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.heard().slice(1)).toEqual(["Press 1 if you have a moment. Press 2 if not.", FURTHER]);
    await stage.press("2");
    expect(stage.agent.ended("peer")).toMatchObject({
      callbackInMinutes: 30,
      extractedDetails: { answer: "call_later" },
    });
  });

  test("is not confirmed by a key during the greeting: playback continues to the question", async () => {
    const stage = setStage();
    stage.agent.keyPressed("1");
    await stage.answer();
    await stage.clock.advance(500);
    await stage.press("1");
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.happened).toEqual([`play ${GREETING}`, `play ${IDENTITY}`, `play ${FURTHER}`]);
    await stage.press("1");
    expect(stage.heard().at(-1)).toBe(APPOINTMENT_LINE);
  });

  test("is not asked on inbound calls", async () => {
    const stage = setStage({ brief: { direction: "inbound" } });
    await stage.answer();
    await stage.clock.advance(SOUND_MS);
    expect(stage.heard()).toEqual([GREETING, APPOINTMENT_LINE]);
  });
});

describe("the opening", () => {
  test("of an open announcement is greeting, appointment and menu, one after the other", async () => {
    const stage = setStage(open());
    await stage.answer();
    expect(stage.heard()).toEqual([GREETING]);
    await stage.clock.advance(SOUND_MS);
    expect(stage.heard()).toEqual([GREETING, APPOINTMENT_LINE]);
    await stage.clock.advance(SOUND_MS);
    expect(stage.heard()).toEqual([GREETING, APPOINTMENT_LINE, MENU]);
  });

  test("is synthesised while the phone rings, the greeting first", async () => {
    const told = setStage(open());
    await told.clock.advance(0);
    expect(told.spoken).toEqual([GREETING, APPOINTMENT_LINE, MENU]);
    const asked = setStage();
    await asked.clock.advance(0);
    expect(asked.spoken.slice(0, 5)).toEqual([GREETING, IDENTITY, FURTHER, APPOINTMENT_LINE, MENU]);
  });

  test("greets without waiting for the calendar", async () => {
    const stage = setStage({ desk: { appointment: () => NEVER } });
    await stage.answer();
    expect(stage.heard()).toEqual([GREETING]);
  });

  test("reports that the calendar is unreachable, and a person follows up", async () => {
    const stage = setStage(open({ desk: { appointment: () => NEVER } }));
    await stage.answer();
    await stage.clock.advance(10_000);
    expect(stage.heard().filter((line) => line !== FILLER)).toEqual([GREETING, UNREACHABLE, GOODBYE]);
    expect(stage.logLines.join()).toContain("appointment look-up for a call failed");
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "not_saved" });
  });

  test("plays a late greeting as soon as it is ready", async () => {
    const made = Promise.withResolvers<Sound>();
    const stage = setStage({
      voice: (text) => (text === GREETING ? made.promise : Promise.resolve(soundOf(10))),
    });
    await stage.answer();
    await stage.clock.advance(1_500);
    expect(stage.heard()).toEqual([]);
    made.resolve(soundOf(2_000));
    await stage.clock.advance(0);
    expect(stage.heard()).toEqual([GREETING]);
  });

  test("skips a greeting that is never ready", async () => {
    const stage = setStage({ voice: (text) => (text === GREETING ? NEVER : Promise.resolve(soundOf(10))) });
    await stage.answer();
    await stage.clock.advance(6_100);
    expect(stage.heard()).toEqual([IDENTITY, FURTHER]);
  });

  test("prefers recordings to the voice", async () => {
    const stage = await listening({ recorded: ["greeting", "menu"] });
    expect(stage.heard()).toEqual(["[greeting]", APPOINTMENT_LINE, "[menu]"]);
    expect(stage.spoken).toContain(APPOINTMENT_LINE);
    for (const recorded of [GREETING, MENU]) expect(stage.spoken).not.toContain(recorded);
  });

  const menus: [what: string, options: StageOptions, menu: string][] = [
    [
      "no appointment and nothing to book",
      { desk: { canBook: false, appointment: () => Promise.resolve(null) } },
      `Press 1 if you have heard this message. Press 3 to speak to a person. ${LATER_OR_NEVER}`,
    ],
    [
      "no calendar and nobody to speak to",
      { desk: null, brief: { transferTo: null } },
      `Press 1 if you have heard this message. ${LATER_OR_NEVER}`,
    ],
    [
      "an appointment but nobody to speak to",
      { brief: { transferTo: null } },
      `Press 1 to confirm. Press 2 for another time. ${LATER_OR_NEVER}`,
    ],
    [
      "they called us",
      { brief: { direction: "inbound" } },
      "Press 1 to confirm. Press 2 for another time. Press 3 to speak to a person.",
    ],
  ];
  for (const [what, options, menu] of menus) {
    test(`offers only the keys that lead somewhere: ${what}`, async () => {
      const stage = await listening(options);
      expect(stage.heard().at(-1)).toBe(menu);
    });
  }
});

describe("a key that contradicts the last words", () => {
  test("takes a confirmation back, and asks what they want", async () => {
    const stage = await listening();
    await stage.press("1");
    await stage.clock.advance(SOUND_MS);
    await stage.press("2");
    expect(stage.count("desk: undo")).toBe(1);
    await stage.clock.advance(SOUND_MS);
    expect(stage.heard().slice(-2)).toEqual([
      "Would you like another time?",
      "Press 1 for another time. Press 2 to cancel the appointment.",
    ]);
    await stage.press("1");
    expect(stage.count("desk: offer 3")).toBe(1);
    expect(stage.agent.ended("peer").extractedDetails).toMatchObject({ answer: "unsettled" });
  });

  test("takes a booking back, and the hospital finds another time", async () => {
    const stage = await listening();
    await stage.press("2");
    await stage.clock.advance(5 * SOUND_MS);
    await stage.press("1");
    await stage.clock.advance(SOUND_MS);
    await stage.press("1");
    await stage.clock.advance(SOUND_MS);
    await stage.press("0");
    await stage.clock.advance(5 * SOUND_MS);
    await stage.press("0");
    expect(stage.happened.filter((what) => what.startsWith("desk: ")).slice(-4)).toEqual([
      "desk: book A",
      "desk: undo",
      "desk: offer 3",
      "desk: change",
    ]);
    await stage.clock.advance(3 * SOUND_MS);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "change_requested" });
  });

  test("has no effect when pressed twice", async () => {
    const stage = await listening();
    await stage.press("1");
    await stage.press("1");
    await stage.clock.advance(3 * SOUND_MS);
    expect(stage.count("desk: undo")).toBe(0);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "confirmed" });
  });

  test("asks for a person", async () => {
    const stage = await listening();
    await stage.press("1");
    await stage.clock.advance(SOUND_MS);
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    expect(stage.count("transfer +912200001111")).toBe(1);
  });

  test("star repeats the closing, and 9 opts out while the agreement stands", async () => {
    const stage = await listening();
    await stage.press("1");
    await stage.clock.advance(SOUND_MS);
    await stage.press("*");
    expect(stage.heard().at(-1)).toBe("Thank you. Your appointment is confirmed.");
    await stage.press("9");
    await stage.clock.advance(5 * SOUND_MS);
    expect(stage.count("desk: undo")).toBe(0);
    expect(stage.agent.ended("us")).toMatchObject({ optOut: true, extractedDetails: { answer: "opted_out" } });
  });
});

describe("key 1", () => {
  test("confirms the appointment, says so and hangs up", async () => {
    const stage = await listening();
    await stage.press("1");
    await stage.clock.advance(2 * SOUND_MS + LEAVING_MS);
    expect(stage.happened.slice(3)).toEqual([
      "desk: confirm",
      "play Thank you. Your appointment is confirmed.",
      `play ${GOODBYE}`,
      "hang up",
    ]);
    expect(stage.agent.ended("us")).toMatchObject({
      analytics: {
        disposition: "session_ended",
        sentiment: "positive",
        next_steps: "Expect the contact at the appointment.",
      },
      extractedDetails: {
        answer: "confirmed",
        // Deprecated alias.
        keypad_answer: "confirmed",
        answered_by: "keypad",
        keys: "1",
        appointment_date: "2026-05-05",
        appointment_time: "10:30",
      },
    });
  });

  test("counts from the last word of the appointment on, during the menu", async () => {
    const stage = setStage(open());
    await stage.answer();
    await stage.clock.advance(2 * SOUND_MS + 10);
    await stage.press("1");
    expect(stage.happened.slice(-3)).toEqual([
      "stop",
      "desk: confirm",
      "play Thank you. Your appointment is confirmed.",
    ]);
  });

  test("pressed again during calendar work or the answer, confirms once", async () => {
    const stage = await listening();
    stage.agent.keyPressed("1");
    stage.agent.keyPressed("1");
    await stage.clock.advance(500);
    await stage.press("1");
    await stage.clock.advance(10_000);
    expect(stage.count("desk: confirm")).toBe(1);
    expect(stage.count("hang up")).toBe(1);
  });

  for (const [what, { confirm, told }] of Object.entries({
    "is gone": { confirm: () => Promise.resolve(false), told: NOT_SAVED },
    "cannot be reached": { confirm: () => Promise.reject(new Error("down")), told: UNREACHABLE },
    "does not answer": { confirm: () => NEVER, told: UNREACHABLE },
  })) {
    test(`never says that it is confirmed where the appointment ${what}`, async () => {
      const stage = await listening({ recorded: ["confirmed"], desk: { confirm } });
      await stage.press("1");
      await stage.clock.advance(20_000);
      expect(
        stage
          .heard()
          .slice(3)
          .filter((line) => line !== FILLER),
      ).toEqual([told, GOODBYE]);
      expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "not_saved" });
    });
  }

  test("without an appointment acknowledges the message, without a calendar request", async () => {
    const desk = { canBook: false, appointment: () => Promise.resolve(null) };
    const stage = await listening({ recorded: ["confirmed"], desk });
    await stage.press("1");
    await stage.clock.advance(20_000);
    expect(stage.happened.slice(2)).toEqual(["play Thank you. That is all.", `play ${GOODBYE}`, "hang up"]);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "acknowledged", keys: "1" });
  });

  test("follows a recorded menu without an appointment: 1 acknowledges, 2 books", async () => {
    const desk = { appointment: () => Promise.resolve(null) };
    const heard = await listening({ recorded: ["menu"], desk });
    await heard.press("1");
    expect(heard.agent.ended("peer").extractedDetails).toMatchObject({ answer: "acknowledged" });
    const books = await listening({ recorded: ["menu"], desk });
    await books.press("2");
    expect(books.count("desk: offer 3")).toBe(1);
  });
});

describe("a key before the words that it answers", () => {
  test("during the appointment: playback continues to the question, and only a later key confirms", async () => {
    const stage = setStage(open());
    await stage.answer();
    await stage.clock.advance(SOUND_MS);
    for (let i = 0; i < 8; i++) {
      await stage.press("1");
      await stage.clock.advance(200);
    }
    await stage.clock.advance(SOUND_MS);
    expect(stage.happened).toEqual([`play ${GREETING}`, `play ${APPOINTMENT_LINE}`, `play ${MENU}`]);
    await stage.press("1");
    expect(stage.count("desk: confirm")).toBe(1);
  });

  test("before the appointment is known: it is told as soon as it is", async () => {
    const known = Promise.withResolvers<typeof APPOINTMENT>();
    const stage = setStage(open({ desk: { appointment: () => known.promise } }));
    await stage.answer();
    await stage.press("1");
    await stage.press("2");
    known.resolve(APPOINTMENT);
    await stage.clock.advance(2 * SOUND_MS + 500);
    expect(stage.heard().slice(1)).toEqual([APPOINTMENT_LINE, MENU]);
    expect(stage.happened.filter((what) => what.startsWith("desk"))).toEqual([]);
  });

  test("after hold during the appointment: it is told again", async () => {
    const stage = setStage(open());
    await stage.answer();
    await stage.clock.advance(SOUND_MS + 100);
    stage.hold();
    await stage.clock.advance(2 * (SOUND_MS + 2_000) + 1_000);
    await stage.press("1");
    expect(stage.count("desk: confirm")).toBe(0);
    expect(stage.heard().slice(3)).toEqual([APPOINTMENT_LINE]);
    stage.resume();
    await stage.clock.advance(10_000);
    await stage.press("1");
    expect(stage.count("desk: confirm")).toBe(1);
  });

  test("during hold: silence counts only after hold", async () => {
    const stage = setStage(open());
    await stage.answer();
    await stage.clock.advance(3 * SOUND_MS + 1_000);
    const before = stage.heard().length;
    stage.holdsUs(true);
    await stage.clock.advance(120_000);
    expect(stage.heard()).toHaveLength(before);
    stage.holdsUs(false);
    await stage.clock.advance(6_000);
    expect(stage.heard()).toHaveLength(before);
    await stage.clock.advance(2_000);
    expect(stage.heard().at(-1)).toBe(APPOINTMENT_LINE);
  });

  test("3 counts before the menu: it transfers, and identity is asked if the transfer fails", async () => {
    const stage = setStage({ transfer: () => Promise.resolve("refused") });
    await stage.answer();
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    expect(stage.count("transfer +912200001111")).toBe(1);
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.heard().slice(2)).toEqual(["I am sorry, nobody can take your call at the moment.", IDENTITY, FURTHER]);
  });

  test("without a voice, the recorded menu or greeting must have been heard", async () => {
    for (const recorded of [["greeting", "menu"], ["greeting"]] as const) {
      const stage = setStage({ voice: null, recorded, brief: { language: "ta", isMute: true } });
      await stage.answer();
      await stage.clock.advance(500);
      await stage.press("1");
      await stage.clock.advance(500);
      await stage.press("1");
      expect(stage.count("desk: confirm")).toBe(0);
      await stage.clock.advance(2 * SOUND_MS);
      await stage.press("1");
      expect(stage.count("desk: confirm")).toBe(1);
    }
  });

  test("for a slot later in the list: the list continues, and nothing is booked", async () => {
    const stage = await listening();
    await stage.press("2");
    await stage.clock.advance(SOUND_MS + 500);
    await stage.press("2");
    await stage.clock.advance(5 * SOUND_MS);
    expect(stage.count("stop")).toBe(0);
    expect(stage.heard().at(-1)).toBe(NEVER_AGAIN);
    await stage.press("2");
    expect(stage.heard().at(-1)).toBe(THE_SECOND);
    await stage.press("1");
    expect(stage.count("desk: book B")).toBe(0);
    await stage.clock.advance(SOUND_MS);
    await stage.press("1");
    expect(stage.count("desk: book B")).toBe(1);
  });
});

describe("key 2", () => {
  const OFFERED = [
    "These times are open.",
    "Press 1 for Wednesday, the sixth of May, at nine o'clock in the morning.",
    "Press 2 for Thursday, the seventh of May, at five fifteen in the evening.",
    "Press 0 if none of these suits you.",
    NEVER_AGAIN,
  ];

  test("offers slots, reads the chosen one back, and moves the appointment", async () => {
    const stage = await listening();
    await stage.press("2");
    await stage.clock.advance(5 * SOUND_MS);
    expect(stage.heard().slice(3)).toEqual(OFFERED);
    await stage.press("2");
    await stage.clock.advance(4 * SOUND_MS);
    expect(stage.heard().slice(8)).toEqual([
      THE_SECOND,
      "Shall I book it?",
      "Press 1 for yes, or 2 for no.",
      NEVER_AGAIN,
    ]);
    await stage.press("1");
    await stage.clock.advance(10_000);
    expect(stage.happened.slice(-4)).toEqual([
      "desk: book B",
      "play Thank you. Your appointment is now on Thursday, the seventh of May, at five fifteen in the evening.",
      `play ${GOODBYE}`,
      "hang up",
    ]);
    expect(stage.agent.ended("us")).toMatchObject({
      analytics: { disposition: "appointment_booked" },
      extractedDetails: {
        answer: "rescheduled",
        keys: "221",
        appointment_date: "2026-05-07",
        appointment_time: "17:15",
      },
    });
  });

  test("books without an appointment, during the offer", async () => {
    const stage = await listening({ desk: { appointment: () => Promise.resolve(null) } });
    await stage.press("1");
    await stage.clock.advance(2 * SOUND_MS + 500);
    await stage.press("1");
    await stage.clock.advance(SOUND_MS + 500);
    await stage.press("1");
    expect(stage.happened.slice(-3)).toEqual([
      "stop",
      "desk: book A",
      "play Thank you. Your appointment is on Wednesday, the sixth of May, at nine o'clock in the morning.",
    ]);
    expect(stage.agent.ended("us")).toMatchObject({
      analytics: { disposition: "appointment_booked" },
      extractedDetails: { answer: "booked" },
    });
  });

  test("offers again if the slot is taken, then leaves it to the hospital", async () => {
    const stage = await listening({ desk: { book: () => Promise.resolve(null) } });
    await stage.press("2");
    await stage.clock.advance(2 * SOUND_MS);
    for (const key of ["1", "1"]) {
      await stage.press(key);
      await stage.clock.advance(6 * SOUND_MS);
    }
    expect(stage.heard().slice(-6)).toEqual(["I am sorry, that time has just been taken.", ...OFFERED]);
    for (const key of ["1", "1"]) {
      await stage.press(key);
      await stage.clock.advance(5 * SOUND_MS);
    }
    expect(stage.happened.filter((what) => what.startsWith("desk"))).toEqual([
      "desk: offer 3",
      "desk: book A",
      "desk: offer 3",
      "desk: book A",
      "desk: change",
    ]);
    expect(stage.heard().slice(-2)).toEqual([
      "I have noted it. The hospital will call you to find another time.",
      GOODBYE,
    ]);
  });

  const changes: [what: string, options: StageOptions, then: string[]][] = [
    ["nothing is open", { desk: { offer: () => Promise.resolve([]) } }, []],
    ["the calendar cannot offer", { desk: { offer: () => Promise.reject(new Error("down")) } }, []],
    ["there is no branch to book for", { desk: { canBook: false, offer: async () => [] } }, []],
    ["none suits", {}, ["0"]],
  ];
  test("offers slots of the appointment's branch, even if the call has no branch", async () => {
    const stage = await listening({ desk: { canBook: false } });
    for (const key of ["2", "1", "1"]) {
      await stage.press(key);
      await stage.clock.advance(2 * SOUND_MS);
    }
    await stage.clock.advance(10_000);
    expect(stage.agent.ended("us")).toMatchObject({ extractedDetails: { answer: "rescheduled" } });
  });

  for (const [what, options, keys] of changes) {
    test(`tells the hospital where ${what}`, async () => {
      const stage = await listening({ ...options, recorded: ["change_requested"] });
      for (const key of ["2", ...keys]) await stage.press(key);
      await stage.clock.advance(10_000);
      expect(stage.count("desk: change")).toBe(1);
      expect(stage.happened.slice(-3)).toEqual(["play [change_requested]", `play ${GOODBYE}`, "hang up"]);
      expect(stage.agent.ended("us")).toMatchObject({
        analytics: { disposition: "session_ended", next_steps: "Call the contact to find a time." },
        extractedDetails: { answer: "change_requested" },
      });
    });
  }

  test("notifies the hospital if no slot is chosen", async () => {
    const stage = await listening();
    await stage.press("2");
    await stage.clock.advance(3 * 5 * SOUND_MS + 22_000 + 2 * SOUND_MS + LEAVING_MS);
    expect(stage.count("desk: change")).toBe(1);
    expect(stage.count("hang up")).toBe(1);
  });

  test("reserves no slots without a voice, and notifies the hospital", async () => {
    const recorded = ["greeting", "menu", "change_requested"] as const;
    const stage = await listening({ voice: null, recorded, brief: { language: "ta", isMute: true } });
    await stage.press("2");
    await stage.clock.advance(10_000);
    expect(stage.happened.slice(-3)).toEqual(["desk: change", "play [change_requested]", "hang up"]);
    expect(stage.count("desk: offer 3")).toBe(0);
  });

  test("does not book again after a calendar failure", async () => {
    const stage = await listening({ desk: { book: () => Promise.reject(new Error("down")) } });
    for (const key of ["2", "1"]) {
      await stage.press(key);
      await stage.clock.advance(2 * SOUND_MS);
    }
    for (const key of ["1", "1"]) await stage.press(key);
    await stage.clock.advance(10_000);
    expect(stage.count("desk: book A")).toBe(1);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "not_saved" });
  });
});

describe("key 3", () => {
  test("transfers the caller and hangs up silently", async () => {
    const stage = await listening();
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    expect(stage.happened.slice(3)).toEqual(["play Please hold the line.", "transfer +912200001111", "hang up"]);
    expect(stage.agent.ended("us")).toMatchObject({
      analytics: { disposition: "transferred" },
      extractedDetails: { answer: "transferred" },
    });
  });

  test("reports a failed transfer, repeats the menu once, then says goodbye", async () => {
    const stage = await listening({ transfer: () => Promise.resolve("refused") });
    await stage.press("3");
    await stage.clock.advance(3 * SOUND_MS);
    expect(stage.heard().slice(-3)).toEqual([
      "I am sorry, nobody can take your call at the moment.",
      APPOINTMENT_LINE,
      MENU,
    ]);
    await stage.press("3");
    await stage.clock.advance(10_000);
    expect(stage.heard().slice(-2)).toEqual(["I am sorry, nobody can take your call at the moment.", GOODBYE]);
    expect(stage.count("hang up")).toBe(1);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "transfer_refused", keys: "33" });
  });

  test("after a refusal the appointment can still be confirmed", async () => {
    const stage = await listening({ transfer: () => Promise.resolve("refused") });
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    await stage.press("1");
    expect(stage.agent.ended("peer").extractedDetails).toMatchObject({ answer: "confirmed" });
  });

  test("that the exchange takes over without a result is reported as such", async () => {
    const stage = await listening({ transfer: () => Promise.resolve("handed_over") });
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    const { analytics, extractedDetails } = stage.agent.ended("peer");
    expect(extractedDetails).toMatchObject({ answer: "handed_over" });
    expect(analytics).toMatchObject({ disposition: "transferred" });
    expect(analytics?.summary).toEndWith("The exchange took over the call and did not report whether it was answered.");
  });

  test("that fails after the caller was transferred away plays nothing", async () => {
    const stage = await listening({ transfer: () => Promise.resolve("gone") });
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    expect(stage.heard().at(-1)).toBe("Please hold the line.");
    const { analytics, extractedDetails } = stage.agent.ended("peer");
    expect(extractedDetails).toMatchObject({ answer: "transfer_refused" });
    expect(analytics).toMatchObject({ disposition: "session_ended" });
    expect(analytics?.summary).toEndWith("The contact asked for a person, but nobody took the call.");
  });

  test("that is never answered ends as refused", async () => {
    const stage = await listening({ transfer: () => NEVER });
    await stage.press("3");
    await stage.clock.advance(SOUND_MS + 90_000);
    expect(stage.heard()).toContain("I am sorry, nobody can take your call at the moment.");
  });
});

describe("key 4", () => {
  test("schedules a callback, announces it, and records it", async () => {
    const stage = await listening();
    await stage.press("4");
    await stage.clock.advance(2 * SOUND_MS + LEAVING_MS);
    expect(stage.happened.slice(3)).toEqual([
      'agree {"callbackInMinutes":30}',
      "play Thank you. We will call you again in half an hour.",
      `play ${GOODBYE}`,
      "hang up",
    ]);
    expect(stage.agent.ended("us")).toMatchObject({
      callbackInMinutes: 30,
      analytics: { disposition: "callback_scheduled", next_steps: "None: the call is scheduled." },
      extractedDetails: { answer: "call_later", keys: "4", callback_in_minutes: 30 },
    });
  });

  test("is stored once, before it is confirmed in words", async () => {
    const writing = Promise.withResolvers<void>();
    const stage = await listening({ agree: () => writing.promise });
    await stage.press("4");
    await stage.clock.advance(SOUND_MS);
    expect(stage.happened.at(-1)).toBe('agree {"callbackInMinutes":30}');
    writing.resolve();
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.heard().slice(-2)).toEqual(["Thank you. We will call you again in half an hour.", GOODBYE]);
    expect(stage.count('agree {"callbackInMinutes":30}')).toBe(1);
  });

  test("is confirmed after five seconds if the write fails: the end of the call repeats it", async () => {
    const stage = await listening({ agree: () => NEVER });
    await stage.press("4");
    await stage.clock.advance(5_000 + 2 * SOUND_MS + LEAVING_MS);
    expect(stage.happened.at(-1)).toBe("hang up");
    expect(stage.logLines.join()).toContain("storing what was agreed on a call failed");
    expect(stage.agent.ended("us").callbackInMinutes).toBe(30);
  });

  test("counts when pressed, even if they hang up before the confirmation", async () => {
    const stage = await listening();
    await stage.press("4");
    expect(stage.agent.ended("peer")).toMatchObject({
      callbackInMinutes: 30,
      analytics: { disposition: "callback_scheduled" },
    });
  });

  test("counts before the appointment was told", async () => {
    const stage = setStage(open());
    await stage.answer();
    await stage.clock.advance(SOUND_MS + 100);
    await stage.press("4");
    expect(stage.heard().at(-1)).toBe("Thank you. We will call you again in half an hour.");
  });
});

describe("key 9", () => {
  test("opts out, and is stored before it is confirmed in words", async () => {
    const stage = await listening();
    await stage.press("9");
    await stage.clock.advance(2 * SOUND_MS + LEAVING_MS);
    expect(stage.happened.slice(3)).toEqual([
      'agree {"optOut":true}',
      "play I have noted it. We will not call this number again. I am sorry to have troubled you.",
      `play ${GOODBYE}`,
      "hang up",
    ]);
    const result = stage.agent.ended("us");
    expect(result).toMatchObject({
      optOut: true,
      analytics: { disposition: "not_interested", sentiment: "negative", next_steps: "Do not call again." },
      extractedDetails: { answer: "opted_out", keys: "9" },
    });
    expect(result).not.toHaveProperty("callbackInMinutes");
  });

  test("leaves the appointment unchanged for the hospital to decide", async () => {
    const stage = await listening();
    await stage.press("9");
    await stage.clock.advance(60_000);
    expect(stage.happened.filter((what) => what.startsWith("desk"))).toEqual([]);
  });

  test("and 4 have no effect on inbound calls without a number", async () => {
    for (const key of ["4", "9"]) {
      const stage = await listening({ brief: { direction: "inbound" } });
      await stage.press(key);
      expect(stage.heard().at(-1)).toBe("Sorry, I did not understand that.");
      expect(stage.agent.ended("peer")).toMatchObject({ extractedDetails: { answer: "none" } });
    }
  });
});

describe("a machine that answers", () => {
  const BEEP = "You have reached Ravi. Please leave a message after the tone.";
  const MESSAGE = "This is Asha. I am sorry to have missed you. Goodbye.";
  /** Until the machine has fallen silent. */
  const MACHINE_MS = 2_750;

  test("gets a message without name, date or purpose, and the call ends", async () => {
    const stage = setStage();
    await stage.answer();
    await stage.clock.advance(500);
    await stage.hear(BEEP);
    await stage.clock.advance(MACHINE_MS + SOUND_MS);
    expect(stage.happened).toEqual([`play ${GREETING}`, "stop", `play ${MESSAGE}`, "hang up"]);
    expect(stage.agent.ended("us")).toMatchObject({
      analytics: { disposition: "voicemail", next_steps: "Try again later." },
      extractedDetails: { answer: "message_left" },
    });
  });

  for (const [when, waitMs] of Object.entries({
    "while the appointment is told": SOUND_MS + 100,
    "while the agent listens": 3 * SOUND_MS + 1_000,
  })) {
    test(`is known ${when}, too, and told no more`, async () => {
      const stage = setStage();
      await stage.answer();
      await stage.clock.advance(waitMs);
      await stage.hear(BEEP);
      await stage.clock.advance(60_000);
      expect(stage.heard().at(-1)).toBe(MESSAGE);
      expect(stage.agent.ended("us").analytics?.disposition).toBe("voicemail");
    });
  }

  test("that hung up during the message counts as not left", async () => {
    const stage = setStage();
    await stage.answer();
    await stage.hear(BEEP);
    await stage.clock.advance(MACHINE_MS + 500);
    expect(stage.agent.ended("peer")).toMatchObject({
      analytics: { disposition: "voicemail", summary: expect.stringContaining("No message was left") },
      extractedDetails: { answer: "machine_answered" },
    });
  });

  test("hears about another call only if one follows", async () => {
    const stage = await listening({ brief: { isTriedAgain: true } });
    await stage.hear(BEEP);
    await stage.clock.advance(MACHINE_MS);
    expect(stage.heard().at(-1)).toBe("This is Asha. I am sorry to have missed you, and will try again. Goodbye.");
  });

  test("is recognised by all known machine phrases", async () => {
    for (const words of [
      "You have reached the voicemail of five five five.",
      "The subscriber you are calling is not reachable.",
      "Please record your message at the tone.",
    ]) {
      const stage = await listening();
      await stage.hear(words);
      await stage.clock.advance(MACHINE_MS);
      expect(stage.heard().at(-1)).toBe(MESSAGE);
    }
  });

  test("gets no message without a voice", async () => {
    const stage = setStage({ voice: null, recorded: ["greeting", "menu"], brief: { language: "hi-IN", isMute: true } });
    await stage.answer();
    await stage.hear("कृपया बीप के बाद संदेश छोड़ें");
    await stage.clock.advance(10_000);
    expect(stage.happened.at(-1)).toBe("hang up");
    expect(stage.agent.ended("us")).toMatchObject({
      analytics: { disposition: "voicemail" },
      extractedDetails: { answer: "machine_answered" },
    });
  });

  test("cannot undo a person's agreement", async () => {
    const stage = await listening();
    await stage.press("1");
    await stage.hear(BEEP);
    await stage.clock.advance(60_000);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "confirmed" });
  });

  test("is never an inbound caller who mentions voicemail", async () => {
    const stage = setStage({ brief: { direction: "inbound" } });
    await stage.answer();
    await stage.hear("I had your message on my voicemail.");
    await stage.clock.advance(3 * SOUND_MS);
    expect(stage.heard().slice(0, 3)).not.toContain(MESSAGE);
    expect(stage.agent.ended("peer").analytics?.disposition).toBe("ended_by_customer");
  });

  test("is told apart from a person's words, which are answered", async () => {
    const stage = setStage();
    await stage.answer();
    await stage.hear("Hello? Who is this?");
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.heard().slice(1)).toEqual(["This is Asha, an automatic call for the hospital.", IDENTITY, FURTHER]);
  });
});

describe("silence and slips", () => {
  test("the question comes again after 8 s and 8 s, goodbye after 6 s", async () => {
    const stage = await listening();
    const again = [APPOINTMENT_LINE, MENU];
    const at = async (ms: number) => {
      await stage.clock.advance(ms);
      return stage.heard().slice(3);
    };
    expect(await at(7_999)).toEqual([]);
    expect(await at(1)).toEqual([APPOINTMENT_LINE]);
    expect(await at(2 * SOUND_MS + 8_000)).toEqual([...again, APPOINTMENT_LINE]);
    expect(await at(2 * SOUND_MS + 5_999)).toEqual([...again, ...again]);
    expect(await at(1)).toEqual([...again, ...again, GOODBYE]);
    await at(SOUND_MS + LEAVING_MS);
    expect(stage.happened.at(-1)).toBe("hang up");
    expect(stage.agent.ended("us")).toMatchObject({
      analytics: {
        disposition: "session_ended",
        summary: "Asha called the contact. The contact gave no answer.",
      },
      extractedDetails: { answer: "none", keys: "" },
    });
  });

  test("a meaningless key repeats the question twice, then a person takes over", async () => {
    const stage = await listening();
    for (const key of ["7", "#", "8"]) await stage.press(key);
    const notUnderstood = "Sorry, I did not understand that.";
    expect(stage.heard().slice(3)).toEqual([
      notUnderstood,
      notUnderstood,
      "I am sorry, I cannot understand you. I am connecting you to a person.",
    ]);
  });

  test("star repeats", async () => {
    const stage = await listening();
    await stage.press("*");
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.heard().slice(3)).toEqual([GREETING, APPOINTMENT_LINE, MENU]);
  });

  test("an agent without recordings and voice accepts no key, logs it once, and ends", async () => {
    const stage = setStage({ voice: null, brief: { language: "ta", isMute: true } });
    await stage.answer();
    await stage.press("1");
    await stage.clock.advance(60_000);
    expect(stage.happened).toEqual(["hang up"]);
    expect(stage.logLines.filter((line) => line.includes("silent"))).toHaveLength(1);

    const silent = setStage({ voice: null });
    await silent.answer();
    await silent.clock.advance(60_000);
    expect(silent.happened).toEqual(["hang up"]);
    expect(silent.agent.ended("us").analytics).toMatchObject({
      summary: expect.stringContaining("Nothing was said to them"),
      next_steps: expect.stringContaining("record its words"),
    });
  });

  test("a line that never reports the end of a sound does not block the call", async () => {
    const stage = setStage({ isDeaf: true });
    await stage.answer();
    await stage.clock.advance(60_000);
    expect(stage.happened.at(-1)).toBe("hang up");
  });
});

test("a throwing line ends this call only, and the log contains no words", async () => {
  const stage = setStage();
  await stage.clock.advance(0);
  stage.agent.answered({
    ...stage.line,
    play() {
      throw new Error("no media");
    },
  });
  await stage.clock.advance(60_000);
  await stage.press("1");
  expect(stage.happened).toEqual(["hang up"]);
  expect(stage.logLines.join()).toContain("the agent of a call failed");
  expect(stage.logLines.join()).not.toContain("no media");
});

describe("the record of the call", () => {
  test("contains words and keys with seconds since the answer", async () => {
    const stage = setStage(open({ recorded: ["greeting", "menu", "goodbye"] }));
    await stage.clock.advance(12_000);
    await stage.answer();
    await stage.clock.advance(SOUND_MS + 1_000);
    await stage.press("*");
    await stage.clock.advance(2 * SOUND_MS + 500);
    await stage.press("1");
    await stage.clock.advance(10_000);
    expect(stage.agent.ended("us").transcript).toEqual([
      { speaker: "agent", text: "[recorded greeting]", timestamp: 0 },
      { speaker: "agent", text: "Your appointment is on Tuesday, the fifth …", timestamp: 2 },
      { speaker: "user", text: "Pressed *.", timestamp: 3 },
      { speaker: "agent", text: "[recorded greeting]", timestamp: 3 },
      { speaker: "agent", text: APPOINTMENT_LINE, timestamp: 5 },
      { speaker: "agent", text: "[recorded menu, cut short]", timestamp: 7 },
      { speaker: "user", text: "Pressed 1.", timestamp: 7.5 },
      { speaker: "agent", text: "Thank you. Your appointment is confirmed.", timestamp: 7.5 },
      { speaker: "agent", text: "[recorded goodbye]", timestamp: 9.5 },
    ]);
  });

  test("says that the contact hung up early", async () => {
    const stage = setStage();
    await stage.answer();
    await stage.clock.advance(1_000);
    expect(stage.agent.ended("peer")).toMatchObject({
      transcript: [{ speaker: "agent", text: "Hello, this …", timestamp: 0 }],
      analytics: { disposition: "ended_by_customer" },
      extractedDetails: { answer: "none" },
    });
  });

  test("counts a hang-up after the answer was saved as the end of the conversation", async () => {
    const stage = await listening();
    await stage.press("1");
    expect(stage.agent.ended("peer").analytics?.disposition).toBe("session_ended");
  });

  test("claims nothing that was still under way", async () => {
    const stage = await listening({ desk: { confirm: () => NEVER } });
    await stage.press("1");
    expect(stage.agent.ended("peer")).toMatchObject({
      analytics: { disposition: "ended_by_customer" },
      extractedDetails: { answer: "unsettled", keys: "1" },
    });
  });

  test("of a call that was never answered is empty", async () => {
    const stage = setStage();
    stage.agent.keyPressed("1");
    expect(stage.agent.ended("peer")).toMatchObject({
      transcript: [],
      extractedDetails: { answer: "none", keys: "" },
    });
  });

  test("distinguishes an inbound call", async () => {
    const stage = await listening({ brief: { direction: "inbound" } });
    expect(stage.agent.ended("peer").analytics?.summary).toStartWith("The contact called Asha.");
  });

  test("after the end, line, voice and calendar get no requests", async () => {
    const offered = Promise.withResolvers<typeof OFFERS>();
    const stage = await listening({ desk: { offer: () => offered.promise } });
    await stage.press("2");
    const before = [...stage.happened];
    const spokenBefore = stage.spoken.length;
    stage.agent.ended("peer");
    offered.resolve(OFFERS);
    await stage.press("1");
    await stage.clock.advance(60_000);
    expect(stage.happened).toEqual(before);
    expect(stage.spoken).toHaveLength(spokenBefore);
  });
});
