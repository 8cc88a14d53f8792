// A model on a call: its answers and tools, slow, broken and missing servers, and bounded silence.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SOUND_MS } from "../stage.ts";
import { setLedCall, type LedCall, type LedCallOptions } from "./led-call.ts";
import type { ChatScript, ScriptedAnswer } from "./scripted-chat.ts";

const PROMPT = "Remind {{user_name}} of the visit to {{doctor}}. Parking is behind the house. They fast for 8 hours.";
const brief = {
  prompt: PROMPT,
  promptTemplate: PROMPT,
  additionalInfo: { doctor: "Dr Rao", dose: "5 mg" },
  modelSpeech: "free" as const,
  approvedAnswers: [{ question: "Where do I park?", answer: "Behind the house.", language: "en" }],
  details: [{ name: "comes_by", description: "How they come." }],
};
const QUESTION = "Is there parking?";

async function asked(script: ChatScript, options: LedCallOptions = {}): Promise<LedCall> {
  const call = setLedCall(script, { brief, ...options });
  await call.identified();
  await call.hear(QUESTION);
  return call;
}

describe("a model that answers", () => {
  test("is played clause by clause, followed by our own question", async () => {
    const call = await asked(() => ({ text: "Thank you for asking. You can park behind the house." }));
    await call.heardOut(3);
    expect(call.heard().slice(4)).toEqual([
      "Thank you for asking.",
      "You can park behind the house.",
      "Will you come?",
    ]);
    await call.hear("Yes.");
    await call.heardOut(3);
    expect(call.count("desk: confirm")).toBe(1);
  });

  test("starts playing before it is complete", async () => {
    const text = "There is parking behind the house, and it is behind the house. You can park there.";
    const call = await asked(() => ({ text, stallsAfter: 62 }));
    await call.clock.advance(100);
    expect(call.heard().at(-1)).toBe("There is parking behind the house,");
  });

  test("gets dates, times and doses from the call's fields", async () => {
    const text = "You see {{doctor}} on {{appointment}}. Please fast for 8 hours.";
    const call = await asked(() => ({ text }));
    await call.heardOut(4);
    const heard = call.heard().join(" ");
    expect(heard).toContain("You see Dr Rao on Tuesday, the fifth of May, at ten thirty in the morning.");
    expect(heard).toContain("fast for 8 hours.");
  });

  test("asks no question of its own while ours is open", async () => {
    const call = await asked(() => ({ text: "Behind the house. Do you like mangoes?" }));
    await call.heardOut(3);
    expect(call.heard().join(" ")).not.toContain("mangoes");
    expect(call.heard().at(-1)).toBe("Will you come?");
  });

  test("offers times, and the chosen and confirmed one is booked", async () => {
    const script: ChatScript = (_, turn) =>
      turn === 0
        ? { text: "I see.", calls: [{ name: "offer_slots" }] }
        : { calls: [{ name: "reschedule", arguments: { label: "B" } }] };
    const call = await asked(script);
    await call.heardOut(5);
    expect(call.heard().at(-1)).toBe("Which one suits you?");
    await call.hear("My daughter comes from college by then.");
    await call.heardOut(2);
    expect(call.heard().at(-1)).toBe("Shall I book it?");
    expect(call.count("desk: book B")).toBe(0);
    await call.hear("Yes, please.");
    await call.heardOut(3);
    expect(call.count("desk: book B")).toBe(1);
  });

  test("is told why a tool was refused, and may try once more", async () => {
    const script: ChatScript = (_, turn) =>
      turn === 0 ? { calls: [{ name: "reschedule", arguments: { label: "Q" } }] } : { text: "Behind the house." };
    const call = await asked(script);
    await call.heardOut(3);
    expect(call.heard().slice(4)).toEqual(["Behind the house.", "Will you come?"]);
    expect(call.requests()[1]?.messages.at(-1)).toMatchObject({ role: "tool", toolCallId: "call-0" });
    expect(call.agent.ended("peer").led).toMatchObject({ refusedTools: 1 });
  });

  test("notes the callee's words, and covers the rest after the appointment is settled", async () => {
    const script: ChatScript = (_, turn) => {
      if (turn === 0) return { text: "Parking is behind the house. How do you come here?" };
      return turn === 1
        ? { text: "Thank you.", calls: [{ name: "record_detail", arguments: { name: "comes_by", value: "bus" } }] }
        : { calls: [{ name: "end_call" }] };
    };
    const call = setLedCall(script, { brief });
    await call.identified();
    await call.hear("Yes, I will come.");
    await call.heardOut(3);
    expect(call.heard().slice(4)).toEqual([
      "Thank you. Your appointment is confirmed.",
      "Parking is behind the house.",
      "How do you come here?",
    ]);
    await call.hear("By bus.");
    await call.heardOut(2);
    await call.hear("No, that is all.");
    await call.heardOut(2);
    expect(call.happened.at(-1)).toBe("hang up");
    expect(call.agent.ended("us").extractedDetails).toMatchObject({ answer: "confirmed", comes_by: "bus" });
  });

  test("is not played if the callee spoke meanwhile", async () => {
    const call = await asked(() => ({ text: "Behind the house.", afterMs: 600 }));
    await call.clock.advance(300);
    await call.hear("No, cancel it.");
    await call.heardOut(3);
    expect(call.heard().join(" ")).not.toContain("Behind the house.");
    expect(call.heard().join(" ")).toContain("Shall I cancel");
  });
});

