// Preview of a language model's prompt: the same text and limits as on a call.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { PromptPreviewed } from "../../src/dashboard/prompt-preview.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";

let hospital: Hospital;
let viewer: Visitor;
beforeAll(async () => {
  hospital = await createHospital();
  viewer = await signedIn(hospital.app, hospital.organisationId, "viewer");
});
afterAll(() => hospital.close());

const AGENT = {
  type: "outbound",
  name: "Asha",
  language: "en-IN",
  prompt: "Confirm {{visit}} with {{user_name}}. {{constructor}}",
  greeting: "Hello {{user_name}}, here is {{agent_name}}.",
  branch_id: null,
  transfer_to: null,
};
const preview = (change: Partial<typeof AGENT>, values: Record<string, unknown>) =>
  viewer.ask("POST", "/dashboard/api/agents/preview/model", { agent: { ...AGENT, ...change }, values });

test("instructions are the hospital's, values are data, and the greeting is already spoken", async () => {
  const { json } = await preview({}, { user_name: "Meera", visit: "the check-up" });
  const { messages, tools } = json as unknown as PromptPreviewed;
  const [system, data, greeting] = messages;
  expect([system?.role, data?.role]).toEqual(["system", "user"]);
  expect(system?.content).toContain("Confirm {{visit}} with {{user_name}}.");
  expect(system?.content).not.toContain("check-up");
  expect(data?.content).toContain('"callee":"Meera"');
  expect(data?.content).toContain('"facts":{"visit":"the check-up"}');
  expect(greeting).toEqual({ role: "assistant", content: "Hello Meera, here is Asha." });
  const names = tools.map(({ name }) => name);
  const say = tools.find(({ name }) => name === "say");
  expect(Object.keys(say?.parameters["properties"] ?? {})).toEqual(["phrase"]);
  // No fields to extract, and no approved answers.
  expect([names.includes("record_detail"), names.includes("answer_question")]).toEqual([false, false]);
  // No transfer target, and nothing to book.
  expect([names.includes("end_call"), names.includes("transfer"), names.includes("book_slot")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("fields to extract on the call are part of the instructions", async () => {
  const analysis_fields = [{ name: "pain_score", description: "How bad is it?", type: "number", choices: [] }];
  const { json } = await preview({ analysis_fields } as Partial<typeof AGENT>, {});
  expect((json as unknown as PromptPreviewed).messages[0]?.content).toContain("- pain_score: How bad is it?");
});

test("a text that would be too long is rejected, as at the creation of a call", async () => {
  const answer = await preview({ prompt: "{{long}}".repeat(1_000) }, { long: "x".repeat(1_000) });
  expect([answer.status, answer.json.error.details?.[0]?.field]).toEqual([400, "prompt"]);
});
