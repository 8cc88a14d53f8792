import { describe, expect, test } from "bun:test";
import type { Sound } from "../../../src/telephony/port.ts";
import { APPOINTMENT, OFFERS, setStage, SOUND_MS, soundOf, type StageOptions } from "./stage.ts";

const GREETING = "Hello, this is City Hospital.";
const APPOINTMENT_LINE = "Your appointment is on Tuesday, the fifth of May, at ten thirty in the morning.";
const LATER_OR_NEVER = "Press 4 to be called later. Press 9 if you do not want this call.";
const MENU = `Press 1 to confirm. Press 2 for another time. Press 3 to speak to a person. ${LATER_OR_NEVER}`;
const GOODBYE = "Thank you. Goodbye.";
const NEVER = new Promise<never>(() => {});

/** Answered, and the greeting, the appointment and the menu heard to their end. */
async function listening(options: StageOptions = {}) {
  const stage = setStage(options);
  await stage.answer();
  await stage.clock.advance(3 * SOUND_MS);
  return stage;
}

describe("the opening", () => {
  test("is greeting, appointment and menu, one after the other", async () => {
    const stage = setStage();
    await stage.answer();
    expect(stage.heard()).toEqual([GREETING]);
    await stage.clock.advance(SOUND_MS);
    expect(stage.heard()).toEqual([GREETING, APPOINTMENT_LINE]);
    await stage.clock.advance(SOUND_MS);
    expect(stage.heard()).toEqual([GREETING, APPOINTMENT_LINE, MENU]);
  });

  test("is made ready while the phone rings, the greeting first", async () => {
    const stage = setStage();
    await stage.clock.advance(0);
    expect(stage.spoken).toEqual([GREETING, APPOINTMENT_LINE, MENU]);
    await stage.answer();
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.spoken).toHaveLength(3);
  });

  test("greets without waiting for the calendar", async () => {
    const stage = setStage({ desk: { appointment: () => NEVER } });
    await stage.answer();
    expect(stage.heard()).toEqual([GREETING]);
  });

  test("goes on without an appointment where the calendar does not answer", async () => {
    const stage = setStage({ desk: { appointment: () => NEVER } });
    await stage.answer();
    await stage.clock.advance(5_000);
    expect(stage.heard()[1]).toBe(
      `Press 1 if you have heard this message. Press 2 to book an appointment. Press 3 to speak to a person. ${LATER_OR_NEVER}`,
    );
    expect(stage.logLines.join()).toContain("could not look up the appointment");
  });

  test("plays a greeting that comes late as soon as it is there", async () => {
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

  test("skips a greeting that never comes", async () => {
    const stage = setStage({ voice: (text) => (text === GREETING ? NEVER : Promise.resolve(soundOf(10))) });
    await stage.answer();
    await stage.clock.advance(20_100);
    expect(stage.heard()).toEqual([APPOINTMENT_LINE, MENU]);
  });

  test("takes recordings before the voice", async () => {
    const stage = await listening({ recorded: ["greeting", "menu"] });
    expect(stage.heard()).toEqual(["[greeting]", APPOINTMENT_LINE, "[menu]"]);
    expect(stage.spoken).toEqual([APPOINTMENT_LINE]);
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
  test("takes a confirmation back and offers other times", async () => {
    const stage = await listening();
    await stage.press("1");
    await stage.clock.advance(SOUND_MS);
    await stage.press("2");
    expect(stage.count("desk: undo")).toBe(1);
    expect(stage.count("desk: offer 3")).toBe(1);
    expect(stage.agent.ended("peer").extractedDetails).toMatchObject({ keypad_answer: "unsettled" });
  });

  test("takes a booking back, and the hospital finds another time", async () => {
    const stage = await listening();
    await stage.press("2");
    await stage.clock.advance(5 * SOUND_MS);
    await stage.press("1");
    await stage.clock.advance(SOUND_MS);
    await stage.press("0");
    expect(stage.happened.filter((what) => what.startsWith("desk: ")).slice(-3)).toEqual([
      "desk: book A",
      "desk: undo",
      "desk: change",
    ]);
    await stage.clock.advance(3 * SOUND_MS);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ keypad_answer: "change_requested" });
  });

  test("is none where it was pressed twice", async () => {
    const stage = await listening();
    await stage.press("1");
    await stage.press("1");
    await stage.clock.advance(3 * SOUND_MS);
    expect(stage.count("desk: undo")).toBe(0);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ keypad_answer: "confirmed" });
  });

  test("asks for a person", async () => {
    const stage = await listening();
    await stage.press("1");
    await stage.clock.advance(SOUND_MS);
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    expect(stage.count("transfer +912200001111")).toBe(1);
  });
});

