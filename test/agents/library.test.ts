// The starting points are agents that can be used as they are.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LIBRARY, startingPoint } from "../../src/agents/library/library.ts";
import { PLACEHOLDER } from "../../src/agents/template.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";

let hospital: Hospital;
beforeAll(async () => {
  hospital = await createHospital();
});
afterAll(() => hospital.close());

const placeholders = (text = "") => new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name));

test("there is one for each of the usual calls", () => {
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
  test("is taken as it is, and comes back so", async () => {
    const made = await hospital.app.services.agents.create(hospital.organisationId, agent, CLI_ACTOR);
    expect(made).toMatchObject({ ...agent });
    expect(made.analysis_fields.length).toBeGreaterThan(2);
    expect([made.retry_attempts > 0, made.calling_hours !== null]).toEqual([true, true]);
  });

  test("names what has to come with a call, and nothing else", () => {
    const used = placeholders(`${agent.greeting} ${agent.prompt}`);
    const known = ["agent_name", "user_name", ...needs.map(({ name }) => name)];
    expect([...used].filter((name) => !known.includes(name ?? ""))).toEqual([]);
    expect(needs.filter(({ name }) => !used.has(name))).toEqual([]);
  });

  test("says nothing of the person before it is known who listens", () => {
    expect(placeholders(agent.greeting)).toEqual(new Set(["agent_name", "hospital"]));
  });
});
