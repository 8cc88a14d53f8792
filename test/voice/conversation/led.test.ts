// The conversation table with a language model: which turns it gets, and the effect of its suggestions.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Suggestion, TalkEvent } from "../../../src/voice/conversation/model.ts";
import type { Intent } from "../../../src/voice/understanding/meaning.ts";
import { APPOINTMENT, OFFERS, Talk, meaning, moment } from "./talk.ts";

const led = (suggestion: Suggestion | null, ending: "question" | "whole" | "broken" = "whole"): TalkEvent => ({
  type: "led",
  suggestion,
  ending,
});
const talk = () => new Talk({}, { isLed: true });
/** No appointment and nothing to book: the model leads. */
const inOpen = () =>
  new Talk({ canBook: false }, { isLed: true }).hears().says("yes").event({ type: "lookedUp", appointment: null });

describe("who answers", () => {
  test("the model gets no turn before identity is confirmed", () => {
    for (const said of ["bananas?", "what is wrong with me?", "tell me about his illness"]) {
      expect(talk().hears().means({ text: said }).does).toBe("say");
    }
  });

  test("rules handle clear answers, the model the others", () => {
    expect(talk().identified().says("yes").does).toBe("confirm");
    expect(talk().identified().means({ text: "Is there parking?" }).does).toBe("lead");
    expect(
      talk()
        .identified()
        .means({ text: "Is that so?", said: ["yes"], sure: 0.5 }).does,
    ).toBe("lead");
  });

  test("without a model nothing changes", () => {
    expect(new Talk().identified().means({ text: "Is there parking?" }).does).toBe("say");
  });

  test.each<Intent>(["emergency", "do_not_call", "person", "call_later"])("%s is never the model's", (said) => {
    expect(talk().identified().says(said).does).toBe("say");
    expect(inOpen().says(said).does).toBe("say");
  });

  test("the table answers when the model does not", () => {
    const alone = new Talk().identified().means({ text: "Is there parking?" });
    const taken = talk().identified().means({ text: "Is there parking?" }).event({ type: "unled" });
    expect(taken.words).toBe(alone.words);
  });
});

describe("after the model's words", () => {
  test("our own question follows, so that a yes refers to it", () => {
    const asked = talk().identified().means({ text: "Is there parking?" }).event(led(null));
    expect(asked.words).toBe("Will you come?");
    expect(asked.hears().says("yes").does).toBe("confirm");
  });

  test("a yes or key during the model's words agrees to nothing, because it is ambiguous", () => {
    const chosen = talk().identified().says("another_time").event({ type: "offered", offers: OFFERS }).hears();
    chosen
      .means({ choice: { index: 1, confidence: 1 } })
      .hears()
      .means({ text: "Mangoes?" });
    expect(chosen.does).toBe("lead");
    expect(chosen.says("yes").words).toContain("Shall I book it?");
    expect(chosen.presses("1").words).toContain("Shall I book it?");
    expect(chosen.hears().says("yes").does).toBe("book");
    expect(talk().identified().means({ text: "Mangoes?" }).event(led(null)).says("yes").words).toContain(
      "Will you come?",
    );
  });

  test("a time to be booked is read back again completely", () => {
    const chosen = talk().identified().says("another_time").event({ type: "offered", offers: OFFERS }).hears();
    chosen.means({ choice: { index: 1, confidence: 1 } }).hears();
    expect(chosen.means({ text: "What do you think?" }).event(led(null)).words).toContain("the third of December");
  });

  test("after the call's business is done the model covers the rest and ends the call", () => {
    const done = talk().identified().says("yes").event({ type: "confirmed", isDone: true });
    expect(done.does).toBe("lead");
    expect(done.words).toContain("confirmed");
    expect(done.event(led({ do: "end" })).words).toContain("Goodbye");
    expect(done.state.outcome).toBe("confirmed");
  });

  test("a callee with nothing else to say is let go, whatever the model suggests", () => {
    const open = inOpen().event(led(null)).hears();
    expect(open.says("no").words).toContain("Goodbye");
    const asked = inOpen().event(led(null, "question"));
    expect(asked.says("no").does).toBe("lead");
  });

  test("a failure then ends the call", () => {
    const done = talk().identified().says("yes").event({ type: "confirmed", isDone: true }).event({ type: "unled" });
    expect(done.words).toBe("Thank you. Goodbye.");
    expect(done.state).toMatchObject({ stage: "telling", outcome: "confirmed" });
  });

  test("a failure in an open conversation leads to our own closing question", () => {
    const open = inOpen();
    expect(open.does).toBe("lead");
    expect(open.event({ type: "unled" }).words).toContain("anything else");
    expect(open.hears().says("no").words).toContain("Goodbye");
    expect(open.state.outcome).toBe("acknowledged");
  });
});