describe("key 1", () => {
  test("confirms the appointment, says so and hangs up", async () => {
    const stage = await listening();
    await stage.press("1");
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.happened.slice(3)).toEqual([
      "desk: confirm",
      "play Thank you. Your appointment is confirmed.",
      `play ${GOODBYE}`,
      "hang up",
    ]);
    expect(stage.agent.ended("us")).toMatchObject({
      analytics: {
        disposition: "session_ended",
        sentiment: "neutral",
        next_steps: "Expect the contact at the appointment.",
      },
      extractedDetails: {
        keypad_answer: "confirmed",
        keys: "1",
        appointment_date: "2026-05-05",
        appointment_time: "10:30",
      },
    });
  });

  test("counts from the last word of the appointment on, in the middle of the menu", async () => {
    const stage = setStage();
    await stage.answer();
    await stage.clock.advance(2 * SOUND_MS + 10);
    await stage.press("1");
    expect(stage.happened.slice(-3)).toEqual([
      "stop",
      "desk: confirm",
      "play Thank you. Your appointment is confirmed.",
    ]);
  });

  test("pressed again while the calendar is asked or the answer is said, confirms once", async () => {
    const stage = await listening();
    stage.agent.keyPressed("1");
    stage.agent.keyPressed("1");
    await stage.clock.advance(500);
    await stage.press("1");
    await stage.clock.advance(10_000);
    expect(stage.count("desk: confirm")).toBe(1);
    expect(stage.count("hang up")).toBe(1);
  });

  const NOT_SAVED = "We are sorry, your answer could not be saved. Please call the hospital.";
  const UNREACHABLE = "We are sorry, we cannot reach the calendar just now. Somebody will call you back.";
  for (const [what, { confirm, told }] of Object.entries({
    "is gone": { confirm: () => Promise.resolve(false), told: NOT_SAVED },
    "cannot be reached": { confirm: () => Promise.reject(new Error("down")), told: UNREACHABLE },
    "does not answer": { confirm: () => NEVER, told: UNREACHABLE },
  })) {
    test(`never says that it is confirmed where the appointment ${what}`, async () => {
      const stage = await listening({ recorded: ["confirmed"], desk: { confirm } });
      await stage.press("1");
      await stage.clock.advance(20_000);
      expect(stage.heard().slice(3)).toEqual([told, GOODBYE]);
      expect(stage.agent.ended("us").extractedDetails).toMatchObject({ keypad_answer: "not_saved" });
    });
  }

  test("without an appointment says that the message was heard, and asks nothing of the calendar", async () => {
    const stage = await listening({ recorded: ["confirmed"], desk: { appointment: () => Promise.resolve(null) } });
    await stage.press("1");
    await stage.clock.advance(20_000);
    expect(stage.happened.slice(2)).toEqual([
      "play We have noted that you heard this message.",
      `play ${GOODBYE}`,
      "hang up",
    ]);
    expect(stage.agent.ended("us").extractedDetails).toEqual({ keypad_answer: "acknowledged", keys: "1" });
  });
});

