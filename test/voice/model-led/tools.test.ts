import { describe, expect, test } from "bun:test";
import type { ToolCall } from "../../../src/speech/servers/port.ts";
import { firstMoment } from "../../../src/voice/model-led/prompt.ts";
import { TOOL_NAMES, toolResult, toolsFor, type ToolContext } from "../../../src/voice/model-led/tools.ts";

const OFFERS = [
  { label: "A", date: "2026-05-06", startTime: "09:00", endTime: "09:30" },
  { label: "B", date: "2026-05-07", startTime: "17:15", endTime: "17:45" },
];
const APPOINTMENT = { date: "2026-05-05", startTime: "10:30" };
const { standing: NOTHING } = firstMoment({ date: "2026-05-04", time: "09:30" });

const context = (standing: Partial<ToolContext["standing"]> = {}, heard: readonly string[] = []): ToolContext => ({
  standing: { ...NOTHING, ...standing },
  heard,
  now: { date: "2026-05-04", startTime: "09:30" },
  language: "en-IN",
  detailNames: null,
});
const call = (name: string, given: Record<string, unknown> | string = {}): ToolCall => ({
  id: "1",
  name,
  arguments: typeof given === "string" ? given : JSON.stringify(given),
});
const namesFor = (standing: Partial<ToolContext["standing"]>) =>
  toolsFor(context(standing).standing).map(({ name }) => name);

describe("a model has", () => {
  test("the tools that make sense now, and no others", () => {
    expect(namesFor({ canTransfer: true })).toEqual([
      "schedule_callback",
      "transfer",
      "record_detail",
      "opt_out",
      "end_call",
    ]);
    expect(namesFor({ question: "offers", offers: OFFERS, appointment: APPOINTMENT, canBook: true })).toEqual([
      "offer_slots",
      "reschedule",
      "cancel_appointment",
      "schedule_callback",
      "record_detail",
      "opt_out",
    ]);
    expect(namesFor({ question: "offers", offers: OFFERS, canBook: true })).toContain("book_slot");
    expect(namesFor({ isOutbound: false })).not.toContain("opt_out");
  });

  test("the labels on the table to choose from", () => {
    const [, reschedule] = toolsFor(
      context({ question: "offers", offers: OFFERS, appointment: APPOINTMENT, canBook: true }).standing,
    );
    expect(JSON.stringify(reschedule?.parameters)).toContain('"const":"A"');
    expect(JSON.stringify(reschedule?.parameters)).not.toContain('"const":"C"');
  });
});

describe("refused is", () => {
  test.each(TOOL_NAMES)("%s with arguments that are none", (name) => {
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

  test("a tool that there is not, or not now", () => {
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

  test("that the model made up is none", () => {
    const at = context({ canBook: true }, ["I do not know."]);
    expect(toolResult(call("offer_slots", { when: "Friday" }), at)).toMatchObject({ suggestion: { wish: null } });
  });
});

describe("a detail", () => {
  test("is noted in the callee's own words", () => {
    const at = context({}, ["The food was cold, but the nurses were kind."]);
    expect(toolResult(call("record_detail", { name: "complaint", value: "food was cold" }), at)).toEqual({
      kind: "detail",
      name: "complaint",
      value: "food was cold",
    });
    expect(toolResult(call("record_detail", { name: "satisfied", value: "yes" }), at).kind).toBe("detail");
  });

  test("that nobody said is refused, and one that the agent reports itself", () => {
    const at = context({}, ["It was fine."]);
    expect(toolResult(call("record_detail", { name: "complaint", value: "pain" }), at).kind).toBe("refused");
    expect(toolResult(call("record_detail", { name: "answer", value: "fine" }), at).kind).toBe("refused");
    expect(toolResult(call("record_detail", { name: "appointment_date", value: "fine" }), at).kind).toBe("refused");
    expect(toolResult(call("record_detail", { name: "__proto__", value: "fine" }), at).kind).toBe("refused");
  });

  test("has one of the names that the agent's owner gave, where they gave some", () => {
    const at = { ...context({}, ["It was fine."]), detailNames: ["mood"] };
    expect(toolResult(call("record_detail", { name: "mood", value: "fine" }), at).kind).toBe("detail");
    expect(toolResult(call("record_detail", { name: "other", value: "fine" }), at).kind).toBe("refused");
  });
});