describe("a suggestion", () => {
  const asked = () => talk().identified().means({ text: "Hm, it is difficult." });

  test("to book reads the time back, and the callee's yes books it", () => {
    const chosen = talk().identified().says("another_time").event({ type: "offered", offers: OFFERS }).hears();
    chosen.means({ text: "The one with the sun." }).event(led({ do: "choose", label: "B" }));
    expect(chosen.words).toContain("the third of December");
    expect(chosen.does).toBe("say");
    expect(chosen.hears().says("yes").action).toEqual({ do: "book", label: "B", name: null });
  });

  test("to book a slot that was not offered is ignored", () => {
    expect(asked().event(led({ do: "choose", label: "A" })).words).toBe("Will you come?");
    const offered = talk().identified().says("another_time").event({ type: "offered", offers: OFFERS }).hears();
    offered.means({ text: "Hm." }).event(led({ do: "choose", label: "Z" }));
    expect(offered.words).toBe("Which one suits you?");
  });

  test("to cancel asks first", () => {
    const cancelling = asked().event(led({ do: "cancel" }));
    expect(cancelling.words).toContain("Shall I cancel");
    expect(cancelling.hears().says("yes").does).toBe("cancel");
  });

  test("to offer times near what they wish", () => {
    const wish = moment({ date: "2026-12-01" });
    expect(asked().event(led({ do: "offer", wish })).action).toEqual({ do: "offer", wish });
  });

  test("to call later asks whether, and when", () => {
    const later = asked().event(led({ do: "callback" }));
    expect(later.words).toContain("Shall we call you later?");
    expect(later.hears().says("yes").words).toContain("When shall we call");
    expect(
      asked()
        .event(led({ do: "callback" }))
        .hears()
        .says("no").words,
    ).toContain("Will you come?");
  });

  test("to offer unrequested times does not mark the appointment for a change", () => {
    const none = asked()
      .event(led({ do: "offer", wish: null }))
      .event({ type: "offered", offers: [] });
    expect(none.words).toContain("Will you come?");
    const silent = asked()
      .event(led({ do: "offer", wish: null }))
      .event({ type: "offered", offers: OFFERS });
    for (let i = 0; i < 3; i++) silent.hears().event({ type: "silence" });
    expect(silent.words).toContain("Goodbye");
    expect(silent.state.outcome).toBe("none");
  });

  test("to call never again asks first", () => {
    const out = asked().event(led({ do: "optOut" }));
    expect(out.words).toContain("not to call you any more?");
    expect(out.hears().says("yes").state.outcome).toBe("opted_out");
  });

  test("to transfer to a person is followed", () => {
    expect(
      asked()
        .event(led({ do: "transfer" }))
        .hears().does,
    ).toBe("transfer");
  });

  test("to hang up while a question is open is ignored", () => {
    expect(asked().event(led({ do: "end" })).words).toBe("Will you come?");
  });
});

const suggestion: fc.Arbitrary<Suggestion> = fc.oneof(
  fc.constantFrom<Suggestion>(
    { do: "cancel" },
    { do: "transfer" },
    { do: "optOut" },
    { do: "end" },
    { do: "offer", wish: null },
    { do: "callback" },
  ),
  fc.constantFrom("A", "B", "C", "Z", "").map((label) => ({ do: "choose", label }) as const),
);
const INTENTS: readonly Intent[] = ["yes", "no", "another_time", "thanks_or_bye", "call_later"];

test("whatever a model suggests, only a yes to our own completed question books or cancels", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          suggestion.map((s) => ({ s })),
          fc.constantFrom(...INTENTS).map((i) => ({ i })),
        ),
        {
          maxLength: 20,
        },
      ),
      (steps) => {
        const call = talk().identified();
        for (const step of steps) {
          settle(call);
          if (call.state.stage === "over") return;
          if ("s" in step) {
            call.means({ text: "Mangoes?" });
            if (call.does === "lead") call.event(led(step.s));
            expect(["book", "cancel", "confirm"]).not.toContain(call.does);
          } else {
            const { question, chosen } = call.state;
            call.event({ type: "heard", meaning: meaning({ said: [step.i] }) });
            if (call.does === "book") expect([question, step.i]).toEqual(["slot", "yes"]);
            if (call.does === "book")
              expect(call.action).toEqual({ do: "book", label: chosen?.label ?? "", name: null });
            if (call.does === "cancel") expect([question, step.i]).toEqual(["cancel", "yes"]);
            if (call.does === "confirm") expect([question, step.i]).toEqual(["attend", "yes"]);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

/** The calendar answers, and the current phrase is played to its end. */
function settle(call: Talk): void {
  for (let i = 0; i < 6; i++) {
    if (call.does === "say") call.hears();
    else if (call.does === "lead") call.event(led(null));
    else if (call.does === "offer") call.event({ type: "offered", offers: OFFERS });
    else if (call.does === "book") call.event({ type: "booked", slot: OFFERS[0] ?? null });
    else if (call.does === "confirm") call.event({ type: "confirmed", isDone: true });
    else if (call.does === "cancel") call.event({ type: "cancelled", isDone: true });
    else if (call.does === "requestChange") call.event({ type: "changeRequested", isDone: true });
    else if (call.does === "transfer") call.event({ type: "transferred", outcome: "refused" });
    else if (call.does === "lookUp") call.event({ type: "lookedUp", appointment: APPOINTMENT });
    else return;
  }
}