describe("a key before the words that it answers", () => {
  const CONFIRMED = "Thank you. Your appointment is confirmed.";

  test("while the telephone rings or the greeting plays: the greeting stops, and the appointment is told and asked for", async () => {
    const stage = setStage();
    stage.agent.keyPressed("1");
    await stage.answer();
    await stage.clock.advance(500);
    stage.agent.keyPressed("1");
    expect(stage.happened).toEqual([`play ${GREETING}`, "stop"]);
    await stage.clock.advance(2 * SOUND_MS + 7_000);
    expect(stage.happened.slice(2)).toEqual([`play ${APPOINTMENT_LINE}`, `play ${MENU}`]);
    await stage.press("1");
    expect(stage.happened.slice(4)).toEqual(["desk: confirm", `play ${CONFIRMED}`]);
  });

  test("while the appointment is told: the words go on, the question follows, and only a later key confirms", async () => {
    const stage = setStage();
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

  test("before the appointment is known: it is told once it is", async () => {
    const known = Promise.withResolvers<typeof APPOINTMENT>();
    const stage = setStage({ desk: { appointment: () => known.promise } });
    await stage.answer();
    await stage.press("1");
    await stage.press("2");
    known.resolve(APPOINTMENT);
    await stage.clock.advance(SOUND_MS + 500);
    expect(stage.heard().slice(1)).toEqual([APPOINTMENT_LINE, MENU]);
    expect(stage.happened.filter((what) => what.startsWith("desk"))).toEqual([]);
  });

  test("while we were on hold as it was told: it is told again", async () => {
    const stage = setStage();
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

  test("while they hold us is not waited for: silence is counted once they are back", async () => {
    const stage = setStage();
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
    expect(stage.heard().at(-1)).toBe(MENU);
  });

  test("3 needs no telling: whoever wants a person gets one, and is told the appointment where nobody is there", async () => {
    const stage = setStage({ transfer: () => Promise.resolve("refused") });
    await stage.answer();
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    expect(stage.count("transfer +912200001111")).toBe(1);
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.heard().slice(-3)).toEqual([
      "We are sorry, nobody can take your call at the moment.",
      APPOINTMENT_LINE,
      MENU,
    ]);
  });

  test("without the language, the recorded menu or else the recorded greeting is what must have been heard", async () => {
    for (const recorded of [["greeting", "menu"], ["greeting"]] as const) {
      const stage = setStage({ voice: null, recorded, brief: { language: "hi-IN" } });
      await stage.answer();
      await stage.clock.advance(500);
      await stage.press("1");
      await stage.clock.advance(500);
      await stage.press("1");
      expect(stage.count("desk: confirm")).toBe(0);
      await stage.clock.advance(SOUND_MS);
      await stage.press("1");
      expect(stage.count("desk: confirm")).toBe(1);
    }
  });

  test("for a place that comes later in the list: the list goes on, and nothing is booked", async () => {
    const stage = await listening();
    await stage.press("2");
    await stage.clock.advance(SOUND_MS + 500);
    await stage.press("2");
    await stage.clock.advance(10_000);
    expect(stage.count("stop")).toBe(0);
    expect(stage.count("desk: book B")).toBe(0);
    await stage.press("2");
    expect(stage.count("desk: book B")).toBe(1);
  });
});

describe("key 2", () => {
  const OFFERED = [
    "These times are open.",
    "Press 1 for Wednesday, the sixth of May, at nine o'clock in the morning.",
    "Press 2 for Thursday, the seventh of May, at five fifteen in the evening.",
    "Press 0 if none of these suits you.",
  ];

  test("offers places, and a key moves the appointment", async () => {
    const stage = await listening();
    await stage.press("2");
    await stage.clock.advance(4 * SOUND_MS);
    expect(stage.heard().slice(3)).toEqual(OFFERED);
    await stage.press("2");
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
        keypad_answer: "rescheduled",
        keys: "22",
        appointment_date: "2026-05-07",
        appointment_time: "17:15",
      },
    });
  });

  test("books where there was no appointment, in the middle of the offer", async () => {
    const stage = await listening({ desk: { appointment: () => Promise.resolve(null) } });
    await stage.press("2");
    await stage.clock.advance(2 * SOUND_MS + 500);
    await stage.press("1");
    expect(stage.happened.slice(-3)).toEqual([
      "stop",
      "desk: book A",
      "play Thank you. Your appointment is on Wednesday, the sixth of May, at nine o'clock in the morning.",
    ]);
    expect(stage.agent.ended("us")).toMatchObject({
      analytics: { disposition: "appointment_booked" },
      extractedDetails: { keypad_answer: "booked" },
    });
  });

  test("offers once more where the place is gone, then leaves it to the hospital", async () => {
    const stage = await listening({ desk: { book: () => Promise.resolve(null) } });
    await stage.press("2");
    await stage.clock.advance(2 * SOUND_MS);
    await stage.press("1");
    await stage.clock.advance(5 * SOUND_MS);
    expect(stage.heard().slice(-5)).toEqual(["We are sorry, this time has just been taken.", ...OFFERED]);
    await stage.press("1");
    await stage.clock.advance(10_000);
    expect(stage.happened.filter((what) => what.startsWith("desk"))).toEqual([
      "desk: offer 3",
      "desk: book A",
      "desk: offer 3",
      "desk: book A",
      "desk: change",
    ]);
    expect(stage.heard().slice(-3)).toEqual([
      "We are sorry, this time has just been taken.",
      "We have noted it. The hospital will call you to find another time.",
      GOODBYE,
    ]);
  });

  const changes: [what: string, options: StageOptions, then: string[]][] = [
    ["nothing is open", { desk: { offer: () => Promise.resolve([]) } }, []],
    ["the calendar cannot offer", { desk: { offer: () => Promise.reject(new Error("down")) } }, []],
    ["there is no branch to book for", { desk: { canBook: false, offer: async () => [] } }, []],
    ["none suits", {}, ["0"]],
    ["they press nothing that was offered", {}, ["9", "9", "9", "9"]],
  ];
  test("offers the places of the appointment's own branch, though the call has none to book for", async () => {
    const stage = await listening({ desk: { canBook: false } });
    await stage.press("2");
    await stage.clock.advance(2 * SOUND_MS);
    await stage.press("1");
    await stage.clock.advance(10_000);
    expect(stage.agent.ended("us")).toMatchObject({ extractedDetails: { keypad_answer: "rescheduled" } });
  });

  for (const [what, options, keys] of changes) {
    test(`tells the hospital where ${what}`, async () => {
      const stage = await listening({ ...options, recorded: ["change_requested"] });
      for (const key of ["2", ...keys]) await stage.press(key);
      await stage.clock.advance(10_000);
      expect(stage.count("desk: change")).toBe(1);
      expect(stage.happened.slice(-3)).toEqual(["play [change_requested]", `play ${GOODBYE}`, "hang up"]);
      expect(stage.agent.ended("us")).toMatchObject({
        analytics: { disposition: "session_ended", next_steps: "Call the contact to find another time." },
        extractedDetails: { keypad_answer: "change_requested" },
      });
    });
  }

  test("tells the hospital where nobody chooses", async () => {
    const stage = await listening();
    await stage.press("2");
    await stage.clock.advance(3 * 4 * SOUND_MS + 22_000 + 2 * SOUND_MS);
    expect(stage.count("desk: change")).toBe(1);
    expect(stage.count("hang up")).toBe(1);
  });

  test("keeps no places that it cannot name: without the language it tells the hospital", async () => {
    const stage = await listening({ voice: null, recorded: ["greeting", "menu", "change_requested"] });
    await stage.press("2");
    await stage.clock.advance(10_000);
    expect(stage.happened.slice(-3)).toEqual(["desk: change", "play [change_requested]", "hang up"]);
    expect(stage.count("desk: offer 3")).toBe(0);
  });

  test("does not book again where the calendar fails in the middle of it", async () => {
    const stage = await listening({ desk: { book: () => Promise.reject(new Error("down")) } });
    await stage.press("2");
    await stage.clock.advance(2 * SOUND_MS);
    for (const key of ["1", "1"]) await stage.press(key);
    await stage.clock.advance(10_000);
    expect(stage.count("desk: book A")).toBe(1);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ keypad_answer: "not_saved" });
  });
});

