// The conversation table, step by step.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { TalkEvent } from "../../../src/voice/conversation/model.ts";
import { finalOutcome } from "../../../src/voice/conversation/result.ts";
import type { Intent } from "../../../src/voice/understanding/meaning.ts";
import { APPOINTMENT, meaning, moment, OFFERS, Talk } from "./talk.ts";

describe("who is it?", () => {
  test("the purpose is not mentioned before the contact confirms identity", () => {
    const talk = new Talk();
    expect(talk.words).toBe("Good morning. Am I speaking with Asha?");
    talk.hears().says("what_is_it_about");
    expect(talk.words).toStartWith("I have a message that is for Asha alone.");
    talk.hears().says("who_is_this");
    expect(talk.words).toStartWith("This is City Clinic");
    talk.hears().says("yes");
    expect(talk.does).toBe("lookUp");
    talk.event({ type: "lookedUp", appointment: APPOINTMENT });
    expect(talk.words).toContain("Friday, the twentieth of November");
  });

  test("another person fetches the contact, and the next speaker is asked again", () => {
    const talk = new Talk().hears().says("child_or_relative");
    expect(talk.words).toBe("Can Asha come to the phone?");
    talk.hears().says("hold_on");
    expect(talk.words).toBe("Thank you. I will wait.");
    talk.hears();
    expect(talk.action).toMatchObject({ do: "listen", forMs: 45_000 });
    talk.means({ text: "hello" });
    expect(talk.words).toBe("Am I speaking with Asha?");
  });

  test("a person who cannot fetch the contact hears only goodbye", () => {
    const talk = new Talk().hears().says("not_that_person").hears().says("no");
    expect(talk.state.outcome).toBe("not_reached");
    expect(talk.hears().does).toBe("hangUp");
  });

  test("a wrong number ends the call; at low confidence it is confirmed first", () => {
    expect(new Talk().hears().says("wrong_number").state.outcome).toBe("wrong_number");
    const talk = new Talk().hears().means({ said: ["wrong_number"], sure: 0.5 });
    expect(talk.words).toEndWith("Do I have the wrong number?");
    expect(talk.hears().says("yes").state.outcome).toBe("wrong_number");
  });

  test("a contact without a name is asked for a moment; an inbound caller is not asked", () => {
    expect(new Talk({ contactName: null }).words).toBe("Good morning. Do you have a moment to talk?");
    const inbound = new Talk({ isOutbound: false });
    expect(inbound.does).toBe("lookUp");
    expect(inbound.event({ type: "lookedUp", appointment: null }).words).toBe(
      "Good morning. Would you like to book an appointment?",
    );
  });

  test("a greeting that asks for identity is enough", () => {
    expect(new Talk({ greetingAsksIdentity: true }).words).toBe("Good morning.");
  });
});

