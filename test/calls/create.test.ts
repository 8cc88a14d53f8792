// POST /v1/calls, rule by rule.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createHospital, CONTACT_NUMBER, type Hospital } from "../support/hospital.ts";
import type { Answer } from "../support/test-app.ts";

let hospital: Hospital;
beforeAll(async () => {
  hospital = await createHospital();
});
afterAll(() => hospital.close());

const countCalls = async () => (await hospital.db.reader.selectFrom("calls").select("id").execute()).length;

/** Refused with this status and code, about this field, and nothing was created. */
async function refused(sending: Promise<Answer>, status: number, code: string, field?: string): Promise<string> {
  const before = await countCalls();
  const { status: given, json } = await sending;
  expect([given, json.error.code, json.error.details?.[0]?.field]).toEqual([status, code, field]);
  expect(json.error.request_id).toMatch(/^req_/);
  expect(await countCalls()).toBe(before);
  return json.error.message;
}

describe("a created call", () => {
  test("is answered with 201, its id, its state and its time: 15 seconds from now", async () => {
    const { status, json } = await hospital.post();
    expect(status).toBe(201);
    expect(json as unknown).toEqual({
      data: {
        call_id: expect.stringMatching(/^call_[0-9a-z]{26}$/),
        status: "scheduled",
        scheduled_at: new Date(hospital.clock.now() + 15_000).toISOString(),
      },
    });
  });

  test("takes a time with an offset and speaks it in UTC", async () => {
    const { json } = await hospital.post({ scheduled_time: "2026-12-24T18:30:00+05:30" });
    expect(json.data).toMatchObject({ scheduled_at: "2026-12-24T13:00:00.000Z" });
  });

  test("keeps everything it was given", async () => {
    const info = { doctor: "Dr. Rao", floor: 3, fasting: true, nested: { a: [1, null] }, nothing: null };
    const id = await hospital.schedule({
      user_name: "Meera Iyer",
      user_email: "meera@example.org",
      user_preferred_language: "hi",
      additional_info: info,
    });
    expect(await hospital.view(id)).toMatchObject({
      contact_number: CONTACT_NUMBER,
      contact_name: "Meera Iyer",
      contact_email: "meera@example.org",
      contact_preferred_language: "hi",
      additional_info: info,
    });
  });

  test("keeps every letter of a name and of a value", async () => {
    const name = 'मीरा "O\'Neil" \\ 😀 \u2028 <b>';
    const id = await hospital.schedule({ user_name: name, additional_info: { [name]: name } });
    expect(await hospital.view(id)).toMatchObject({ contact_name: name, additional_info: { [name]: name } });
  });

  test("is the same under legacy names", async () => {
    const id = await hospital.schedule({
      user_number: undefined,
      contact_number: "+15555550100",
      contact_name: "Meera",
      contact_email: "meera@example.org",
      contact_preferred_language: "en-US",
    });
    expect(await hospital.view(id)).toMatchObject({
      contact_number: "+15555550100",
      contact_name: "Meera",
      contact_email: "meera@example.org",
      contact_preferred_language: "en-US",
    });
  });

  test("lists the placeholders that have no value", async () => {
    const id = await hospital.schedule();
    expect((await hospital.view(id)).missing_placeholders).toEqual(["user_name", "visit"]);
    const whole = await hospital.schedule({ user_name: "Meera", additional_info: { visit: "Monday" } });
    expect((await hospital.view(whole)).missing_placeholders).toEqual([]);
  });

  test("takes null for every optional field", async () => {
    const id = await hospital.schedule({
      user_name: null,
      user_email: null,
      user_preferred_language: null,
      additional_info: null,
      scheduled_time: null,
    });
    expect(await hospital.view(id)).toMatchObject({ contact_name: null, contact_email: null, additional_info: null });
  });

  test("ignores fields it does not know", async () => {
    const { status } = await hospital.post({
      colour: "blue",
      state: "completed",
      call_id: "call_mine",
      organisation_id: "org_x",
    });
    expect(status).toBe(201);
  });
});

describe("both names of one field", () => {
  test.each([
    ["user_number", "contact_number", "+919810012345"],
    ["user_name", "contact_name", "Meera"],
    ["user_email", "contact_email", "meera@example.org"],
    ["user_preferred_language", "contact_preferred_language", "hi"],
  ])("%s and %s are refused, equal or not", async (field, alias, value) => {
    for (const other of [value, "another", null]) {
      const message = await refused(hospital.post({ [field]: value, [alias]: other }), 400, "VALIDATION_ERROR", field);
      expect(message).toContain(alias);
    }
  });
});

