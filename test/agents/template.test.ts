import { describe, expect, test } from "bun:test";
import { renderTemplate } from "../../src/agents/template.ts";
import { templateValues } from "../../src/calls/template-values.ts";

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

  test("without a value render empty, and each is told once in order of appearance", () => {
    expect(renderTemplate("{{b}}-{{a}}-{{b}}-{{c}}", { c: null })).toEqual({ text: "---", missing: ["b", "a", "c"] });
  });

  test("are not filled from a value: what a caller sends is no template", () => {
    expect(renderTemplate("{{a}}", { a: "{{b}} $& $1", b: "secret" }).text).toBe("{{b}} $& $1");
  });

  test("do not reach what every object has", () => {
    expect(renderTemplate("{{constructor}}{{__proto__}}{{toString}}", {})).toEqual({
      text: "",
      missing: ["constructor", "__proto__", "toString"],
    });
  });
});

describe("the values of a call", () => {
  test("are its contact, its agent and what the caller sent", () => {
    expect(templateValues({ additionalInfo: { visit: "Monday" }, contactName: "Meera", agentName: "Asha" })).toEqual({
      agent_name: "Asha",
      user_name: "Meera",
      contact_name: "Meera",
      visit: "Monday",
    });
  });

  test("are the caller's own where names meet", () => {
    expect(
      templateValues({ additionalInfo: { user_name: "Dr. Rao" }, contactName: "Meera", agentName: "Asha" })[
        "user_name"
      ],
    ).toBe("Dr. Rao");
  });
});

test("a long run of blanks after two braces costs no time", () => {
  const startedMs = performance.now();
  renderTemplate(`{{${" ".repeat(30_000)}`.repeat(2), {});
  renderTemplate(`{{a${" ".repeat(30_000)}b${" ".repeat(30_000)}`, {});
  expect(performance.now() - startedMs).toBeLessThan(500);
});