describe("an appointment", () => {
  test("is confirmed", () => {
    const talk = new Talk().identified().says("yes");
    expect(talk.does).toBe("confirm");
    talk.event({ type: "confirmed", isDone: true });
    expect(talk.words).toContain("is confirmed");
    expect(talk.hears().does).toBe("hangUp");
    expect(finalOutcome(talk.state)).toBe("confirmed");
  });

  test("is not confirmed by a yes before its day and time were told", () => {
    const talk = new Talk().hears().says("yes").event({ type: "lookedUp", appointment: APPOINTMENT });
    talk.says("yes");
    expect(talk.words).toContain("Your appointment is on");
    expect(talk.hears().says("yes").does).toBe("confirm");
  });

  test("a yes that repeats the day confirms; one that names another day does not", () => {
    const same = moment({ date: "2026-11-20" });
    expect(new Talk().identified().means({ said: ["yes"], moment: same }).does).toBe("confirm");
    const other = moment({ date: "2026-11-25" });
    expect(new Talk().identified().means({ said: ["yes"], moment: other }).action).toEqual({
      do: "offer",
      wish: other,
    });
  });

  test("a low-confidence yes leads to a question and confirms nothing", () => {
    const talk = new Talk().identified().means({ said: ["yes"], sure: 0.6 });
    expect(talk.words).toEndWith("Was that a yes?");
    expect(talk.hears().says("yes").does).toBe("confirm");
    const no = new Talk()
      .identified()
      .means({ said: ["yes"], sure: 0.6 })
      .hears()
      .says("no");
    expect(no.words).toContain("Will you come?");
  });

  test("is moved to a time that was offered, chosen, read back and confirmed", () => {
    const talk = new Talk().identified().says("no", "another_time");
    expect(talk.does).toBe("offer");
    talk.event({ type: "offered", offers: OFFERS });
    expect(talk.words).toContain("The second is Thursday, the third of December");
    talk.hears().means({ choice: { index: 1, confidence: 0.9 } });
    expect(talk.words).toBe("Thursday, the third of December, at three o'clock in the afternoon. Shall I book it?");
    talk.hears().says("yes");
    expect(talk.action).toEqual({ do: "book", label: "B", name: null });
    talk.event({ type: "booked", slot: OFFERS[1]! });
    expect(talk.words).toContain("is now on Thursday");
    expect(talk.hears().state.outcome).toBe("rescheduled");
  });

  test("a day without slots is reported, and a contradictory day leads to a question", () => {
    const talk = new Talk().identified().means({ moment: moment({ date: "2026-11-25" }) });
    talk.event({ type: "offered", offers: OFFERS });
    expect(talk.words).toStartWith("That is not open. The nearest times are these.");
    const conflict = new Talk().identified().means({ moment: moment({ date: "2026-11-21", conflict: true }) });
    expect(conflict.words).toStartWith("I am not sure of the day. Do you mean Saturday, the twenty first of November?");
  });

  test("is cancelled after a confirmation", () => {
    const talk = new Talk().identified().says("cancel_appointment");
    expect(talk.words).toStartWith("Shall I cancel your appointment on Friday");
    talk.hears().says("yes");
    expect(talk.does).toBe("cancel");
    talk.event({ type: "cancelled", isDone: true });
    expect(talk.hears().state).toMatchObject({ outcome: "cancelled", appointment: null });
  });

  test("a contact without a suitable time is called by a person", () => {
    const talk = new Talk().identified().says("another_time").event({ type: "offered", offers: OFFERS }).hears();
    talk.says("no").hears().says("no");
    expect(talk.does).toBe("requestChange");
    expect(talk.event({ type: "changeRequested", isDone: true }).state.outcome).toBe("change_requested");
  });
});

