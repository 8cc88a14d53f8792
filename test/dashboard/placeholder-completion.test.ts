// Completion of placeholders while typing.
import { describe, expect, test } from "bun:test";
import { formFrom, typedFor } from "../../src/web/pages/agents/agent-form.ts";
import { knownPlaceholders } from "../../src/web/pages/agents/known-placeholders.ts";
import { completed, openPlaceholder, suggestionsFor } from "../../src/web/pages/agents/placeholder-completion.ts";

/** The caret is at the |. */
const at = (marked: string) => ({ text: marked.replace("|", ""), caret: marked.indexOf("|") });

describe("a placeholder being typed is", () => {
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

describe("suggestions", () => {
  const known = knownPlaceholders({ greeting: "{{visit}}", prompt: "{{doctor}} {{visit}}" }, [
    { needs: [{ name: "doctor", meaning: "whom they see" }] },
    { needs: [{ name: "what_to_bring", meaning: "papers" }] },
  ]);
  const names = (typed: string) => suggestionsFor(typed, known).map(({ name }) => name);

  test("are built-in, used and library placeholders, each once", () => {
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

  test("start with the typed text, or have a word that does", () => {
    expect(names("NAME")).toEqual(["user_name", "contact_name", "agent_name"]);
    expect(names("b")).toEqual(["branch", "what_to_bring"]);
    expect(names("constructor")).toEqual([]);
  });
});

test("a name of an object property counts as untyped", () => {
  expect(["constructor", "toString", "__proto__"].map((name) => typedFor({ visit: "Monday" }, name))).toEqual([
    "",
    "",
    "",
  ]);
  expect(typedFor({ visit: "Monday" }, "visit")).toBe("Monday");
});

test("a template fills its own fields, and leaves the rest at the defaults of a new agent", () => {
  const form = formFrom({ name: "Asha", retry_attempts: 2 });
  expect([form.name, form.retryAttempts, form.type, form.hasHours]).toEqual(["Asha", "2", "outbound", true]);
});
