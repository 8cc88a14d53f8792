// Validation of analysis fields.
import { describe, expect, test } from "bun:test";
import { checkedAnalysisFields, MOST_FIELDS } from "../../src/agents/analysis-fields.ts";
import type { AnalysisField } from "../../src/payloads/analysis-field.ts";

const field = (change: Partial<AnalysisField> = {}): AnalysisField => ({
  name: "pain_score",
  description: "From 0 to 10.",
  type: "number",
  choices: [],
  ...change,
});

describe("a field", () => {
  test("is returned as given, trimmed", () => {
    const given = field({ name: " mood ", type: "choice", choices: [" good", "bad "], description: " How? " });
    expect(checkedAnalysisFields([given])).toEqual([
      { name: "mood", type: "choice", choices: ["good", "bad"], description: "How?" },
    ]);
  });

  test("has choices only if its type is a list", () => {
    expect(checkedAnalysisFields([field({ choices: ["a", "b"] })])[0]?.choices).toEqual([]);
  });

  test.each<[string, AnalysisField[]]>([
    ["no name", [field({ name: "" })]],
    ["a name with blanks", [field({ name: "pain score" })]],
    ["a name of another language's letters", [field({ name: "दर्द" })]],
    ["a name that every object has", [field({ name: "__proto__" })]],
    ["a name that every object has", [field({ name: "constructor" })]],
    ["a name that the rules fill in", [field({ name: "appointment_date" })]],
    ["the same name twice", [field(), field()]],
    ["an unknown type", [field({ type: "money" as "text" })]],
    ["a single choice", [field({ type: "choice", choices: ["yes"] })]],
    ["an empty choice", [field({ type: "choice", choices: ["yes", " "] })]],
    ["the same choice twice", [field({ type: "choice", choices: ["yes", "yes "] })]],
    ["too many", Array.from({ length: MOST_FIELDS + 1 }, (_, i) => field({ name: `f${i}` }))],
  ])("with %s is refused", (_, fields) => {
    expect(() => checkedAnalysisFields(fields)).toThrow("analysis_fields");
  });
});
