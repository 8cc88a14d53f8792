// POST /v1/calls?dry_run=true: returns what would happen, without effect.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createHospital, CONTACT_NUMBER, type Hospital } from "../support/hospital.ts";
import { refusalsOf } from "../support/refused-calls.ts";

let hospital: Hospital;
beforeAll(async () => {
  hospital = await createHospital();
});
afterAll(() => hospital.close());

const { countCalls, refused } = refusalsOf(() => hospital);

describe("dry_run=true", () => {
  const dry = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    hospital.request("POST", "/v1/calls?dry_run=true", {
      body: { agent_id: hospital.agentId, user_number: CONTACT_NUMBER, ...changes },
      headers,
    });

  test("returns 200 with what would happen, and creates nothing", async () => {
    const [calls, audit] = [await countCalls(), await hospital.actionsOnRecord()];
    const { status, json } = await dry({ user_name: "Meera" }, { "idempotency-key": "dry" });
    expect(status).toBe(200);
    expect(json.data as unknown).toEqual({
      dry_run: true,
      greeting: "Hello Meera.",
      missing_placeholders: ["visit"],
      scheduled_at: new Date(hospital.clock.now() + 15_000).toISOString(),
      would_dial_at: new Date(hospital.clock.now() + 15_000).toISOString(),
      held_back_by: [],
      // Rules are not enforced here; nothing would be held by them.
      would_be_held_by: [],
      ignored_fields: [],
    });
    expect(await countCalls()).toBe(calls);
    expect(await hospital.actionsOnRecord()).toEqual([...audit, "call.dry_run"]);
    expect(await hospital.db.reader.selectFrom("idempotency_keys").selectAll().execute()).toEqual([]);
  });

  test("rejects whatever a real request would be rejected for", async () => {
    await refused(dry({ user_number: "12" }), 422, "INVALID_PHONE_NUMBER", "user_number");
    await refused(dry({ scheduled_time: "tomorrow" }), 400, "VALIDATION_ERROR", "scheduled_time");
    await refused(dry({ agent_id: "agt_unknown" }), 400, "VALIDATION_ERROR", "agent_id");
  });

  test("reports the do-not-disturb list", async () => {
    await hospital.app.services.doNotDisturb.add(hospital.organisationId, "+15555550142", CLI_ACTOR);
    const { json } = await dry({ user_number: "+15555550142" });
    expect(json.data).toMatchObject({ would_dial_at: null, held_back_by: [{ reason: "do_not_disturb" }] });
  });

  test("accepts only true and false", async () => {
    const body = { agent_id: hospital.agentId, user_number: CONTACT_NUMBER };
    expect((await hospital.request("POST", "/v1/calls?dry_run=false", { body })).status).toBe(201);
    await refused(hospital.request("POST", "/v1/calls?dry_run=yes", { body }), 400, "VALIDATION_ERROR", "dry_run");
  });
});
