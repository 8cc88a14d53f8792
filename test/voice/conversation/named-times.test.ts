// Named times, days and "the first one" lead to matching offers; "wait" inside a sentence does not pause the call.
import { describe, expect, test } from "bun:test";
import { hearingNow, meaningOf } from "../../../src/voice/talking/hearing-words.ts";
import type { SlotOffer } from "../../../src/calendar/desk-port.ts";
import { APPOINTMENT, Talk } from "./talk.ts";

const NOW = { date: "2026-11-15", startTime: "12:00" };
const slot = (label: string, date: string, startTime: string): SlotOffer => ({
  label,
  date,
  startTime,
  endTime: "18:00",
});

function says(talk: Talk, text: string): Talk {
  const { action, state } = talk;
  const expecting = action?.do === "listen" ? action.expecting : "yes_no";
  const meaning = meaningOf({ text, confidence: 0.9, alarms: [] }, hearingNow(state, expecting, NOW, "en-IN"));
  return talk.event({ type: "heard", meaning });
}

const offered = (offers: readonly SlotOffer[]) =>
  new Talk().identified().says("another_time").event({ type: "offered", offers }).hears();

describe("the first one", () => {
  const ON_THE_FIRST = [
    slot("A", "2026-11-30", "10:00"),
    slot("B", "2026-12-01", "10:00"),
    slot("C", "2026-12-02", "10:00"),
  ];

  test.each([
    ["The first one.", "A"],
    ["The first one, please.", "A"],
    ["I will take the first option.", "A"],
    ["The second one.", "B"],
    ["The third one is fine.", "C"],
  ])("is the offer, whatever days they are on: %s", (text, label) => {
    expect(says(offered(ON_THE_FIRST), text).state).toMatchObject({ question: "slot", chosen: { label } });
  });

  test("on the 1st, if the first offer is on the 1st", () => {
    const offers = [slot("A", "2026-12-01", "10:00"), slot("B", "2026-12-02", "10:00")];
    for (const text of ["The first one.", "The first.", "The first, please."])
      expect([text, says(offered(offers), text).state.chosen?.label]).toEqual([text, "A"]);
  });
});

describe("wait", () => {
  test.each([
    "Wait, I cannot come on Friday.",
    "No wait, can I have another day?",
    "I cannot wait that long, something earlier please.",
    "I do not want to wait so long, I need another time.",
    "Wait a minute, I can't come.",
  ])("inside a sentence is not hold on: %s", (text) => {
    const talk = says(new Talk().identified(), text);
    expect(talk.words).not.toContain("take your time");
    expect(talk.state.isPatient).toBeFalse();
  });

  test.each(["Wait.", "Wait, please.", "Wait a minute.", "Okay, wait.", "Just wait a second, please.", "Hold on."])(
    "alone is: %s",
    (text) => expect(says(new Talk().identified(), text).words).toContain("take your time"),
  );
});

describe("a named time", () => {
  test("that is open is read back by itself", () => {
    const talk = says(new Talk().identified(), "Can I come on Thursday at ten thirty?");
    expect(talk.action).toMatchObject({ do: "offer", wish: { date: "2026-11-19", time: "10:30" } });
    talk.event({ type: "offered", offers: [slot("A", "2026-11-19", "10:00"), slot("B", "2026-11-19", "10:30")] });
    expect(talk.words).toBe("Thursday, the nineteenth of November, at ten thirty in the morning. Shall I book it?");
    expect(talk.hears().says("yes").action).toEqual({ do: "book", label: "B", name: null });
  });

  test("that is not open leads to the nearest offers", () => {
    const talk = says(new Talk().identified(), "Can I come on Thursday at ten thirty?");
    talk.event({ type: "offered", offers: [slot("A", "2026-11-20", "10:00")] });
    expect(talk.words).toContain("Which one suits you?");
  });

  test("without a day keeps the day under discussion", () => {
    for (const text of [
      "Can I come at half past ten instead?",
      "On that day, but at half past ten.",
      "At half past ten instead.",
    ])
      expect([text, says(new Talk().identified(), text).action]).toMatchObject([
        text,
        { do: "offer", wish: { date: APPOINTMENT.date, time: "10:30" } },
      ]);
  });

  test('"after three" means three or later', () => {
    const talk = says(new Talk().identified(), "Can I come on Thursday after three?");
    expect(talk.action).toMatchObject({ do: "offer", wish: { date: "2026-11-19", time: "15:00", isAfter: true } });
    // A later time does not match the named one, so it is not read back as such.
    talk.event({ type: "offered", offers: [slot("A", "2026-11-19", "15:00"), slot("B", "2026-11-19", "16:00")] });
    expect(talk.words).toContain("Which one suits you?");
  });
});