describe("key 3", () => {
  test("sends the caller on and hangs up without another word", async () => {
    const stage = await listening();
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    expect(stage.happened.slice(3)).toEqual(["play Please hold the line.", "transfer +912200001111", "hang up"]);
    expect(stage.agent.ended("us")).toMatchObject({
      analytics: { disposition: "transferred" },
      extractedDetails: { keypad_answer: "transferred" },
    });
  });

  test("says that nobody is there, offers the menu once more, then says goodbye", async () => {
    const stage = await listening({ transfer: () => Promise.resolve("refused") });
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    await stage.clock.advance(SOUND_MS);
    expect(stage.heard().slice(-2)).toEqual(["We are sorry, nobody can take your call at the moment.", MENU]);
    await stage.press("3");
    await stage.clock.advance(10_000);
    expect(stage.heard().slice(-2)).toEqual(["We are sorry, nobody can take your call at the moment.", GOODBYE]);
    expect(stage.count("hang up")).toBe(1);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ keypad_answer: "transfer_refused", keys: "33" });
  });

  test("after a refusal the appointment can still be confirmed", async () => {
    const stage = await listening({ transfer: () => Promise.resolve("refused") });
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    await stage.press("1");
    expect(stage.agent.ended("peer").extractedDetails).toMatchObject({ keypad_answer: "confirmed" });
  });

  test("that the exchange takes over without telling how it went is said so, and nobody is told to expect an answer", async () => {
    const stage = await listening({ transfer: () => Promise.resolve("handed_over") });
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    const { analytics, extractedDetails } = stage.agent.ended("peer");
    expect(extractedDetails).toMatchObject({ keypad_answer: "handed_over" });
    expect(analytics).toMatchObject({ disposition: "transferred" });
    expect(analytics?.summary).toEndWith("The exchange took the call over and did not tell whether somebody answered.");
  });

  test("that fails after the caller was taken away says that nobody took the call, to nobody", async () => {
    const stage = await listening({ transfer: () => Promise.resolve("gone") });
    await stage.press("3");
    await stage.clock.advance(SOUND_MS);
    expect(stage.heard().at(-1)).toBe("Please hold the line.");
    const { analytics, extractedDetails } = stage.agent.ended("peer");
    expect(extractedDetails).toMatchObject({ keypad_answer: "transfer_refused" });
    expect(analytics).toMatchObject({ disposition: "session_ended" });
    expect(analytics?.summary).toEndWith("The contact asked for a person, but nobody took the call.");
  });

  test("that is never answered ends as refused", async () => {
    const stage = await listening({ transfer: () => NEVER });
    await stage.press("3");
    await stage.clock.advance(SOUND_MS + 90_000);
    expect(stage.heard()).toContain("We are sorry, nobody can take your call at the moment.");
  });
});