describe("at any moment", () => {
  test("a cry for help leads to the fixed phrase and a person", () => {
    const talk = new Talk().identified().says("emergency");
    expect(talk.words).toStartWith("This may be an emergency.");
    expect(talk.hears().does).toBe("consult");
    expect(talk.event({ type: "transferred", outcome: "answered" }).does).toBe("hangUp");
    expect(talk.state.outcome).toBe("emergency");
    const alone = new Talk({ canTransfer: false }).identified().says("emergency");
    expect(alone.hears().does).toBe("hangUp");
  });

  test("a callback at a named time is read back", () => {
    const at = moment({ date: "2026-11-16", time: "10:00" });
    const talk = new Talk().hears().means({ said: ["call_later"], moment: at });
    expect(talk.words).toBe(
      "We will call you on Monday, the sixteenth of November, at ten o'clock in the morning. Is that right?",
    );
    expect(talk.hears().says("yes").state).toMatchObject({
      outcome: "call_later",
      callback: { date: "2026-11-16", startTime: "10:00" },
    });
  });

  test("a time without a day is its next occurrence; without either the agent asks", () => {
    const talk = new Talk().hears().says("call_later");
    expect(talk.words).toBe("Of course. When shall we call you again?");
    talk.hears().means({ moment: moment({ time: "10:00" }) });
    expect(talk.state.callback).toEqual({ date: "2026-11-16", startTime: "10:00" });
  });

  test("not interested ends the call; with an appointment it is a no", () => {
    expect(new Talk().hears().says("not_interested").state.outcome).toBe("declined");
    expect(new Talk().identified().says("not_interested", "no").words).toBe("Would you like another time?");
  });

  test("do not call me", () => {
    expect(new Talk().identified().says("do_not_call").state.outcome).toBe("opted_out");
  });

  test("a late alarm counts in every state, during work and the closing", () => {
    const EMERGENCY = /emergency|ambulance/i;
    const working = new Talk().hears().says("yes").says("emergency");
    expect(working.words).toMatch(EMERGENCY);
    expect(working.event({ type: "lookedUp", appointment: APPOINTMENT }).hears().does).toBe("consult");
    const telling = new Talk().says("do_not_call").says("emergency");
    expect(telling.words).toMatch(EMERGENCY);
    expect(telling.hears().does).toBe("consult");
    const alone = new Talk({ canTransfer: false }).says("emergency");
    expect(alone.words).toMatch(EMERGENCY);
    expect(alone.hears().does).toBe("hangUp");
    // A transfer already under way is not announced twice.
    const onTheWay = new Talk().identified().says("person");
    const { words } = onTheWay;
    expect(onTheWay.says("emergency")).toMatchObject({ words, state: { outcome: "emergency" } });
    expect(onTheWay.says("emergency").hears().does).toBe("consult");
  });

  test("a machine gets a message without name and purpose", () => {
    const talk = new Talk().says("machine");
    expect(talk.words).toBe("This is City Clinic. I am sorry to have missed you. Goodbye.");
    expect(talk.hears().state.outcome).toBe("message_left");
    expect(new Talk().hears().event({ type: "beep" }).state.outcome).toBe("machine_answered");
  });

  test("a call-screening robot is told who calls, then the person is asked for identity", () => {
    const talk = new Talk().says("screening");
    expect(talk.words).toBe("This is City Clinic, calling for Asha with a personal message.");
    expect(talk.hears().action).toMatchObject({ do: "listen", forMs: 45_000 });
    expect(talk.means({ text: "Hello?" }).words).toBe("Am I speaking with Asha?");
  });

  test("a failed transfer repeats the question, and the second one ends the call", () => {
    const talk = new Talk().identified().says("person").hears();
    talk.event({ type: "transferred", outcome: "refused" });
    expect(talk.words).toEndWith("Will you come?");
    talk.hears().says("person").hears().event({ type: "transferred", outcome: "refused" });
    expect(talk.hears().does).toBe("hangUp");
  });
});

