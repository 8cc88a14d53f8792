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
  test("before it is known who speaks, no model is asked anything", () => {
    for (const said of ["bananas?", "what is wrong with me?", "tell me about his illness"]) {
      expect(talk().hears().means({ text: said }).does).toBe("say");
    }
  });

  test("a plain answer is answered at once, what is not plain by the model", () => {
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

  test("what the model did not answer is answered by the table", () => {
    const alone = new Talk().identified().means({ text: "Is there parking?" });
    const taken = talk().identified().means({ text: "Is there parking?" }).event({ type: "unled" });
    expect(taken.words).toBe(alone.words);
  });
});

describe("after the model's words", () => {
  test("the question is asked again in ours, so that a yes agrees to that", () => {
    const asked = talk().identified().means({ text: "Is there parking?" }).event(led(null));
    expect(asked.words).toBe("Will you come?");
    expect(asked.hears().says("yes").does).toBe("confirm");
  });

  test("a yes or a key that comes while the model speaks agrees to nothing: it may be meant for anything", () => {
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

  test("a time that is to be booked is read back again, whole", () => {
    const chosen = talk().identified().says("another_time").event({ type: "offered", offers: OFFERS }).hears();
    chosen.means({ choice: { index: 1, confidence: 1 } }).hears();
    expect(chosen.means({ text: "What do you think?" }).event(led(null)).words).toContain("the third of December");
  });

  test("once the call's business is done the model says what is left, and ends the call", () => {
    const done = talk().identified().says("yes").event({ type: "confirmed", isDone: true });
    expect(done.does).toBe("lead");
    expect(done.words).toContain("confirmed");
    expect(done.event(led({ do: "end" })).words).toContain("Goodbye");
    expect(done.state.outcome).toBe("confirmed");
  });

  test("whoever has nothing else to say is let go, whatever the model would still say", () => {
    const open = inOpen().event(led(null)).hears();
    expect(open.says("no").words).toContain("Goodbye");
    const asked = inOpen().event(led(null, "question"));
    expect(asked.says("no").does).toBe("lead");
  });

  test("where it fails then, that was all", () => {
    const done = talk().identified().says("yes").event({ type: "confirmed", isDone: true }).event({ type: "unled" });
    expect(done.words).toBe("Thank you. Goodbye.");
    expect(done.state).toMatchObject({ stage: "telling", outcome: "confirmed" });
  });

  test("where it fails in an open conversation, they are asked what the hospital should know", () => {
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

  test("to book what was not offered is none", () => {
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

  test("to offer times that nobody asked for marks no appointment as one to be changed", () => {
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

  test("to send them on to a person does", () => {
    expect(
      asked()
        .event(led({ do: "transfer" }))
        .hears().does,
    ).toBe("transfer");
  });

  test("to hang up while a question is open is none", () => {
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

test("whatever a model suggests, nothing is booked or cancelled but by a yes to our own question that was heard out", () => {
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