describe("the number", () => {
  test.each([
    ["9810012345"],
    ["+91 98100 12345"],
    ["+91-9810012345"],
    ["00919810012345"],
    ["+9198100"],
    ["+9198100123456789"],
    ["+1555555010"],
    ["+0119810012345"],
    ["tel:+919810012345"],
    ["+91981001234५"],
    ["+"],
    [""],
  ])("%j is no number: 422 INVALID_PHONE_NUMBER", async (number) => {
    await refused(hospital.post({ user_number: number }), 422, "INVALID_PHONE_NUMBER", "user_number");
  });

  test("a number that costs more is refused, in a dry run too, unless its range is allowed", async () => {
    await refused(hospital.post({ user_number: "+19005550100" }), 422, "INVALID_PHONE_NUMBER", "user_number");
    const dry = hospital.request("POST", "/v1/calls?dry_run=true", {
      body: { agent_id: hospital.agentId, user_number: "+16002345678" },
    });
    await refused(dry, 422, "INVALID_PHONE_NUMBER", "user_number");
    await refused(hospital.post({ user_number: "+18765550100" }), 422, "UNSUPPORTED_COUNTRY", "user_number");
    const other = await createHospital({ settings: { RINGWARD_CALLS__ALLOWED_RANGES: "+1876, +1242" } });
    expect((await other.post({ user_number: "+18765550100" })).status).toBe(201);
    await other.close();
  });

  test.each([["+442071838750"], ["+4930123456"], ["+8613800138000"]])(
    "%s is abroad: 422 UNSUPPORTED_COUNTRY",
    async (number) => {
      await refused(hospital.post({ user_number: number }), 422, "UNSUPPORTED_COUNTRY", "user_number");
    },
  );

  test.each([["+15555550100"], ["+12025550123"], ["+919810012345"], ["+912255550123"]])(
    "%s can be called",
    async (number) => {
      expect((await hospital.post({ user_number: number })).status).toBe(201);
    },
  );

  test("is named as it was sent", async () => {
    await refused(
      hospital.post({ user_number: undefined, contact_number: "12" }),
      422,
      "INVALID_PHONE_NUMBER",
      "contact_number",
    );
  });

  test("is required", async () => {
    await refused(hospital.post({ user_number: undefined }), 400, "VALIDATION_ERROR", "user_number");
    await refused(hospital.post({ user_number: null }), 400, "VALIDATION_ERROR", "user_number");
  });
});

describe("scheduled_time", () => {
  test.each([
    ["2026-12-24T18:30:00"],
    ["2027-02-30T10:00:00Z"],
    ["2026-12-24T24:00:00Z"],
    ["2026-11-15T05:59:59Z"],
    ["2028-01-01T00:00:00Z"],
    ["tomorrow"],
    [""],
  ])("%j is refused", async (text) => {
    await refused(hospital.post({ scheduled_time: text }), 400, "VALIDATION_ERROR", "scheduled_time");
  });
});

describe("additional_info", () => {
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]));

  test("takes 25 pairs and refuses the 26th", async () => {
    expect((await hospital.post({ additional_info: pairs(25) })).status).toBe(201);
    expect(
      await refused(hospital.post({ additional_info: pairs(26) }), 400, "VALIDATION_ERROR", "additional_info"),
    ).toContain("25");
  });

  test("takes keys of 1 to 64 characters", async () => {
    expect((await hospital.post({ additional_info: { ["k".repeat(64)]: 1, k: 1 } })).status).toBe(201);
    await refused(
      hospital.post({ additional_info: { ["k".repeat(65)]: 1 } }),
      400,
      "VALIDATION_ERROR",
      "additional_info",
    );
    await refused(hospital.post({ additional_info: { "": 1 } }), 400, "VALIDATION_ERROR", "additional_info");
  });

  test("takes 16 KiB in all, counted in bytes", async () => {
    const frame = JSON.stringify({ a: "" }).length;
    const exact = "x".repeat(16 * 1024 - frame);
    expect((await hospital.post({ additional_info: { a: exact } })).status).toBe(201);
    await refused(hospital.post({ additional_info: { a: `${exact}x` } }), 400, "VALIDATION_ERROR", "additional_info");
    await refused(
      hospital.post({ additional_info: { a: "é".repeat(8 * 1024) } }),
      400,
      "VALIDATION_ERROR",
      "additional_info",
    );
  });

  test.each([
    ["a list", ["a"]],
    ["text", "a=b"],
    ["a number", 3],
    ["true", true],
  ])("%s is refused", async (_, value) => {
    await refused(hospital.post({ additional_info: value }), 400, "VALIDATION_ERROR", "additional_info");
  });

  test("keeps names that JavaScript finds special", async () => {
    const body = `{"agent_id":"${hospital.agentId}","user_number":"${CONTACT_NUMBER}","additional_info":{"__proto__":"a","constructor":"b","toString":"c"}}`;
    const answer = await hospital.request("POST", "/v1/calls", { body });
    expect(answer.status).toBe(201);
    const { additional_info } = await hospital.row(answer.json.data["call_id"]!);
    expect(additional_info).toBe('{"__proto__":"a","constructor":"b","toString":"c"}');
  });
});

