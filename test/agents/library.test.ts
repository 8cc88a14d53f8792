// The starting points are valid agents.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LIBRARY, startingPoint } from "../../src/agents/library/library.ts";
import { PLACEHOLDER } from "../../src/agents/template.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { DryRun } from "../../src/calls/model.ts";
import { CONTACT_NUMBER, createHospital, type Hospital } from "../support/hospital.ts";

let hospital: Hospital;
beforeAll(async () => {
  hospital = await createHospital();
});
afterAll(() => hospital.close());

let numbers = 0;
const nextNumber = () => `+1555555${2_000 + numbers++}`;

const placeholders = (text = "") => new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name));

test("covers each common kind of call", () => {
  expect(LIBRARY.map(({ id }) => id)).toEqual([
    "reminder",
    "pre-visit",
    "after-discharge",
    "feedback",
    "no-show",
    "closed-day",
  ]);
  expect(startingPoint("no-show").title).toBe("Missed appointment");
  expect(() => startingPoint("constructor")).toThrow("There is no such starting point.");
});

describe.each(LIBRARY.map((point) => [point.id, point] as const))("%s", (_, { agent, needs }) => {
  test("is accepted and returned unchanged", async () => {
    const made = await hospital.app.services.agents.create(hospital.organisationId, agent, CLI_ACTOR);
    expect(made).toMatchObject({ ...agent });
    expect(made.analysis_fields.length).toBeGreaterThan(2);
    expect([made.retry_attempts > 0, made.calling_hours !== null]).toEqual([true, true]);
  });

  test("declares exactly the values it needs", () => {
    const used = placeholders(`${agent.greeting} ${agent.prompt}`);
    const known = ["agent_name", "user_name", "hospital", ...needs.map(({ name }) => name)];
    expect([...used].filter((name) => !known.includes(name ?? ""))).toEqual([]);
    expect(needs.filter(({ name }) => !used.has(name))).toEqual([]);
  });

  test("greets in whole sentences on an empty appliance, with a name and without", async () => {
    const { agents } = hospital.app.services;
    const { agent_id } = await agents.create(hospital.organisationId, agent, CLI_ACTOR);
    await agents.addNumber(hospital.organisationId, { number: nextNumber(), agentId: agent_id }, CLI_ACTOR);
    for (const change of [{}, { user_name: "Meera Rao" }, { additional_info: { hospital: "" } }]) {
      const body = { agent_id, user_number: CONTACT_NUMBER, ...change };
      const { json } = await hospital.request("POST", "/v1/calls?dry_run=true", { body });
      const { greeting, missing_placeholders } = json.data as unknown as DryRun;
      expect(greeting).toContain("the automatic assistant of Test Hospital");
      expect(greeting).not.toMatch(/\s[,.?!]|\s\s|\{|of \./);
      expect(missing_placeholders).not.toContain("hospital");
    }
  });

  test("reveals nothing about the person before identity is confirmed", () => {
    expect(placeholders(agent.greeting)).toEqual(new Set(["agent_name", "hospital"]));
  });
});
