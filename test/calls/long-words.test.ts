// Agent texts that would exceed their size limit: the request is rejected, and nothing else stalls.
import { afterEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { signedInHospital } from "../dashboard/signed-in.ts";
import { createHospital, DIAL_DELAY_MS, type Hospital } from "../support/hospital.ts";

let hospital: Hospital;
afterEach(() => hospital.close());

const PROMPT = "{{a}}".repeat(6_390);
const LONG = { additional_info: { a: "x".repeat(1_000) } };
const REFUSAL =
  "With these values the agent's greeting or prompt would be longer than 50,000 characters. Send shorter values, or name them less often in the agent's texts.";
const changePrompt = (prompt: string) =>
  hospital.app.services.agents.update(hospital.organisationId, hospital.agentId, { prompt }, CLI_ACTOR);

describe("a call whose text would be too long", () => {
  test("is rejected at creation, in a dry run too", async () => {
    hospital = await createHospital({ agent: { prompt: PROMPT } });
    for (const path of ["/v1/calls", "/v1/calls?dry_run=true"]) {
      const { status, json } = await hospital.request("POST", path, {
        body: { agent_id: hospital.agentId, user_number: "+919810012345", ...LONG },
      });
      expect([status, json.error.details]).toEqual([400, [{ field: "additional_info", message: REFUSAL }]]);
    }
    expect((await hospital.post({ additional_info: { a: "x" } })).status).toBe(201);
  });

  test("fails with the reason if the agent was changed meanwhile, and delays no other", async () => {
    hospital = await createHospital();
    await hospital.app.start();
    await hospital.subscribe();
    const long = await hospital.schedule(LONG);
    const fine = await hospital.schedule({ user_number: "+919810012346", additional_info: { a: "x" } });
    await changePrompt(PROMPT);
    await hospital.clock.advance(DIAL_DELAY_MS);
    expect(hospital.carrier.dialled.map(({ callId }) => callId)).toEqual([fine]);
    expect(await hospital.view(long)).toMatchObject({
      status: "failed",
      error: { code: "infrastructure_error", message: expect.stringContaining("too long for this call's values") },
    });
    expect((await hospital.eventsOf(long)).map(({ type }) => type)).toEqual(["call.initiated", "call.failed"]);
  });

  test("gets a follow-up, if its agent's policy says so, without a check: dialling decides", async () => {
    hospital = await createHospital({ agent: { retry_attempts: 1, retry_minutes: 1, retry_outcomes: ["busy"] } });
    await hospital.app.start();
    const first = await hospital.dial(LONG);
    await changePrompt(PROMPT);
    hospital.carrier.fail(first, "busy");
    const { scheduled_call_id } = await hospital.row(first);
    await hospital.clock.advance(60_000);
    expect(await hospital.view(scheduled_call_id!)).toMatchObject({
      status: "failed",
      error: { code: "infrastructure_error" },
    });
  });
});

test("a viewer's preview stops at the limit, and deeply nested values are rejected with a message", async () => {
  const inside = await signedInHospital();
  hospital = inside.hospital;
  const preview = (template: string, values: unknown) =>
    inside.ask("viewer", "POST", "agents/preview", { template, values });
  const long = await preview("{{a}}".repeat(6_390), { a: "x".repeat(220_000) });
  expect([long.status, long.json.error.details?.[0]?.field]).toEqual([400, "template"]);
  let deep: unknown = "x";
  for (let depth = 0; depth < 80; depth++) deep = [deep];
  const nested = await preview("{{a}}", { a: deep });
  expect([nested.status, nested.json.error.details?.[0]?.field]).toEqual([400, "values"]);
  expect((await preview("Hello {{a}}", { a: "Meera" })).json as unknown).toEqual({ text: "Hello Meera", missing: [] });
});
