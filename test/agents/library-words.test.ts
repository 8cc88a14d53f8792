// The words of every starting point and phrase around a placeholder read naturally, whichever values are known.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { libraryIn, LIBRARY_LANGUAGES } from "../../src/agents/library/library.ts";
import { renderTemplate } from "../../src/agents/template.ts";
import { noticedGreeting } from "../../src/voice/conversation/greeting-notices.ts";

const VALUES = {
  agent_name: "Asha",
  user_name: "Meera Rao",
  contact_name: "Meera Rao",
  hospital: "City Hospital",
  branch: "Lake branch",
  callback_number: "+912212345678",
  doctor: "Dr. Mehta",
  visit: "your scan",
};
const NAMES = Object.keys(VALUES) as (keyof typeof VALUES)[];

/** Every subset of the values, each also as an empty text: known names of an organisation are never missing. */
const known = fc.subarray(NAMES).map((names) => Object.fromEntries(names.map((name) => [name, VALUES[name]])));

const DANGLING = /\{|\}| {2}|\(\s*\)|[\s(][,.;:!?।]|[,;:]\s*[,.;:!?।]|^\s*[,.;:!?।]|\bof [.,]|[.!?।]\s+\p{Ll}/u;

const points = LIBRARY_LANGUAGES.flatMap((language) =>
  libraryIn(language).map((point) => [language, point.id, point] as const),
);

describe.each(points)("%s: %s", (_language, _id, { agent }) => {
  const greeting = agent.greeting ?? "";

  test("greets in whole sentences with any of the values that a call may miss", () => {
    fc.assert(
      fc.property(known, (values) => {
        const always = { agent_name: VALUES.agent_name, hospital: VALUES.hospital };
        expect(renderTemplate(greeting, { ...values, ...always }, "greeting").text).not.toMatch(DANGLING);
      }),
    );
  });

  test("says in its first sentence who calls and that the voice is automatic", () => {
    const { text } = renderTemplate(greeting, { agent_name: "Asha", hospital: "City Hospital" }, "greeting");
    expect(noticedGreeting(text, "City Hospital", null)?.head).toContain("City Hospital");
  });

  test("leaves no braces and no double spaces in the prompt", () => {
    fc.assert(
      fc.property(known, (values) => {
        expect(renderTemplate(agent.prompt ?? "", values, "prompt").text).not.toMatch(/\{\{|\}\}| {2}| [,.;?!।]/);
      }),
    );
  });
});

test("the same starting points, values and fields exist in every language", () => {
  const shape = (language: (typeof LIBRARY_LANGUAGES)[number]) =>
    libraryIn(language).map(({ id, needs, agent }) => ({
      id,
      needs: needs.map(({ name }) => name),
      hours: agent.calling_hours,
      retry: [agent.retry_attempts, agent.retry_minutes, agent.retry_outcomes],
      fields: agent.analysis_fields?.map(({ name, type, choices }) => [name, type, choices.length]),
    }));
  expect(shape("hi")).toEqual(shape("en"));
});

test.each([
  ["Hello, {{user_name}}, this is Asha.", "Hello, this is Asha."],
  ["Hello {{user_name}}, this is Asha.", "Hello, this is Asha."],
  ["{{user_name}}, this is Asha.", "This is Asha."],
  ["Good morning. {{user_name}}, this is Asha.", "Good morning. This is Asha."],
  ["This is {{hospital}}, {{branch}}. Good morning.", "This is. Good morning."],
  ["Asha of {{hospital}}, {{branch}}, {{doctor}} calls.", "Asha of, calls."],
  ["Is that you, {{user_name}}?", "Is that you?"],
  ["Our branch ({{branch}}) calls.", "Our branch calls."],
  ["नमस्ते {{user_name}} जी, मैं आशा हूँ।", "नमस्ते जी, मैं आशा हूँ।"],
  ["क्या यह {{user_name}}, हैं?\n{{visit}}, कल।", "क्या यह, हैं?\nकल।"],
])("without values, %j becomes %j", (template, text) => {
  expect(renderTemplate(template, {}).text).toBe(text);
});

test("gaps never double a space or a mark, wherever they are", () => {
  const piece = fc.constantFrom("Hello", "you", ",", ".", "?", " ", "।", "{{user_name}}", "{{branch}}", ";", "(", ")");
  const template = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  const marks = /[,;]\s*[,;.?।]| [,.;?।]/;
  fc.assert(
    fc.property(template, (text) => {
      const filled = renderTemplate(text, { user_name: "Meera", branch: "Lake" }).text;
      fc.pre(!marks.test(filled) && !/ {2}/.test(filled));
      const { text: gapped } = renderTemplate(text, {});
      expect(gapped).not.toMatch(/ {2}|\{\{/);
      expect(gapped).not.toMatch(marks);
    }),
    { numRuns: 3_000 },
  );
});
