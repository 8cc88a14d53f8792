// The same calls by voice and by key have the same outcome.
import { describe, expect, test } from "bun:test";
import { simulatedEars } from "../../../src/voice/simulated-ears.ts";
import { APPOINTMENT, setStage, SOUND_MS, type StageOptions } from "../stage.ts";

interface Script extends Pick<StageOptions, "brief" | "desk" | "transfer"> {
  /** One per turn of the agent. */
  says: readonly string[];
  presses: readonly string[];
  answer: string;
  /** Calendar operations. */
  desk_asked?: readonly string[];
  /** Agreements outside the calendar. */
  agreed?: Record<string, unknown>;
  /** Whether identity was confirmed. */
  isContact?: boolean | null;
}

const NONE = { appointment: () => Promise.resolve(null) };
const NOTHING_OPEN = { ...NONE, offer: () => Promise.resolve([]) };
const PLACE = { ...NONE, hasPlace: true };
const REFUSED = () => Promise.resolve("refused" as const);
const YES = "Yes, speaking.";
const COMES = "Yes, I will come.";

const SCRIPTS: Readonly<Record<string, Script>> = {
  "confirms the appointment": { says: [YES, COMES], presses: ["1", "1"], answer: "confirmed", desk_asked: ["confirm"] },
  "wants another time, and takes the second": {
    says: [YES, "I need another time.", "The second one.", "Yes."],
    presses: ["1", "2", "2", "1"],
    answer: "rescheduled",
    desk_asked: ["offer 3", "book B"],
  },
  "wants another time, and none suits": {
    says: [YES, "I need another time.", "None of these.", "No."],
    presses: ["1", "2", "0"],
    answer: "change_requested",
    desk_asked: ["offer 3", "change"],
  },
  "chooses a time, and then takes another": {
    says: [YES, "I need another time.", "The first one.", "No, the second one.", "Yes."],
    presses: ["1", "2", "1", "2", "2", "1"],
    answer: "rescheduled",
  },
  "books the first time": {
    desk: NONE,
    says: [YES, "Yes, please.", "The first one.", "Yes."],
    presses: ["1", "1", "1", "1"],
    answer: "booked",
    desk_asked: ["offer 3", "book A"],
  },
  "does not want to book": { desk: NONE, says: [YES, "No."], presses: ["1", "2"], answer: "declined", desk_asked: [] },
  "finds nothing open": {
    desk: NOTHING_OPEN,
    says: [YES, "Yes, please."],
    presses: ["1", "1"],
    answer: "nothing_open",
  },
  "is put on the waiting list": {
    desk: { ...NOTHING_OPEN, canWait: true },
    says: [YES, "Yes, please.", "Yes, please."],
    presses: ["1", "1", "1"],
    answer: "waitlisted",
    desk_asked: ["offer 3", "wait"],
  },
  "takes a place of the waiting list": {
    desk: PLACE,
    says: [YES, "Yes, please."],
    presses: ["1", "1"],
    answer: "booked",
    desk_asked: ["offer 3", "book A"],
  },
  "does not want the place, and stays on the list": {
    desk: PLACE,
    says: [YES, "No.", "Yes."],
    presses: ["1", "2", "1"],
    answer: "stays_waiting",
  },
  "does not want the place, and leaves the list": {
    desk: PLACE,
    says: [YES, "No.", "No."],
    presses: ["1", "2", "2"],
    answer: "left_list",
  },
  "has no time now": {
    says: ["Please call me later.", "No."],
    presses: ["4"],
    answer: "call_later",
    agreed: { callbackInMinutes: 30 },
    isContact: null,
  },
  "does not want to be called again": {
    says: ["Please do not call me again."],
    presses: ["9"],
    answer: "opted_out",
    agreed: { optOut: true },
    isContact: null,
  },
  "does not want to be called again, once the appointment was told": {
    says: [YES, "Please do not call me again."],
    presses: ["1", "9"],
    answer: "opted_out",
    agreed: { optOut: true },
    desk_asked: [],
  },
  "wants a person": {
    says: ["I want to speak to a person, please."],
    presses: ["3"],
    answer: "transferred",
    isContact: null,
  },
  "wants a person, finds none, and confirms": {
    transfer: REFUSED,
    says: ["I want to speak to a person, please.", YES, COMES],
    presses: ["3", "1", "1"],
    answer: "confirmed",
  },
  "is somebody else, and the contact is not there": {
    says: ["No.", "No."],
    presses: ["2", "2"],
    answer: "not_reached",
    isContact: false,
    desk_asked: [],
  },
  "is somebody else, who fetches the contact": {
    says: ["No.", "Yes.", "Hello?", YES, COMES],
    presses: ["2", "1", "1", "1"],
    answer: "confirmed",
  },
  "asks for everything twice": {
    says: ["Say that again, please.", YES, "Say that again, please.", COMES],
    presses: ["*", "1", "*", "1"],
    answer: "confirmed",
  },
  "is not understood three times": {
    says: ["Blue table.", "Green chair.", "Red lamp."],
    presses: ["7", "8", "#"],
    answer: "transferred",
    isContact: null,
  },
  "confirms an appointment that is gone": {
    desk: { confirm: () => Promise.resolve(false) },
    says: [YES, COMES],
    presses: ["1", "1"],
    answer: "not_saved",
  },
  "confirms what the calendar does not take": {
    desk: { confirm: () => Promise.reject(new Error("down")) },
    says: [YES, COMES],
    presses: ["1", "1"],
    answer: "not_saved",
  },
  "says nothing": { says: [], presses: [], answer: "none", desk_asked: [], isContact: null },
  "is told openly, and confirms": {
    brief: { announcesOpenly: true },
    says: [COMES],
    presses: ["1"],
    answer: "confirmed",
    isContact: null,
  },
  "called us, and confirms": {
    brief: { direction: "inbound" },
    says: [COMES],
    presses: ["1"],
    answer: "confirmed",
  },
};

