// Completing placeholders while they are typed.
import { describe, expect, test } from "bun:test";
import { formFrom, typedFor } from "../../src/web/pages/agents/agent-form.ts";
import { knownPlaceholders } from "../../src/web/pages/agents/known-placeholders.ts";
import { completed, openPlaceholder, suggestionsFor } from "../../src/web/pages/agents/placeholder-completion.ts";

/** The caret stands where the | is. */
const at = (marked: string) => ({ text: marked.replace("|", ""), caret: marked.indexOf("|") });

describe("a placeholder is being typed", () => {
  test.each<[string, string | null]>([
    ["Hello {{|", ""],
    ["Hello {{us|", "us"],
    ["Hello {{ us|", "us"],
    ["Hello {{us|er}}", "us"],
    ["Hello {{user_name}}|", null],
    ["Hello {us|", null],
    ["Hello {{us\n|", null],
    ["{{a}} and {{b|", "b"],
    ["|{{a}}", null],
    [`{{${"x".repeat(100)}|`, null],
  ])("%j", (marked, typed) => {
    const { text, caret } = at(marked);
    expect(openPlaceholder(text, caret)?.typed ?? null).toBe(typed);
  });

  test.each<[string, string]>([
    ["Hello {{us|.", "Hello {{user_name}}|."],
    ["Hello {{ us|", "Hello {{user_name}}|"],
    ["{{us|}} there", "{{user_name}}| there"],
    ["{{us|er_na}} there", "{{user_name}}| there"],
    ["{{us| {{b}}", "{{user_name}}| {{b}}"],
  ])("%j becomes %j", (before, after) => {
    const { text, caret } = at(before);
    const open = openPlaceholder(text, caret)!;
    const done = completed(text, open, caret, "user_name");
    expect(`${done.text.slice(0, done.caret)}|${done.text.slice(done.caret)}`).toBe(after);
  });
});

describe("what fits", () => {
  const known = knownPlaceholders({ greeting: "{{visit}}", prompt: "{{doctor}} {{visit}}" }, [
    { needs: [{ name: "doctor", meaning: "whom they see" }] },
    { needs: [{ name: "what_to_bring", meaning: "papers" }] },
  ]);
  const names = (typed: string) => suggestionsFor(typed, known).map(({ name }) => name);

  test("is what every call knows, what is in use, and what the library needs, each once", () => {
    expect(names("")).toEqual([
      "user_name",
      "contact_name",
      "agent_name",
      "hospital",
      "branch",
      "callback_number",
      "visit",
      "doctor",
    ]);
    expect(known.find(({ name }) => name === "doctor")?.meaning).toBe("whom they see");
  });

  test("begins with what was typed, or has a word that does", () => {
    expect(names("NAME")).toEqual(["user_name", "contact_name", "agent_name"]);
    expect(names("b")).toEqual(["branch", "what_to_bring"]);
    expect(names("constructor")).toEqual([]);
  });
});

test("nothing was typed for a name that every object has", () => {
  expect(["constructor", "toString", "__proto__"].map((name) => typedFor({ visit: "Monday" }, name))).toEqual([
    "",
    "",
    "",
  ]);
  expect(typedFor({ visit: "Monday" }, "visit")).toBe("Monday");
});

test("a starting point fills what it says, and leaves the rest as it is for a new agent", () => {
  const form = formFrom({ name: "Asha", retry_attempts: 2 });
  expect([form.name, form.retryAttempts, form.type, form.hasHours]).toEqual(["Asha", "2", "outbound", true]);
});
