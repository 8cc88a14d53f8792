// Closing of a call: words during or right after it may take back the agreement.
import { describe, expect, test } from "bun:test";
import type { TalkEvent } from "../../../src/voice/conversation/model.ts";
import { finalOutcome } from "../../../src/voice/conversation/result.ts";
import type { Intent } from "../../../src/voice/understanding/meaning.ts";
import { APPOINTMENT, moment, OFFERS, Talk } from "./talk.ts";

const DONE = { isDone: true };
const UNDONE = { type: "undone", isDone: true, appointment: APPOINTMENT } as const;

const confirmed = () =>
  new Talk()
    .identified()
    .says("yes")
    .event({ type: "confirmed", ...DONE });
const booked = (appointment: typeof APPOINTMENT | null = null) =>
  new Talk()
    .identified(appointment)
    .says(appointment ? "another_time" : "yes")
    .event({ type: "offered", offers: OFFERS })
    .hears()
    .means({ choice: { index: 0, confidence: 0.9 } })
    .hears()
    .says("yes")
    .event({ type: "booked", slot: OFFERS[0]! });
const cancelled = () =>
  new Talk()
    .identified()
    .says("cancel_appointment")
    .hears()
    .says("yes")
    .event({ type: "cancelled", ...DONE });

describe("an objection during the last words", () => {
  test("to a confirmation takes it back and counts as an answer", () => {
    const talk = confirmed().says("no", "another_time");
    expect(talk.does).toBe("undo");
    expect(talk.event(UNDONE).action).toMatchObject({ do: "offer" });
    expect(finalOutcome(talk.state)).toBe("unsettled");
  });

  test("counts after the goodbye too, until the line is down", () => {
    expect(confirmed().hearsOut().says("no").does).toBe("undo");
    expect(confirmed().hearsOut().event({ type: "silence" }).does).toBe("hangUp");
  });

  test("to a booking releases the slot and asks for another time", () => {
    const talk = booked().says("no");
    expect(talk.does).toBe("undo");
    talk.event({ type: "undone", isDone: true, appointment: null });
    expect(talk.words).toBe("Which day and time would suit you?");
  });

  test("to a move puts the appointment back", () => {
    const talk = booked(APPOINTMENT).says("no").event(UNDONE);
    expect(talk.state).toMatchObject({ appointment: APPOINTMENT, outcome: "none" });
    expect(finalOutcome(talk.state)).toBe("unsettled");
  });

  test("to a move goes to a person when the old slot is taken", () => {
    const talk = booked(APPOINTMENT).says("no").event({ type: "undone", isDone: false, appointment: APPOINTMENT });
    expect(talk.words).toContain("The hospital will call you to find another time.");
    expect(talk.state.outcome).toBe("change_requested");
  });

  test("to a cancellation asks whether they will come", () => {
    const talk = cancelled().says("no");
    expect(talk.does).toBe("undo");
    expect(talk.event(UNDONE).words).toContain("Will you come?");
    expect(talk.state.appointment).toEqual(APPOINTMENT);
  });

  test("goes to a person when the calendar cannot undo in time", () => {
    const talk = confirmed().says("no").event({ type: "unreachable", isLate: true });
    expect(talk.words).toContain("Somebody will call you back.");
    expect(talk.state.outcome).toBe("not_saved");
  });

  test("by key counts too; pressing the same key twice does not object", () => {
    expect(confirmed().presses("1").words).toContain("is confirmed");
    expect(confirmed().presses("2").does).toBe("undo");
    expect(confirmed().presses("3").words).toBe("Please hold the line.");
  });

  test("in unknown words leads to a question; one or two such words do not", () => {
    const talk = confirmed().means({ text: "the wedding of my cousin" }).event(UNDONE);
    expect(talk.words).toStartWith("Sorry, I did not understand that. Your appointment is on");
    expect(confirmed().means({ text: "by" }).words).toContain("is confirmed");
    // Echo of our own words.
    expect(confirmed().means({ text: "your appointment is confirmed" }).does).toBe("say");
  });

  test.each(["yes but my son has an exam", "okay unless it rains"])(
    "that contains a yes leads to a question: %s",
    (text) => {
      const talk = confirmed().means({ text, said: ["yes"] });
      expect(talk.does).toBe("undo");
      expect(talk.event(UNDONE).words).toContain("Will you come?");
      expect(talk.hears().says("yes").does).toBe("confirm");
    },
  );

  test("is recognised when another day is named", () => {
    expect(confirmed().means({ said: ["yes"], moment: moment({ date: "2026-11-25" }) }).does).toBe("undo");
    expect(confirmed().means({ said: ["yes"], moment: moment({ date: APPOINTMENT.date }) }).does).toBe("say");
  });

  test("repeated several times goes to a person", () => {
    const talk = confirmed();
    for (let i = 0; i < 2; i++) {
      talk.means({ text: "something about my cousin" }).event(UNDONE).hears().says("yes");
      talk.event({ type: "confirmed", ...DONE });
    }
    talk.means({ text: "something about my cousin" }).event(UNDONE);
    expect(talk.does).toBe("requestChange");
  });

  test("followed by silence leaves nothing confirmed", () => {
    const talk = confirmed().means({ text: "the wedding of my cousin" }).event(UNDONE).hears();
    for (let i = 0; i < 3; i++) {
      talk.event({ type: "silence" });
      if (talk.words !== "") talk.hears();
    }
    expect(talk.does).toBe("requestChange");
  });

  test("while the calendar is busy with the answer counts once it has answered", () => {
    const talk = new Talk().identified().says("yes").says("no", "another_time");
    expect(talk.does).toBe("confirm");
    expect(talk.event({ type: "confirmed", ...DONE }).does).toBe("undo");
    expect(talk.event(UNDONE).does).toBe("offer");
  });
});