describe("what is not understood", () => {
  test("repeats the question, then names the keys, then goes to a person", () => {
    const talk = new Talk().identified().means({ text: "mumble" });
    expect(talk.words).toStartWith("Sorry, I did not understand that.");
    expect(talk.words).not.toContain("Press");
    talk.hears().means({ text: "mumble" });
    expect(talk.words).toContain("Press 1 to confirm.");
    talk.hears().means({ text: "mumble" });
    expect(talk.words).toEndWith("I am connecting you to a person.");
    expect(talk.hears().does).toBe("transfer");
  });

  test("no question is put more than three times, whatever happens in between", () => {
    const talk = new Talk({ canTransfer: false }).identified();
    const asked: string[] = [];
    for (let i = 0; i < 12 && talk.state.stage !== "over"; i++) {
      talk.means({ said: ["yes"], sure: 0.5, text: "well" });
      asked.push(talk.words);
      talk.hears().says("no");
      asked.push(talk.words);
      talk.hears();
    }
    expect(asked.filter((words) => words.includes("Was that a yes?"))).toHaveLength(3);
    // Once before.
    expect(asked.filter((words) => words.includes("Will you come?"))).toHaveLength(2);
    expect(asked.at(-1)).toContain("A person from the hospital will call you.");
    expect(talk.state.outcome).toBe("not_understood");
  });

  test("keys that were named count", () => {
    const talk = new Talk().identified().means({ text: "mumble" }).hears().means({ text: "mumble" });
    expect(talk.hears().presses("1").does).toBe("confirm");
  });

  test("silence: asked again twice, then goodbye", () => {
    const talk = new Talk().identified();
    for (const ms of [8_000, 8_000, 6_000]) {
      expect(talk.action).toMatchObject({ do: "listen", forMs: ms });
      talk.event({ type: "silence" }).hears();
    }
    expect(talk.does).toBe("hangUp");
    expect(finalOutcome(talk.state)).toBe("none");
  });

  test("without recognition the keys are named with every question", () => {
    const talk = new Talk().identified().event({ type: "deaf" });
    expect(talk.words).toContain("I cannot hear you well");
    expect(talk.words).toContain("Press 2 for another time.");
    talk.hears().presses("2").event({ type: "offered", offers: OFFERS });
    expect(talk.words).toContain("Press 1 for the first.");
    talk.hears().presses("1");
    expect(talk.words).toContain("Press 1 for yes");
    expect(talk.hears().presses("1").action).toEqual({ do: "book", label: "A", name: null });
  });

  test("repeated recognition failures are reported each time and lead to a person", () => {
    const talk = new Talk().identified().event({ type: "deaf" });
    for (let i = 0; i < 2; i++) {
      expect(talk.words).toContain("I cannot hear you well");
      talk.hears().event({ type: "deaf" });
    }
    expect(talk.words).toEndWith("I am connecting you to a person.");
  });

  test("when synthesis fails for a question, its keys are named once", () => {
    const talk = new Talk().event({ type: "said", wasHeard: false });
    expect(talk.words).toBe("Press 1 for yes, or 2 for no.");
    expect(talk.event({ type: "said", wasHeard: false }).does).toBe("listen");
  });

  test("named keys may be spoken and count as pressed", () => {
    const twice = () => new Talk().identified().means({}).hears().means({}).hears();
    expect(twice().means({ key: "2", text: "two" }).action).toMatchObject({ do: "offer" });
    expect(new Talk().identified().means({ key: "1", text: "one" }).does).toBe("say");
    const deaf = new Talk().identified().event({ type: "deaf" }).hears();
    expect(deaf.means({ key: "1", text: "one" }).does).toBe("confirm");
  });

  test('"No, thank you" to "Was that a no?" says it again; a bare no may deny it', () => {
    const doubted = () =>
      new Talk()
        .identified()
        .says("no")
        .hears()
        .means({ said: ["no"], sure: 0.5 })
        .hears();
    expect(doubted().means({ text: "No, thank you.", said: ["no"] }).words).toContain("cancel");
    expect(doubted().means({ text: "No.", said: ["no"] }).words).toBe("Would you like another time?");
  });

  test("a confirmation question accepts keys and words", () => {
    const doubted = () =>
      new Talk()
        .identified()
        .means({ said: ["do_not_call"], sure: 0.6 })
        .hears();
    expect(doubted().presses("1").state.outcome).toBe("opted_out");
    expect(doubted().presses("2").words).toContain("Will you come?");
  });

  test("an inbound caller's opt-out goes to a person if the number is withheld", () => {
    const talk = new Talk({ isOutbound: false }).event({ type: "lookedUp", appointment: APPOINTMENT }).hears();
    talk.says("do_not_call");
    expect(talk.state.outcome).not.toBe("opted_out");
    expect(talk.hears().does).toBe("transfer");
  });

  test("after recognition recovers the keys are no longer named", () => {
    const talk = new Talk().identified().event({ type: "deaf" }).hears().says("no");
    expect(talk.words).not.toContain("Press");
  });
});

const INTENTS: readonly Intent[] = [
  "yes",
  "no",
  "another_time",
  "cancel_appointment",
  "who_is_this",
  "what_is_it_about",
  "repeat",
  "slower",
  "louder",
  "person",
  "do_not_call",
  "wrong_number",
  "not_that_person",
  "call_later",
  "emergency",
  "hold_on",
  "thanks_or_bye",
  "backchannel",
  "machine",
  "screening",
  "child_or_relative",
];
const anyMoment = fc.option(
  fc.record({
    date: fc.option(fc.constantFrom("2026-11-15", "2026-11-25", "2026-12-01")),
    dateEnd: fc.constant(null),
    time: fc.option(fc.constantFrom("09:00", "15:00")),
    partOfDay: fc.option(fc.constantFrom("morning" as const, "evening" as const)),
    conflict: fc.boolean(),
  }),
);
const anyHeard = fc
  .record({
    said: fc.array(fc.constantFrom(...INTENTS), { maxLength: 2 }),
    sure: fc.constantFrom(0.3, 0.6, 0.95),
    choice: fc.option(fc.record({ index: fc.integer({ min: 0, max: 4 }), confidence: fc.constantFrom(0.4, 0.9) })),
    moment: anyMoment,
  })
  .map((words): TalkEvent => ({ type: "heard", meaning: meaning(words) }));