describe("key 4", () => {
  test("asks to be called later: they are told when, and the call leaves word of it", async () => {
    const stage = await listening();
    await stage.press("4");
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.happened.slice(3)).toEqual([
      'agree {"callbackInMinutes":30}',
      "play We will call you again in 30 minutes.",
      `play ${GOODBYE}`,
      "hang up",
    ]);
    expect(stage.agent.ended("us")).toMatchObject({
      callbackInMinutes: 30,
      analytics: { disposition: "callback_scheduled", next_steps: "None: the call is scheduled." },
      extractedDetails: { keypad_answer: "call_later", keys: "4", callback_in_minutes: 30 },
    });
  });

  test("is written down before it is confirmed in words, and once", async () => {
    const writing = Promise.withResolvers<void>();
    const stage = await listening({ agree: () => writing.promise });
    await stage.press("4");
    await stage.clock.advance(SOUND_MS);
    expect(stage.happened.at(-1)).toBe('agree {"callbackInMinutes":30}');
    writing.resolve();
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.heard().slice(-2)).toEqual(["We will call you again in 30 minutes.", GOODBYE]);
    expect(stage.count('agree {"callbackInMinutes":30}')).toBe(1);
  });

  test("is confirmed after five seconds where it cannot be written: the end of the call has it once more", async () => {
    const stage = await listening({ agree: () => NEVER });
    await stage.press("4");
    await stage.clock.advance(5_000 + 2 * SOUND_MS);
    expect(stage.happened.at(-1)).toBe("hang up");
    expect(stage.logLines.join()).toContain("could not be written down yet");
    expect(stage.agent.ended("us").callbackInMinutes).toBe(30);
  });

  test("counts from the press on, though they hang up before they are told", async () => {
    const stage = await listening();
    await stage.press("4");
    expect(stage.agent.ended("peer")).toMatchObject({
      callbackInMinutes: 30,
      analytics: { disposition: "callback_scheduled" },
    });
  });

  test("needs no telling of the appointment: whoever has no time now has none to listen", async () => {
    const stage = setStage();
    await stage.answer();
    await stage.clock.advance(SOUND_MS + 100);
    await stage.press("4");
    expect(stage.heard().at(-1)).toBe("We will call you again in 30 minutes.");
  });
});

