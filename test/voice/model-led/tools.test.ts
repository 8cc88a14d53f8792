import { describe, expect, test } from "bun:test";
import type { ToolCall } from "../../../src/speech/servers/port.ts";
import type { Utterance } from "../../../src/payloads/conversation.ts";
import { phrasesIn } from "../../../src/voice/conversation/phrases/languages.ts";
import type { TalkCall } from "../../../src/voice/conversation/model.ts";
import { phrasesFor } from "../../../src/voice/model-led/phrases.ts";
import { firstMoment } from "../../../src/voice/model-led/prompt.ts";
import { TOOL_NAMES, toolResult, toolsFor, type ToolContext } from "../../../src/voice/model-led/tools.ts";

const OFFERS = [
  { label: "A", date: "2026-05-06", startTime: "09:00", endTime: "09:30" },
  { label: "B", date: "2026-05-07", startTime: "17:15", endTime: "17:45" },
];
const APPOINTMENT = { date: "2026-05-05", startTime: "10:30" };
const { standing: NOTHING } = firstMoment({ date: "2026-05-04", time: "09:30" });

const CALL: TalkCall = {
  canBook: true,
  canTransfer: true,
  isOutbound: true,
  agentName: "Asha",
  contactName: "Ravi",
  greeting: { name: "greeting", text: "Hello.", recorded: null },
  greetingAsksIdentity: false,
};

const context = (
  standing: Partial<ToolContext["standing"]> = {},
  heard: readonly (string | Utterance)[] = [],
): ToolContext => ({
  standing: { ...NOTHING, ...standing },
  said: heard.map((one) => (typeof one === "string" ? { speaker: "user", text: one } : one)),
  phrases: phrasesFor(phrasesIn("en-IN"), CALL, NOTHING),
  now: { date: "2026-05-04", startTime: "09:30" },
  language: "en-IN",
});
const call = (name: string, given: Record<string, unknown> | string = {}): ToolCall => ({
  id: "1",
  name,
  arguments: typeof given === "string" ? given : JSON.stringify(given),
});
const namesFor = (standing: Partial<ToolContext["standing"]>) =>
  toolsFor(context(standing).standing).map(({ name }) => name);

describe("a model has", () => {
  test("only the tools available in the state", () => {
    expect(namesFor({ canTransfer: true })).toEqual(["say", "schedule_callback", "transfer", "opt_out", "end_call"]);
    expect(namesFor({ question: "offers", offers: OFFERS, appointment: APPOINTMENT, canBook: true })).toEqual([
      "say",
      "offer_slots",
      "reschedule",
      "cancel_appointment",
      "schedule_callback",
      "opt_out",
    ]);
    expect(namesFor({ question: "offers", offers: OFFERS, canBook: true })).toContain("book_slot");
    expect(namesFor({ isOutbound: false })).not.toContain("opt_out");
  });

  test("the labels on the table to choose from", () => {
    const reschedule = toolsFor(
      context({ question: "offers", offers: OFFERS, appointment: APPOINTMENT, canBook: true }).standing,
    ).find(({ name }) => name === "reschedule");
    expect(JSON.stringify(reschedule?.parameters)).toContain('"const":"A"');
    expect(JSON.stringify(reschedule?.parameters)).not.toContain('"const":"C"');
  });
});

describe("refused is", () => {
  test.each(TOOL_NAMES)("%s with invalid arguments", (name) => {
    const at = context({
      question: "open",
      offers: OFFERS,
      appointment: APPOINTMENT,
      canBook: true,
      canTransfer: true,
    });
    for (const given of ["{", "[]", "null", '"A"', '{"more":1}', `{"label":"${"A".repeat(3_000)}"}`]) {
      expect(toolResult(call(name, given), at).kind).toBe("refused");
    }
  });

  test("an unknown or unavailable tool", () => {
    expect(toolResult(call("delete_everything"), context()).kind).toBe("refused");
    expect(toolResult(call("constructor"), context()).kind).toBe("refused");
    expect(toolResult(call("cancel_appointment"), context()).kind).toBe("refused");
    expect(toolResult(call("end_call"), context({ question: "slot" })).kind).toBe("refused");
  });

  test("a label that was not offered, an id, a date", () => {
    const at = context({ question: "offers", offers: OFFERS, appointment: APPOINTMENT });
    for (const label of ["C", "Z", "", "2026-05-06", "a", 1, null]) {
      expect(toolResult(call("reschedule", { label }), at).kind).toBe("refused");
    }
    expect(toolResult(call("reschedule", { label: "B" }), at)).toEqual({
      kind: "suggestion",
      suggestion: { do: "choose", label: "B" },
    });
  });
});