const anyEvent = fc.oneof(
  { weight: 6, arbitrary: anyHeard },
  fc.constantFrom<TalkEvent>(
    { type: "said", wasHeard: true },
    { type: "said", wasHeard: false },
    { type: "silence" },
    { type: "deaf" },
    { type: "beep" },
    { type: "lookedUp", appointment: APPOINTMENT },
    { type: "unreachable", isLate: true },
    { type: "unreachable", isLate: false },
    { type: "offered", offers: OFFERS },
    { type: "offered", offers: [] },
    { type: "booked", slot: null },
    { type: "confirmed", isDone: false },
    { type: "transferred", outcome: "refused" },
  ),
  fc.constantFrom(...Array.from("0123456789*#")).map((key): TalkEvent => ({ type: "key", key })),
);

describe("a low-confidence intent", () => {
  const doubting = () => new Talk().identified().means({ said: ["yes"], sure: 0.6 });

  test("counts after it was repeated, or 1 was pressed", () => {
    expect(doubting().words).toEndWith("Was that a yes?");
    expect(
      doubting()
        .hears()
        .means({ said: ["yes"], sure: 0.6 }).does,
    ).toBe("confirm");
    expect(doubting().hears().presses("1").does).toBe("confirm");
  });

  test("does not count while hedged, however often it is repeated", () => {
    const intents = [{ intent: "yes" as const, confidence: 0.5, isHedged: true as const }];
    const unless: TalkEvent = { type: "heard", meaning: { ...meaning(), intents } };
    const twice = new Talk().identified().event(unless).hears().event(unless);
    expect([twice.does, twice.state.question]).toEqual(["say", "doubt"]);
    expect(twice.hears().says("yes").does).toBe("confirm");
  });

  test("does not count after a no, in words or by key", () => {
    expect(doubting().hears().says("no").words).toEndWith("Will you come?");
    expect(doubting().hears().presses("2").words).toEndWith("Will you come?");
  });

  test("is confirmed once: repeating it counts, and a no returns to the question", () => {
    const leaving = () => new Talk().hears().means({ said: ["do_not_call"], sure: 0.6 });
    expect(leaving().words).toEndWith("Do you want us not to call you any more?");
    expect(
      leaving()
        .hears()
        .means({ said: ["do_not_call"], sure: 0.6 }).state.outcome,
    ).toBe("opted_out");
    const other = leaving()
      .hears()
      .means({ said: ["wrong_number"], sure: 0.6 });
    expect(other.words).toEndWith("Do I have the wrong number?");
    expect(other.hears().says("no").words).toBe("Am I speaking with Asha?");
  });
});

describe("whatever happens", () => {
  test("only told times are booked, confirmed or cancelled, and the appointment is not mentioned before identity", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyEvent, fc.boolean()), { maxLength: 60 }), (events) => {
        const talk = new Talk();
        const told: string[] = [];
        for (const [event, hearsOut] of events) {
          const before = talk.action;
          if (hearsOut && before?.do === "say") {
            told.push(talk.words);
            talk.hears();
          }
          const asked = talk.state.question;
          talk.event(event);
          if (talk.state.isContact !== true) expect(talk.words).not.toContain("appointment");
          if (talk.action === before || !talk.action) continue;
          if (talk.action.do === "book") {
            expect(asked === "slot" || asked === "doubt").toBeTrue();
            expect(told.some((words) => words.includes("Shall I book it?"))).toBeTrue();
          }
          if (talk.action.do === "confirm")
            expect(told.some((words) => words.includes("Your appointment is on"))).toBeTrue();
          if (talk.action.do === "cancel") expect(told.some((words) => words.includes("Shall I cancel"))).toBeTrue();
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("a callee who only mumbles or stays silent is hung up on within a few minutes", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (mumbles) => {
        const talk = new Talk();
        for (const isMumble of mumbles) {
          if (talk.does === "say") talk.hears();
          else if (talk.does === "listen")
            talk.event(isMumble ? { type: "heard", meaning: meaning() } : { type: "silence" });
          else if (talk.does === "lookUp") talk.event({ type: "lookedUp", appointment: APPOINTMENT });
          else if (talk.does === "transfer") talk.event({ type: "transferred", outcome: "refused" });
        }
        expect(talk.does).toBe("hangUp");
      }),
    );
  });
});