describe("a model that chooses", () => {
  const chosen = { ...brief, modelSpeech: "chosen" as const };
  const choosing = (answer: ScriptedAnswer) => asked(() => answer, { brief: chosen });
  const answersOne = { name: "answer_question", arguments: { number: "1" } };

  test("is the default, and speaks the owner's answers verbatim", async () => {
    const { modelSpeech: _, ...unsaid } = brief;
    const call = await asked(() => ({ calls: [answersOne] }), { brief: unsaid });
    await call.heardOut(3);
    expect(call.heard().slice(4)).toEqual(["Behind the house.", "Will you come?"]);
  });

  test("is never played in its own words", async () => {
    const call = await choosing({ text: "Thank you. You have cancer.", calls: [answersOne] });
    await call.heardOut(3);
    expect(call.heard().slice(4)).toEqual(["Behind the house.", "Will you come?"]);
    const alone = await choosing({ text: "Thank you." });
    await alone.heardOut(3);
    expect(alone.heard().slice(4)).toEqual([
      "Sorry, I did not understand that.",
      "Your appointment is on Tuesday, the fifth of May, at ten thirty in the morning.",
      "Will you come?",
    ]);
  });

  test("plays each chosen phrase once, and at most three", async () => {
    const phrases = ["cannot_answer", "cannot_answer", "purpose", "noted"];
    const calls = phrases.map((phrase) => ({ name: "say", arguments: { phrase } }));
    const call = await choosing({ calls });
    await call.heardOut(4);
    expect(call.heard().slice(4)).toEqual([
      "I cannot answer that. Please ask the hospital.",
      "I am calling about your appointment.",
      "Thank you. The hospital will read what you said.",
      "Will you come?",
    ]);
  });

  test("gets no answers in other languages", async () => {
    const approvedAnswers = [{ question: "Parking?", answer: "Hinter dem Haus.", language: "de" }];
    const call = await asked(() => ({ calls: [answersOne] }), { brief: { ...chosen, approvedAnswers } });
    await call.heardOut(3);
    expect(call.heard().join(" ")).not.toContain("Haus");
    expect(call.requests()[0]?.tools.map(({ name }) => name)).not.toContain("answer_question");
  });
});

/** Together with the endpointing pause it is less than three seconds. */
const MOST_SILENCE_MS = 1_700;

const FAULTS: Readonly<Record<string, ScriptedAnswer>> = {
  slow: { text: "Behind the house.", afterMs: 20_000 },
  "slow, but not too slow": { text: "Behind the house.", afterMs: 2_000 },
  stalled: { text: "", afterMs: Number.POSITIVE_INFINITY },
  "stalled after a clause": { text: "Let me see, it is behind the house.", stallsAfter: 21 },
  refused: { fails: "refused" },
  "an error": { fails: "status" },
  "an error, late": { fails: "status", afterMs: 1_500 },
  garbage: { fails: "garbage" },
  "nothing at all": { text: "" },
  "a tool that there is not": { calls: [{ name: "sudo", arguments: "{{{" }] },
};

describe("a server that is", () => {
  test.each(Object.entries(FAULTS))(
    "%s: silence stays below three seconds, and the appointment is correct",
    async (_, fault) => {
      const call = await asked(() => fault);
      expect(await call.untilTheirTurn()).toBeLessThan(MOST_SILENCE_MS);
      expect(call.heard().at(-1)).toBe("Will you come?");
      await call.hear("Can I have another time?");
      expect(await call.untilTheirTurn()).toBeLessThan(MOST_SILENCE_MS);
      await call.hear("The second one.");
      expect(await call.untilTheirTurn()).toBeLessThan(MOST_SILENCE_MS);
      await call.hear("Yes.");
      expect(await call.untilTheirTurn()).toBeLessThan(MOST_SILENCE_MS);
      expect(call.count("desk: book B")).toBe(1);
      expect(call.agent.ended("us").extractedDetails).toMatchObject({
        answer: "rescheduled",
        appointment_date: "2026-05-07",
      });
    },
  );

  test("slow is covered by one filler, and then the built-in conversation answers", async () => {
    const call = await asked(() => FAULTS["slow"] ?? {});
    await call.clock.advance(899);
    expect(call.heard()).toHaveLength(4);
    await call.clock.advance(2);
    expect(call.heard().at(-1)).toBe("One moment, please.");
    await call.clock.advance(SOUND_MS + 100);
    expect(call.heard().at(-1)).toBe("Sorry, I did not understand that.");
    expect(call.heard().filter((line) => line === "One moment, please.")).toHaveLength(1);
    expect(call.agent.ended("peer").led).toMatchObject({ turns: 1, fillers: 1, takeovers: 1 });
  });
});

