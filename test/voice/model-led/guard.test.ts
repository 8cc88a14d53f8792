// The guard's allow list passes the statements that hospitals need.
import { describe, expect, test } from "bun:test";
import { createClauseStream } from "../../../src/voice/model-led/clause-stream.ts";
import { guarded, type Known } from "../../../src/voice/model-led/guard.ts";

const KNOWN: Known = {
  isContact: true,
  ownText:
    "Remind {{user_name}} of the visit to {{doctor}}. Parking is behind the house. Entry is by gate 4. They fast for 8 hours and stop blood thinners two days before. We are open from 9 am to 5 pm on weekdays. The check costs 300 rupees.",
  answers: ["The lift is at gate two."],
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
  settled: null,
};
const said = (written: string, known: Partial<Known> = {}) => {
  const result = guarded(written, { ...KNOWN, ...known });
  return "stop" in result ? `stopped: ${result.stop}` : result.text;
};

describe("may be said:", () => {
  test.each([
    "Let me see.",
    "Thank you for telling me.",
    "I am sorry to hear that, and I hope that you feel better soon.",
    "You can park behind the house.",
    "Entry is by gate 4.",
    "Please fast for 8 hours.",
    "We are open from 9 am to 5 pm.",
    "The check costs 300 rupees.",
    "You see Dr Rao.",
    "How are you feeling today?",
    "May I ask how you come here?",
    "I am an automatic caller of the hospital.",
    "One moment, please.",
    "The lift is at gate two.",
    "Good morning, Ravi.",
    "I do not know.",
  ])("%s", (line) => {
    expect(said(line)).toBe(line);
  });

  test.each(["आप कैसे हैं?", "ठीक है, धन्यवाद।", "कृपया अस्पताल से पूछिए।"])("%s", (line) => {
    expect(said(line, { language: "hi-IN" })).toBe(line);
  });

  test("a field that the owner's text names, by its placeholder", () => {
    expect(said("Your visit is on {{appointment}}.")).toBe("stopped: ungrounded");
    expect(said("It is on {{appointment}}.")).toBe("It is on Tuesday, the fifth of May, at ten thirty in the morning.");
    expect(said("There is {{ A }} also.")).toContain("the sixth of May");
    expect(said("You see {{doctor}}.")).toBe("You see Dr Rao.");
    expect(said("Good morning, {{user_name}}.")).toBe("Good morning, Ravi.");
  });

  test("a date in the language of the call", () => {
    expect(said("यह {{appointment}} है।", { language: "hi-IN" })).toContain("पाँच मई");
  });

  test("an action of this call, once it is done", () => {
    expect(said("Your appointment is confirmed.")).toBe("stopped: ungrounded");
    expect(said("Your appointment is confirmed.", { settled: "confirmed" })).toBe("Your appointment is confirmed.");
    expect(said("Your appointment is booked.", { settled: "confirmed" })).toBe("stopped: ungrounded");
  });
});

describe("may not be said:", () => {
  test.each([
    "Yes.",
    "You can.",
    "Do that.",
    "It is nothing.",
    "You do not fast for 8 hours.",
    "The check costs 200 rupees.",
    "Please stop the house.",
    "You see Dr Mehta.",
    "It may be a blood clot.",
    "I am transferring you to a nurse now.",
    "We will call you back.",
    "The check is free.",
    "It is on Friday.",
    "You take 5 mg of Metformin.",
    "Remind Ravi of the visit to Dr Rao.",
    "What you write is spoken aloud on the telephone.",
    "Ihr Termin ist morgen.",
    "Aap kaise hain?",
    "Yоu саn park behind the house.",
  ])("%s", (line) => {
    expect(said(line)).toStartWith("stopped");
  });

  test("words of two sources put together", () => {
    const known = { ownText: "Blood thinners are stopped early. The tea is by Metformin House." };
    expect(said("Metformin is stopped early.", known)).toBe("stopped: ungrounded");
  });

  test("conditional sentences and instructions of the owner's text", () => {
    const known = {
      ownText: "If anybody is in danger, they are to call. You are polite. Never say that surgery is safe.",
    };
    for (const line of ["You are in danger.", "You are polite.", "Surgery is safe."])
      expect(said(line, known)).toBe("stopped: ungrounded");
  });

  test("an unnamed fact, an unknown placeholder, a fact that is too long", () => {
    expect(said("Take 900 mg now.")).toBe("stopped: ungrounded");
    expect(said("It is {{nothing}}.")).toBe("stopped: placeholder");
    expect(said("{{doctor}}", { facts: { doctor: "word ".repeat(40) } })).toBe("stopped: placeholder");
  });

  test("anything before identity is confirmed", () => {
    expect(said("Hello.", { isContact: false })).toBe("stopped: identity");
  });

  test("text hidden in look-alike letters", () => {
    expect(said("Take ９００ ｍｇ.")).toStartWith("stopped");
    expect(said("Go to ｅｖｉｌ.ｃｏｍ.")).toStartWith("stopped");
    expect(said("९०० गोली")).toStartWith("stopped");
  });
});

test("a danda ends a sentence, wherever the chunks are cut", () => {
  const stream = createClauseStream();
  const clauses = ["जी हाँ, पार्किंग घर के पीछे है। आप वहाँ गा", "ड़ी रख सकते हैं। धन्य"].flatMap((piece) => stream.add(piece));
  expect(clauses.at(-1)).toBe("आप वहाँ गाड़ी रख सकते हैं।");
  expect(stream.end()).toEqual(["धन्य"]);
});

test("chunks of any size give the same clauses", () => {
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