describe("no objection", () => {
  test.each<Intent[]>([["thanks_or_bye"], ["yes"], ["backchannel"], ["yes", "thanks_or_bye"]])(
    "%p leaves everything as it is",
    (...said) => {
      const talk = confirmed().says(...said);
      expect(talk.words).toContain("is confirmed");
      expect(talk.hearsOut().says(...said).does).toBe("hangUp");
      expect(finalOutcome(talk.state)).toBe("confirmed");
    },
  );

  test("no, thank you, after a cancellation", () => {
    expect(cancelled().means({ said: ["no", "thanks_or_bye"], text: "no thank you bye" }).does).toBe("say");
  });

  test("a request to repeat plays the closing again, and the answer stands", () => {
    const talk = confirmed().hearsOut().says("repeat");
    expect(talk.words).toContain("Your appointment is confirmed.");
    expect(talk.hears().does).toBe("hangUp");
    expect(finalOutcome(talk.state)).toBe("confirmed");
  });

  test("further words of a machine do not interrupt its message", () => {
    const talk = new Talk().says("machine");
    const { words } = talk;
    expect(talk.means({ text: "please record your message now" }).words).toBe(words);
    expect(talk.says("machine").state.stage).toBe("telling");
  });

  test("hanging up after a yes confirms", () => {
    expect(finalOutcome(confirmed().state)).toBe("confirmed");
    expect(finalOutcome(booked().state)).toBe("booked");
  });
});

describe("an alarm", () => {
  const ENDS: Readonly<Record<string, () => Talk>> = {
    "a confirmation": confirmed,
    "a booking": () => booked(),
    "a cancellation": cancelled,
    "a wish not to be called": () => new Talk().identified().says("do_not_call"),
    silence: () => {
      const talk = new Talk().identified();
      for (let i = 0; i < 3; i++) talk.event({ type: "silence" }).hearsOut();
      return talk;
    },
  };
  test.each(Object.keys(ENDS))("counts during and after the closing of %s, even at low confidence", (end) => {
    for (const sure of [0.5, 0.95]) {
      const during = ENDS[end]!().means({ said: ["emergency"], sure });
      expect(during.words).toStartWith("This may be an emergency.");
      const after = ENDS[end]!();
      if (after.state.stage === "telling") after.hearsOut();
      expect(after.state.stage).toBe("leaving");
      expect(after.means({ said: ["emergency"], sure }).words).toStartWith("This may be an emergency.");
    }
  });

  test("counts while an answer is being undone", () => {
    const talk = confirmed().says("no").says("emergency");
    expect(talk.words).toStartWith("This may be an emergency.");
  });
});

describe("a call that a model leads on", () => {
  const led = () =>
    new Talk({}, { isLed: true })
      .identified()
      .says("yes")
      .event({ type: "confirmed", ...DONE });

  test("rules handle an objection, and the model is not queried", () => {
    for (const said of [["no", "another_time"], ["cancel_appointment"]] as const) {
      expect(led().says(...said).does).toBe("undo");
    }
    expect(led().means({ said: ["no"], text: "no I can not come" }).does).toBe("undo");
  });

  test('"no, that is all" ends the call and is not an objection', () => {
    const asked: TalkEvent = { type: "led", suggestion: null, ending: "whole" };
    const talk = led()
      .event(asked)
      .hears()
      .means({ said: ["no"], text: "no that is all thank you" });
    expect(talk.words).toBe("Thank you. Goodbye.");
    expect(talk.state.outcome).toBe("confirmed");
    // The callee may still object during the new closing.
    expect(talk.says("another_time").does).toBe("undo");
  });
});