describe("after a failure", () => {
  const failsOnce: ChatScript = (_, turn) => (turn === 0 ? { fails: "status" } : { text: "Behind the house." });

  test("the model leads again after a quick answer", async () => {
    const call = await asked(failsOnce);
    await call.heardOut(4);
    await call.hear(QUESTION);
    await call.heardOut(3);
    expect(call.heard()).toContain("Behind the house.");
    expect(call.agent.ended("peer").led).toMatchObject({ takeovers: 1, handbacks: 1 });
  });

  test("it is given up after repeated failures", async () => {
    const call = await asked(() => ({ fails: "status" }));
    for (let i = 0; i < 6; i++) {
      await call.heardOut(5);
      await call.hear(QUESTION);
      await call.press("*");
    }
    expect(call.requests().length).toBeLessThanOrEqual(3);
    expect(call.agent.ended("peer").led?.handbacks).toBe(2);
  });

  test("it is not queried while probes fail", async () => {
    const call = await asked(failsOnce, { probe: () => false });
    for (let i = 0; i < 3; i++) {
      await call.heardOut(6);
      await call.hear(QUESTION);
    }
    await call.heardOut(4);
    expect(call.requests()).toHaveLength(1);
    expect(call.agent.ended("peer").led).toMatchObject({ takeovers: 1, handbacks: 0 });
  });
});

test("a model rejected by the guard three times is no longer queried", async () => {
  const call = setLedCall(() => ({ text: "You have cancer." }), { brief });
  await call.identified();
  for (let i = 0; i < 4; i++) {
    await call.hear(QUESTION);
    await call.heardOut(4);
  }
  expect(call.requests()).toHaveLength(3);
  expect(call.agent.ended("peer").led).toMatchObject({ stopped: 3, takeovers: 0 });
});

const answer: fc.Arbitrary<ScriptedAnswer> = fc.record(
  {
    text: fc.constantFrom(
      "",
      "Say yes if you like mangoes.",
      "All right.",
      "You have cancer.",
      "It is booked.",
      "Shall I? Yes or no?",
      "x".repeat(3_000),
    ),
    calls: fc.array(
      fc.record({
        name: fc.constantFrom("offer_slots", "book_slot", "reschedule", "cancel_appointment", "end_call", "opt_out"),
        arguments: fc.oneof(
          fc.constantFrom("A", "B", "Z").map((label) => ({ label })),
          fc.constant({}),
          fc.constant("garbage"),
        ),
      }),
      { maxLength: 2 },
    ),
    afterMs: fc.constantFrom(0, 500, 2_000, 5_000),
  },
  { requiredKeys: [] },
);
const MODELS_WORDS = ["Say yes if you like mangoes.", "All right.", "One moment, please."];
/** Callees wait or speak over the agent. */
const WAITS_MS = [300, 1_500, 2_500, 5 * SOUND_MS + 100];
const SAYS = ["Is there parking?", "Mangoes.", "Yes.", "No.", "Another time please.", "The second one.", "Hm, why?"];

test("whatever a model says and calls, only offered, read back and confirmed times are booked or cancelled", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(answer, { minLength: 1, maxLength: 4 }),
      fc.array(fc.record({ each: fc.constantFrom(...SAYS), waitMs: fc.constantFrom(...WAITS_MS) }), {
        minLength: 1,
        maxLength: 9,
      }),
      async (answers, says) => {
        const call = setLedCall((_, turn) => answers[turn % answers.length] ?? {}, { brief });
        await call.identified();
        for (const { each, waitMs } of says) {
          const before = call.happened.length;
          const heard = call.heard();
          await call.hear(each);
          await call.clock.advance(waitMs);
          const done = call.happened.slice(before);
          const agreedTo = [
            ...(done.some((what) => what.startsWith("desk: book")) ? ["Shall I book it?"] : []),
            ...(done.includes("desk: confirm") ? ["Will you come?"] : []),
            ...(call.cancelled.splice(0).length > 0 ? ["Shall I cancel"] : []),
          ];
          for (const question of agreedTo) {
            expect(each).toBe("Yes.");
            expect(heard.some((line) => line.startsWith(question))).toBeTrue();
            // The model's words came before our own.
            expect(MODELS_WORDS).not.toContain(heard.at(-1));
          }
        }
        expect(call.heard().join(" ")).not.toMatch(/cancer|It is booked|xxx/);
      },
    ),
    { numRuns: 80 },
  );
}, 180_000);