describe("key 9", () => {
  test("says that they do not want the call: it is noted, and nobody is to call again", async () => {
    const stage = await listening();
    await stage.press("9");
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.happened.slice(3)).toEqual([
      "play We have noted that you do not want this call. We are sorry to have troubled you.",
      `play ${GOODBYE}`,
      "hang up",
    ]);
    const result = stage.agent.ended("us");
    expect(result).toMatchObject({
      analytics: {
        disposition: "not_interested",
        sentiment: "negative",
        next_steps: "Do not call again about this.",
      },
      extractedDetails: { keypad_answer: "not_interested", keys: "9" },
    });
    expect(result).not.toHaveProperty("callbackInMinutes");
  });

  test("leaves the appointment as it is: the hospital decides what becomes of it", async () => {
    const stage = await listening();
    await stage.press("9");
    await stage.clock.advance(60_000);
    expect(stage.happened.filter((what) => what.startsWith("desk"))).toEqual([]);
  });
});

describe("keys 4 and 9", () => {
  test("lead nowhere for somebody who called us", async () => {
    for (const key of ["4", "9"]) {
      const stage = await listening({ brief: { direction: "inbound" } });
      await stage.press(key);
      expect(stage.heard().slice(3)).toEqual([stage.heard()[2]!]);
      expect(stage.agent.ended("peer")).toMatchObject({ extractedDetails: { keypad_answer: "none" } });
    }
  });

  test("in the greeting only cut it short: nobody has been told yet what they are for", async () => {
    for (const key of ["4", "9"]) {
      const stage = setStage();
      await stage.answer();
      await stage.press(key);
      await stage.clock.advance(2 * SOUND_MS);
      expect(stage.heard()).toEqual([GREETING, APPOINTMENT_LINE, MENU]);
    }
  });

  test("choose nothing among the places on offer", async () => {
    for (const key of ["4", "9"]) {
      const stage = await listening();
      await stage.press("2");
      await stage.clock.advance(4 * SOUND_MS);
      await stage.press(key);
      expect(stage.heard().at(-1)).toBe("These times are open.");
    }
  });
});