describe("wrong types are refused, never turned into right ones", () => {
  test.each([
    ["agent_id", 3],
    ["agent_id", null],
    ["agent_id", ["agt_1"]],
    ["agent_id", ""],
    ["agent_id", "a".repeat(65)],
    ["user_number", 919810012345],
    ["user_number", true],
    ["user_name", 3],
    ["user_name", false],
    ["user_name", { first: "Meera" }],
    ["user_name", "n".repeat(201)],
    ["user_email", 0],
    ["user_email", "e".repeat(255)],
    ["user_preferred_language", ["hi"]],
    ["scheduled_time", 1_800_000_000_000],
    ["scheduled_time", true],
  ])("%s: %j", async (field, value) => {
    await refused(hospital.post({ [field]: value }), 400, "VALIDATION_ERROR", field);
  });

  test.each([["[]"], ["null"], ['"call"'], ["3"], ["{"], [""]])("a body of %j", async (body) => {
    const { status, json } = await hospital.request("POST", "/v1/calls", { body });
    expect([status, json.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("agent_id", () => {
  test("must name an agent of this organisation", async () => {
    expect(await refused(hospital.post({ agent_id: "agt_unknown" }), 400, "VALIDATION_ERROR", "agent_id")).toContain(
      "no agent",
    );
    const { agentId } = await hospital.neighbour();
    expect(await refused(hospital.post({ agent_id: agentId }), 400, "VALIDATION_ERROR", "agent_id")).toContain(
      "no agent",
    );
  });

  test("must name an outbound agent", async () => {
    const inbound = await hospital.app.services.agents.create(
      hospital.organisationId,
      { name: "Reception", type: "inbound" },
      CLI_ACTOR,
    );
    expect(await refused(hospital.post({ agent_id: inbound.agent_id }), 400, "VALIDATION_ERROR", "agent_id")).toContain(
      "outbound",
    );
  });

  test("must name an agent with a phone number", async () => {
    const mute = await hospital.app.services.agents.create(hospital.organisationId, { name: "Mute" }, CLI_ACTOR);
    expect(await refused(hospital.post({ agent_id: mute.agent_id }), 400, "VALIDATION_ERROR", "agent_id")).toContain(
      "phone number",
    );
  });

  test("is required", async () => {
    await refused(hospital.post({ agent_id: undefined }), 400, "VALIDATION_ERROR", "agent_id");
  });
});

describe("the order of the checks", () => {
  test("body before number before agent", async () => {
    const wrong = { agent_id: "agt_unknown", user_number: "12", scheduled_time: "tomorrow" };
    await refused(hospital.post(wrong), 400, "VALIDATION_ERROR", "scheduled_time");
    await refused(hospital.post({ ...wrong, scheduled_time: undefined }), 422, "INVALID_PHONE_NUMBER", "user_number");
    await refused(hospital.post({ agent_id: "agt_unknown" }), 400, "VALIDATION_ERROR", "agent_id");
  });

  test("the key before all of them", async () => {
    await refused(hospital.post({ agent_id: 3 }, { key: null }), 401, "UNAUTHORIZED");
    await refused(
      hospital.post({ agent_id: 3 }, { key: await hospital.newKey(["calls:read"]) }),
      403,
      "INSUFFICIENT_SCOPE",
    );
  });
});

describe("dry_run=true", () => {
  const dry = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    hospital.request("POST", "/v1/calls?dry_run=true", {
      body: { agent_id: hospital.agentId, user_number: CONTACT_NUMBER, ...changes },
      headers,
    });

  test("answers 200 with what would happen, and creates nothing", async () => {
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
      ignored_fields: [],
    });
    expect(await countCalls()).toBe(calls);
    expect(await hospital.actionsOnRecord()).toEqual(audit);
    expect(await hospital.db.reader.selectFrom("idempotency_keys").selectAll().execute()).toEqual([]);
  });

  test("refuses what a real one would refuse", async () => {
    await refused(dry({ user_number: "12" }), 422, "INVALID_PHONE_NUMBER", "user_number");
    await refused(dry({ scheduled_time: "tomorrow" }), 400, "VALIDATION_ERROR", "scheduled_time");
    await refused(dry({ agent_id: "agt_unknown" }), 400, "VALIDATION_ERROR", "agent_id");
  });

  test("tells of the do-not-disturb list", async () => {
    await hospital.app.services.doNotDisturb.add(hospital.organisationId, "+15555550142", CLI_ACTOR);
    const { json } = await dry({ user_number: "+15555550142" });
    expect(json.data).toMatchObject({ would_dial_at: null, held_back_by: [{ reason: "do_not_disturb" }] });
  });

  test("may be true or false and nothing else", async () => {
    const body = { agent_id: hospital.agentId, user_number: CONTACT_NUMBER };
    expect((await hospital.request("POST", "/v1/calls?dry_run=false", { body })).status).toBe(201);
    await refused(hospital.request("POST", "/v1/calls?dry_run=yes", { body }), 400, "VALIDATION_ERROR", "dry_run");
  });
});
