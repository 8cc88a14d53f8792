// POST /v1/calls, field by field: accepted and rejected values.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHospital, CONTACT_NUMBER, type Hospital } from "../support/hospital.ts";
import { refusalsOf } from "../support/refused-calls.ts";

let hospital: Hospital;
beforeAll(async () => {
  hospital = await createHospital();
});
afterAll(() => hospital.close());

const { refused } = refusalsOf(() => hospital);

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

  test("an expensive number is rejected, in a dry run too, unless its range is allowed", async () => {
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

  test("is reported under the name that was sent", async () => {
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
  ])("%j is rejected", async (text) => {
    await refused(hospital.post({ scheduled_time: text }), 400, "VALIDATION_ERROR", "scheduled_time");
  });
});

describe("additional_info", () => {
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]));

  test("accepts 25 pairs and rejects the 26th", async () => {
    expect((await hospital.post({ additional_info: pairs(25) })).status).toBe(201);
    expect(
      await refused(hospital.post({ additional_info: pairs(26) }), 400, "VALIDATION_ERROR", "additional_info"),
    ).toContain("25");
  });

  test("accepts keys of 1 to 64 characters", async () => {
    expect((await hospital.post({ additional_info: { ["k".repeat(64)]: 1, k: 1 } })).status).toBe(201);
    await refused(
      hospital.post({ additional_info: { ["k".repeat(65)]: 1 } }),
      400,
      "VALIDATION_ERROR",
      "additional_info",
    );
    await refused(hospital.post({ additional_info: { "": 1 } }), 400, "VALIDATION_ERROR", "additional_info");
  });

  test("accepts 16 KiB in total, counted in bytes", async () => {
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
  ])("%s is rejected", async (_, value) => {
    await refused(hospital.post({ additional_info: value }), 400, "VALIDATION_ERROR", "additional_info");
  });

  test("keeps names that are special in JavaScript", async () => {
    const body = `{"agent_id":"${hospital.agentId}","user_number":"${CONTACT_NUMBER}","additional_info":{"__proto__":"a","constructor":"b","toString":"c"}}`;
    const answer = await hospital.request("POST", "/v1/calls", { body });
    expect(answer.status).toBe(201);
    const { additional_info } = await hospital.row(answer.json.data["call_id"]!);
    expect(additional_info).toBe('{"__proto__":"a","constructor":"b","toString":"c"}');
  });
});

describe("wrong types are rejected, never coerced", () => {
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
