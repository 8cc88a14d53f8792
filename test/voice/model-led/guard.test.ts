// What may be said: the checks must not stop what a hospital wants to have said.
import { describe, expect, test } from "bun:test";
import { createClauseStream } from "../../../src/voice/model-led/clause-stream.ts";
import { guarded, type Known } from "../../../src/voice/model-led/guard.ts";

const KNOWN: Known = {
  isContact: true,
  ownText:
    "Remind {{user_name}} of the visit to {{doctor}}. Parking is behind the house, entry by gate 4. They fast for 8 hours, drink water, and stop blood thinners two days before. We are open from 9 am to 5 pm on weekdays. The check costs 300 rupees.",
  facts: {
    doctor: "Dr Rao",
    dose: "5 mg",
    medicine: "Metformin",
    reason: "diabetes check",
    visit_time: "10:30",
    note: "Take 900 mg now",
  },
  names: ["Ravi"],
  appointment: { date: "2026-05-05", startTime: "10:30" },
  offers: [{ label: "A", date: "2026-05-06", startTime: "09:00", endTime: "09:30" }],
  today: "2026-05-04",
  language: "en-IN",
};
const said = (written: string, known: Partial<Known> = {}) => {
  const result = guarded(written, { ...KNOWN, ...known });
  return "stop" in result ? `stopped: ${result.stop}` : result.text;
};

describe("may be said:", () => {
  test.each([
    "Of course, let me see.",
    "Thank you for telling me.",
    "I am sorry to hear that, and I hope that you feel better soon.",
    "Yes, you can park behind the house.",
    "Please come in by gate 4.",
    "Please fast for 8 hours, but you may drink water.",
    "Remember to stop blood thinners two days before.",
    "We are open from 9 am to 5 pm.",
    "The check costs 300 rupees.",
    "It is about your diabetes check.",
    "You will see Dr Rao.",
    "How are you feeling today?",
    "May I ask how you come here?",
    "I am an automatic caller of the hospital.",
    "A doctor will look at that with you.",
    "One moment, please.",
    "Did the nurses explain everything to you?",
    "On a scale, how was your stay?",
    "Aap kaise hain?",
    "Theek hai, dhanyavad.",
    "Parking ghar ke peeche hai.",
    "आप कैसे हैं?",
    "ठीक है, धन्यवाद।",
  ])("%s", (line) => {
    expect(said(line)).toBe(line);
  });

  test("what stands in a field, by its placeholder", () => {
    expect(said("Your visit is on {{appointment}}.")).toBe(
      "Your visit is on Tuesday, the fifth of May, at ten thirty in the morning.",
    );
    expect(said("There is {{ A }} as well.")).toContain("the sixth of May");
    expect(said("You take {{dose}} of {{medicine}}.")).toBe("You take 5 mg of Metformin.");
    expect(said("Good morning, {{user_name}}.")).toBe("Good morning, Ravi.");
  });

  test("a date in the language of the call", () => {
    expect(said("आपकी मुलाकात {{appointment}} है।", { language: "hi-IN" })).toContain("पाँच मई");
  });

  test("the date of the appointment as our own template has it", () => {
    const line = "I said Tuesday, the fifth of May, at ten thirty in the morning.";
    expect(said(line)).toBe(line);
  });
});

describe("may not be said:", () => {
  test("a dose out of a note, a placeholder that there is not, a fact that is a text", () => {
    expect(said("Take 900 mg now.")).toBe("stopped: dose");
    expect(said("It is {{nothing}}.")).toBe("stopped: placeholder");
    expect(said("{{note}}", { facts: { note: "word ".repeat(40) } })).toBe("stopped: placeholder");
  });

  test("anything before it is known who speaks", () => {
    expect(said("Hello.", { isContact: false })).toBe("stopped: identity");
  });

  test("what is hidden in other letters", () => {
    expect(said("Take ９００ ｍｇ.")).toStartWith("stopped");
    expect(said("Go to ｅｖｉｌ.ｃｏｍ.")).toStartWith("stopped");
    expect(said("९०० गोली")).toStartWith("stopped");
  });
});

test("a danda ends a sentence, wherever the pieces are cut", () => {
  const stream = createClauseStream();
  const clauses = ["जी हाँ, पार्किंग घर के पीछे है। आप वहाँ गा", "ड़ी रख सकते हैं। धन्य"].flatMap((piece) => stream.add(piece));
  expect(clauses.at(-1)).toBe("आप वहाँ गाड़ी रख सकते हैं।");
  expect(stream.end()).toEqual(["धन्य"]);
});

test("text in pieces of any size comes out in the same clauses", () => {
  const text = "Yes, of course there is. You can park behind the house, by Dr. Rao's gate. Is that all right? Good.";
  const clausesBy = (size: number) => {
    const stream = createClauseStream();
    const clauses: string[] = [];
    for (let at = 0; at < text.length; at += size) clauses.push(...stream.add(text.slice(at, at + size)));
    return [...clauses, ...stream.end()];
  };
  for (const size of [1, 2, 3, 7, 20, 1_000]) {
    const clauses = clausesBy(size);
    expect(clauses.join(" ")).toBe(text);
    expect(clauses.length).toBeGreaterThanOrEqual(3);
    expect(clauses.some((clause) => clause.endsWith("Dr."))).toBeFalse();
  }
});
