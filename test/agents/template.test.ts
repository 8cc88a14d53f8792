import { describe, expect, test } from "bun:test";
import {
  assertRenderable,
  LONGEST_RENDERED,
  missingPlaceholders,
  MOST_PLACEHOLDERS,
  renderTemplate,
} from "../../src/agents/template.ts";
import { AppError } from "../../src/core/errors.ts";
import { templateValues } from "../../src/calls/call/template-values.ts";
import { cpuMsOf } from "../support/cpu-time.ts";

describe("{{placeholders}}", () => {
  test.each([
    ["Hello {{name}}.", { name: "Meera" }, "Hello Meera."],
    ["{{ name }} and {{name}}", { name: "Meera" }, "Meera and Meera"],
    ["{{count}} visits, {{yes}}", { count: 3, yes: false }, "3 visits, false"],
    ["{{list}} {{object}}", { list: [1, "a"], object: { a: 1 } }, '[1,"a"] {"a":1}'],
    ["{{empty}}|", { empty: "" }, "|"],
    ["{{two words}}", { "two words": "fine" }, "fine"],
    ["{{मुलाक़ात}}", { मुलाक़ात: "कल" }, "कल"],
    ["{name} {{}} {{ }} }}{{", { name: "Meera" }, "{name} {{}} {{ }} }}{{"],
    ["{{{name}}}", { name: "Meera" }, "{Meera}"],
    ["nothing to fill", {}, "nothing to fill"],
  ])("%j", (template, values, text) => {
    expect(renderTemplate(template, values)).toEqual({ text, missing: [] });
  });

  test("without a value render empty, and each is reported once, in order", () => {
    expect(renderTemplate("{{b}}-{{a}}-{{b}}-{{c}}", { c: null })).toEqual({ text: "---", missing: ["b", "a", "c"] });
  });

  test("inside values are not rendered", () => {
    expect(renderTemplate("{{a}}", { a: "{{b}} $& $1", b: "secret" }).text).toBe("{{b}} $& $1");
  });

  test("do not reach properties of every object", () => {
    expect(renderTemplate("{{constructor}}{{__proto__}}{{toString}}", {})).toEqual({
      text: "",
      missing: ["constructor", "__proto__", "toString"],
    });
  });
});

describe("the values of a call", () => {
  test("are its contact, its agent and additional_info", () => {
    expect(templateValues({ additionalInfo: { visit: "Monday" }, contactName: "Meera", agentName: "Asha" })).toEqual({
      agent_name: "Asha",
      user_name: "Meera",
      contact_name: "Meera",
      visit: "Monday",
    });
  });

  test("prefer additional_info when names collide", () => {
    expect(
      templateValues({ additionalInfo: { user_name: "Dr. Rao" }, contactName: "Meera", agentName: "Asha" })[
        "user_name"
      ],
    ).toBe("Dr. Rao");
  });
});

test("a long run of spaces after two braces takes linear time", async () => {
  const costMs = await cpuMsOf(() => {
    missingPlaceholders(`{{${" ".repeat(30_000)}`.repeat(2), {});
    missingPlaceholders(`{{a${" ".repeat(30_000)}b${" ".repeat(30_000)}`, {});
  });
  expect(costMs).toBeLessThan(500);
});

describe("a text that would become too long", () => {
  const LONGEST_PROMPT = 32_000;
  const faultOf = (act: () => unknown): { code: string; field: string | undefined; message: string } => {
    try {
      act();
    } catch (error) {
      if (error instanceof AppError)
        return { code: error.code, field: error.details[0]?.field, message: error.message };
      throw error;
    }
    throw new Error("It was not refused.");
  };

  test("is rejected with its field and limit, and never built: 1.4 GB take less than 50 MB", () => {
    const template = "{{a}}".repeat(6_390);
    const values = { a: "x".repeat(220_000) };
    const heldBytes = process.memoryUsage.rss();
    expect(faultOf(() => renderTemplate(template, values, "prompt"))).toEqual({
      code: "VALIDATION_ERROR",
      field: "prompt",
      message: "prompt would be longer than 50,000 characters once its {{placeholders}} are filled in.",
    });
    expect(process.memoryUsage.rss() - heldBytes).toBeLessThan(50 * 1024 ** 2);
  });

  test("may have exactly the limit", () => {
    const rest = "-".repeat(100);
    const value = "x".repeat(LONGEST_RENDERED - 100);
    expect(renderTemplate(`{{a}}${rest}`, { a: value }).text.length).toBe(LONGEST_RENDERED);
    expect(faultOf(() => renderTemplate(`{{a}}${rest}-`, { a: value })).code).toBe("VALIDATION_ERROR");
    expect(faultOf(() => renderTemplate(`-${rest}{{a}}`, { a: value })).code).toBe("VALIDATION_ERROR");
    expect(faultOf(() => renderTemplate("-".repeat(LONGEST_RENDERED + 1), {})).code).toBe("VALIDATION_ERROR");
  });

  test("does not include the largest additional_info once", () => {
    const template = `{{a}}${"-".repeat(LONGEST_PROMPT - 5)}`;
    expect(renderTemplate(template, { a: "x".repeat(16 * 1024) }).text.length).toBe(LONGEST_PROMPT - 5 + 16 * 1024);
  });

  test("still reports its missing names, in a bounded list", () => {
    const many = Array.from({ length: 5_000 }, (_, i) => `{{n${i}}}`).join("");
    expect(missingPlaceholders(`{{a}}${many}`, { a: "x".repeat(220_000) })).toHaveLength(MOST_PLACEHOLDERS);
    const [name] = missingPlaceholders(`{{${"n".repeat(30_000)}}}`, {});
    expect(name).toBe(`${"n".repeat(64)}…`);
  });

  test("is rejected as an agent's text", () => {
    const many = Array.from({ length: MOST_PLACEHOLDERS }, (_, i) => `{{n${i}}}`).join("");
    expect(() => assertRenderable("prompt", many + many, "Asha")).not.toThrow();
    expect(faultOf(() => assertRenderable("prompt", `${many}{{more}}`, "Asha"))).toMatchObject({
      field: "prompt",
      message: "prompt may name at most 100 different {{placeholders}}.",
    });
    expect(faultOf(() => assertRenderable("greeting", "{{agent_name}}".repeat(600), "A".repeat(100)))).toMatchObject({
      field: "greeting",
    });
  });
});