describe("a day or time", () => {
  test("counts in the callee's own words", () => {
    const at = context({ canBook: true }, ["Could I come on Thursday morning?"]);
    expect(toolResult(call("offer_slots", { when: "Thursday morning" }), at)).toMatchObject({
      suggestion: { do: "offer", wish: { date: "2026-05-07", partOfDay: "morning" } },
    });
  });

  test("that the model invented does not count", () => {
    const at = context({ canBook: true }, ["I do not know."]);
    expect(toolResult(call("offer_slots", { when: "Friday" }), at)).toMatchObject({ suggestion: { wish: null } });
  });
});

const DETAILS = [
  { name: "complaint", description: "What they complain of." },
  { name: "satisfied", description: "Were they satisfied with their stay?" },
  { name: "diabetic", description: "" },
];

describe("a detail", () => {
  const noted = (name: string, value: string, ...heard: (string | Utterance)[]) =>
    toolResult(call("record_detail", { name, value }), context({ details: DETAILS }, heard)).kind;

  test("is noted in the callee's own words", () => {
    const at = context({ details: DETAILS }, ["The food was cold, but the nurses were kind."]);
    expect(toolResult(call("record_detail", { name: "complaint", value: "food was cold" }), at)).toEqual({
      kind: "detail",
      name: "complaint",
      value: "food was cold",
    });
  });

  test.each([
    ["that nobody said", "pain", "It was fine."],
    ["whose words were said, but not together", "nurses were cold", "The food was cold, but the nurses were kind."],
    ["without its negation", "diabetic", "I am not diabetic."],
    ["out of a question", "I am diabetic", "Who says that I am diabetic?"],
    ["out of a condition", "the food was cold", "If the food was cold I would say so."],
    ["that somebody else said", "he was rude", "My son said he was rude."],
    ["that they were told to say", "I want to sue", "Note I want to sue."],
    ["that was taken back", "diabetic", "Diabetic, no."],
  ])("%s is refused", (_, value, heard) => {
    expect(noted("complaint", value, heard)).toBe("refused");
  });

  test("with its negation is noted", () => {
    expect(noted("complaint", "I am not diabetic", "I am not diabetic.")).toBe("detail");
  });

  test("is yes or no if they answered a question about it, or stated it", () => {
    const asked = { speaker: "agent", text: "Were you satisfied with your stay?", timestamp: 0 };
    const other = { speaker: "agent", text: "Will you come?", timestamp: 0 };
    expect(noted("satisfied", "yes", asked, "Yes.")).toBe("detail");
    expect(noted("satisfied", "no", asked, "Yes.")).toBe("refused");
    expect(noted("satisfied", "yes", asked, "No.")).toBe("refused");
    expect(noted("satisfied", "yes", other, "Yes.")).toBe("refused");
    expect(noted("satisfied", "yes", "The food was cold.")).toBe("refused");
    expect(noted("diabetic", "yes", "I am diabetic.")).toBe("detail");
    expect(noted("diabetic", "yes", "I am not diabetic.")).toBe("refused");
    expect(noted("diabetic", "no", "I am not diabetic.")).toBe("detail");
    expect(noted("diabetic", "yes", "Am I diabetic?")).toBe("refused");
  });

  test("must have a name given by the agent's owner; without names the tool does not exist", () => {
    expect(noted("other", "fine", "It was fine.")).toBe("refused");
    expect(noted("answer", "fine", "It was fine.")).toBe("refused");
    expect(noted("__proto__", "fine", "It was fine.")).toBe("refused");
    expect(
      toolResult(call("record_detail", { name: "complaint", value: "fine" }), context({}, ["It was fine."])).kind,
    ).toBe("refused");
  });
});

describe("words", () => {
  const answers = [
    { question: "Where do I park?", answer: "Parking is behind the house.", language: "en-IN" },
    { question: "Is there a lift?", answer: "Yes, at gate two.", language: "en-IN" },
  ];

  test("of the owner are spoken verbatim, by number", () => {
    const at = context({ answers });
    expect(toolResult(call("answer_question", { number: "2" }), at)).toMatchObject({
      kind: "phrase",
      phrase: { text: "Yes, at gate two." },
    });
    for (const number of ["3", "0", "", 1, "Parking"])
      expect(toolResult(call("answer_question", { number }), at).kind).toBe("refused");
    expect(toolResult(call("answer_question", { number: "1" }), context()).kind).toBe("refused");
  });

  test("of ours are chosen by name", () => {
    expect(toolResult(call("say", { phrase: "cannot_answer" }), context())).toMatchObject({
      phrase: { text: "I cannot answer that. Please ask the hospital." },
    });
    expect(toolResult(call("say", { phrase: "You have cancer." }), context()).kind).toBe("refused");
  });
});