describe("a machine that answers", () => {
  const BEEP = "You have reached Ravi. Please leave a message after the tone.";
  const MESSAGE = "This is Asha. We are sorry to have missed you.";

  test("is left a message without name, date or hospital's business, and the call ends", async () => {
    const stage = setStage();
    await stage.answer();
    await stage.clock.advance(500);
    await stage.hear(BEEP);
    await stage.clock.advance(SOUND_MS);
    expect(stage.happened).toEqual([`play ${GREETING}`, "stop", `play ${MESSAGE}`, "hang up"]);
    expect(stage.agent.ended("us")).toMatchObject({
      transcript: [
        { speaker: "agent", text: "Hello, …", timestamp: 0 },
        { speaker: "user", text: BEEP, timestamp: 0.5 },
        { speaker: "agent", text: MESSAGE, timestamp: 0.5 },
      ],
      analytics: { disposition: "voicemail", next_steps: "Try again later." },
      extractedDetails: { keypad_answer: "message_left" },
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

  test("that hung up in the middle of the message was left none", async () => {
    const stage = setStage();
    await stage.answer();
    await stage.hear(BEEP);
    await stage.clock.advance(500);
    expect(stage.agent.ended("peer")).toMatchObject({
      analytics: { disposition: "voicemail", summary: expect.stringContaining("No message was left") },
      extractedDetails: { keypad_answer: "machine_answered" },
    });
  });

  test("is told of another call only where one will come", async () => {
    const stage = await listening({ brief: { isTriedAgain: true } });
    await stage.hear(BEEP);
    expect(stage.heard().at(-1)).toBe("This is Asha. We are sorry to have missed you, and will try again.");
  });

  test("is known by all that machines are known to say", async () => {
    for (const words of [
      "You have reached the voicemail of five five five.",
      "The subscriber you are calling is not reachable.",
      "Please record your message at the tone.",
    ]) {
      const stage = await listening();
      await stage.hear(words);
      expect(stage.heard().at(-1)).toBe(MESSAGE);
    }
  });

  test("is left none where there is no voice for it", async () => {
    const stage = setStage({ voice: null, recorded: ["greeting", "menu"], brief: { language: "hi-IN" } });
    await stage.answer();
    await stage.hear("कृपया बीप के बाद संदेश छोड़ें");
    await stage.clock.advance(10_000);
    expect(stage.happened.at(-1)).toBe("hang up");
    expect(stage.agent.ended("us")).toMatchObject({
      analytics: { disposition: "voicemail" },
      extractedDetails: { keypad_answer: "machine_answered" },
    });
  });

  test("cannot undo what a person has agreed on", async () => {
    const stage = await listening();
    await stage.press("1");
    await stage.hear(BEEP);
    await stage.clock.advance(60_000);
    expect(stage.agent.ended("us").extractedDetails).toMatchObject({ keypad_answer: "confirmed" });
  });

  test("is no caller: whoever calls us and speaks of a voicemail is a person", async () => {
    const stage = setStage({ brief: { direction: "inbound" } });
    await stage.answer();
    await stage.hear("I had your message on my voicemail.");
    await stage.clock.advance(3 * SOUND_MS);
    expect(stage.heard()).toHaveLength(3);
    expect(stage.agent.ended("peer").analytics?.disposition).toBe("ended_by_customer");
  });

  test("is no person who only speaks: their words are kept, and the agent goes on", async () => {
    const stage = setStage();
    await stage.answer();
    await stage.hear("Hello? Who is this?");
    await stage.clock.advance(2 * SOUND_MS);
    expect(stage.heard()).toEqual([GREETING, APPOINTMENT_LINE, MENU]);
    expect(stage.agent.ended("peer").transcript[1]).toEqual({
      speaker: "user",
      text: "Hello? Who is this?",
      timestamp: 0,
    });
  });
});

describe("silence and slips", () => {
  test("the menu comes again after 8 s and 8 s, goodbye after 6 s", async () => {
    const stage = await listening();
    const at = async (ms: number) => {
      await stage.clock.advance(ms);
      return stage.heard().slice(3);
    };
    expect(await at(7_999)).toEqual([]);
    expect(await at(1)).toEqual([MENU]);
    expect(await at(SOUND_MS + 8_000)).toEqual([MENU, MENU]);
    expect(await at(SOUND_MS + 5_999)).toEqual([MENU, MENU]);
    expect(await at(1)).toEqual([MENU, MENU, GOODBYE]);
    await at(SOUND_MS);
    expect(stage.happened.at(-1)).toBe("hang up");
    expect(stage.agent.ended("us")).toMatchObject({
      analytics: {
        disposition: "session_ended",
        summary: "Asha reached the contact. The contact gave no answer by keypad.",
      },
      extractedDetails: { keypad_answer: "none", keys: "" },
    });
  });

  test("a key that leads nowhere brings the menu three times, then goodbye", async () => {
    const stage = await listening();
    for (const key of ["7", "*", "#", "8"]) await stage.press(key);
    expect(stage.heard().slice(3)).toEqual([MENU, MENU, MENU, GOODBYE]);
  });

  test("an agent with neither recordings nor the language takes no key for an answer, says so once in the log, and ends", async () => {
    const stage = setStage({ voice: null, brief: { language: "hi-IN" } });
    await stage.answer();
    await stage.press("1");
    await stage.clock.advance(60_000);
    expect(stage.happened).toEqual(["hang up"]);
    expect(stage.logLines.filter((line) => line.includes("silent"))).toHaveLength(1);

    const silent = setStage({ voice: null });
    await silent.answer();
    await silent.clock.advance(8_000);
    expect(silent.happened).toEqual(["hang up"]);
    expect(silent.agent.ended("us").analytics).toMatchObject({
      summary: expect.stringContaining("Nothing was said to them"),
      next_steps: expect.stringContaining("record its words"),
    });
  });

  test("a line that never reports the end of a sound is not waited for", async () => {
    const stage = setStage({ isDeaf: true });
    await stage.answer();
    await stage.clock.advance(60_000);
    expect(stage.happened.at(-1)).toBe("hang up");
  });
});

test("a line that throws costs this call, nothing is thrown past the fence, and the log has no word of it", async () => {
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
  test("holds what was heard and pressed, with its seconds from the answer", async () => {
    const stage = setStage({ recorded: ["greeting", "menu", "goodbye"] });
    await stage.clock.advance(12_000);
    await stage.answer();
    await stage.clock.advance(SOUND_MS + 1_000);
    await stage.press("5");
    await stage.clock.advance(SOUND_MS + 500);
    await stage.press("1");
    await stage.clock.advance(10_000);
    expect(stage.agent.ended("us").transcript).toEqual([
      { speaker: "agent", text: "[recorded greeting]", timestamp: 0 },
      { speaker: "agent", text: "Your appointment is on Tuesday, the fifth …", timestamp: 2 },
      { speaker: "user", text: "Pressed 5.", timestamp: 3 },
      { speaker: "agent", text: APPOINTMENT_LINE, timestamp: 3 },
      { speaker: "agent", text: "[recorded menu, cut short]", timestamp: 5 },
      { speaker: "user", text: "Pressed 1.", timestamp: 5.5 },
      { speaker: "agent", text: "Thank you. Your appointment is confirmed.", timestamp: 5.5 },
      { speaker: "agent", text: "[recorded goodbye]", timestamp: 7.5 },
    ]);
  });

  test("says that the contact hung up early", async () => {
    const stage = setStage();
    await stage.answer();
    await stage.clock.advance(1_000);
    expect(stage.agent.ended("peer")).toMatchObject({
      transcript: [{ speaker: "agent", text: "Hello, this …", timestamp: 0 }],
      analytics: { disposition: "ended_by_customer" },
      extractedDetails: { keypad_answer: "none" },
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
      extractedDetails: { keypad_answer: "unsettled", keys: "1" },
    });
  });

  test("of a call that was never answered is empty", async () => {
    const stage = setStage();
    stage.agent.keyPressed("1");
    expect(stage.agent.ended("peer")).toMatchObject({
      transcript: [],
      extractedDetails: { keypad_answer: "none", keys: "" },
    });
  });

  test("tells an inbound call apart", async () => {
    const stage = await listening({ brief: { direction: "inbound" } });
    expect(stage.agent.ended("peer").analytics?.summary).toStartWith("The contact called Asha.");
  });

  test("once it is over, nothing more is asked of line, voice or calendar", async () => {
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