const MOST_TURN_MS = 30_000;

/** Until the agent has finished speaking. */
async function heardOut(stage: ReturnType<typeof setStage>): Promise<void> {
  for (let waitedMs = 0, lines = -1; waitedMs < MOST_TURN_MS && lines < stage.heard().length; waitedMs += SOUND_MS) {
    lines = stage.heard().length;
    await stage.clock.advance(SOUND_MS + 50);
  }
}

async function resultOf(script: Script, isByVoice: boolean) {
  const { brief, desk, transfer } = script;
  const stage = setStage({
    ...(brief && { brief }),
    ...(desk && { desk }),
    ...(transfer && { transfer }),
    ...(isByVoice && { ears: simulatedEars }),
  });
  await stage.answer();
  for (const turn of isByVoice ? script.says : script.presses) {
    await heardOut(stage);
    await (isByVoice ? stage.hear(turn) : stage.press(turn));
  }
  await stage.clock.advance(120_000);
  expect(stage.count("hang up")).toBe(1);
  const { transcript: _said, extractedDetails, ...left } = stage.agent.ended("us");
  const { answered_by, voice_turns, keypad_turns, keys, keypad_answer, ...details } = extractedDetails ?? {};
  return {
    result: {
      ...left,
      details,
      asked: stage.happened.flatMap((what) => (what.startsWith("desk: ") ? [what.slice(6)] : [])),
    },
    input: { answered_by, voice_turns, keypad_turns, keys, keypad_answer },
  };
}

describe.each(Object.entries(SCRIPTS))("a callee who %s", (_, script) => {
  test("gets the same outcome by voice and by key", async () => {
    const [voice, key] = [await resultOf(script, true), await resultOf(script, false)];
    expect(key.result.details["answer"]).toBe(script.answer);
    expect({ ...key.result, asked: calendarOf(key.result.asked) }).toEqual({
      ...voice.result,
      asked: calendarOf(voice.result.asked),
    });
    expect(key.result).toMatchObject(script.agreed ?? {});
    expect(key.result.details["spoke_with_contact"]).toBe(script.isContact === undefined ? true : script.isContact);
    if (script.desk_asked) expect(key.result.asked).toEqual([...script.desk_asked]);
    expect(key.input).toEqual({
      answered_by: script.presses.length > 0 ? "keypad" : null,
      voice_turns: 0,
      keypad_turns: script.presses.length,
      keys: script.presses.join(""),
      keypad_answer: script.answer,
    });
    expect(voice.input).toMatchObject({ voice_turns: script.says.length, keypad_turns: 0, keypad_answer: undefined });
  });

  test("hears nothing about the appointment by key before identity is confirmed", async () => {
    const stage = setStage({ ...(script.brief && { brief: script.brief }), ...(script.desk && { desk: script.desk }) });
    await stage.answer();
    await heardOut(stage);
    const isAsked = script.brief?.announcesOpenly !== true && script.brief?.direction !== "inbound";
    const isTold = stage.heard().join(" ").includes("appointment");
    expect(isTold).toBe(!isAsked);
    if (isAsked) expect(stage.heard()[1]).toBe("If I am speaking with Ravi, press 1. If not, press 2.");
  });
});

/** The same times may be offered again on the way. */
const calendarOf = (asked: readonly string[]) => asked.filter((what, i) => what !== asked[i - 1] && what !== "offer 3");

test("every outbound menu names key 9, and its keys always mean the same", async () => {
  const menus = async (options: StageOptions, ...keys: string[]) => {
    const stage = setStage(options);
    await stage.answer();
    let before = 0;
    for (const key of keys) {
      await heardOut(stage);
      before = stage.heard().length;
      await stage.press(key);
    }
    await heardOut(stage);
    const menu = stage.heard().slice(before).join(" ");
    await stage.press("9");
    await stage.clock.advance(60_000);
    const { extractedDetails, optOut } = stage.agent.ended("us");
    return { menu, answer: extractedDetails?.["answer"], optOut };
  };
  const ways: [StageOptions, ...string[]][] = [
    [{}],
    [{}, "1"],
    [{}, "1", "2"],
    [{}, "1", "2", "1"],
    [{}, "2"],
    [{ desk: NONE }, "1"],
    [{ desk: { ...NONE, canBook: false } }, "1"],
    [{ desk: { ...NOTHING_OPEN, canWait: true } }, "1", "1"],
    [{ desk: PLACE }, "1"],
    [{ desk: PLACE }, "1", "2"],
  ];
  for (const [options, ...keys] of ways) {
    const came = await menus(options, ...keys);
    expect([keys, came.answer, came.optOut]).toEqual([keys, "opted_out", true]);
    expect(came.menu).toContain("Press 9 if you do not want to be called again.");
  }
});

test("the final appointment is the same by both", async () => {
  for (const isByVoice of [true, false]) {
    const { result } = await resultOf(SCRIPTS["confirms the appointment"]!, isByVoice);
    expect(result.details).toMatchObject({
      appointment_date: APPOINTMENT.date,
      appointment_time: APPOINTMENT.startTime,
    });
  }
});
