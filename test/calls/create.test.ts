// POST /v1/calls: its response and stored data, the agent it uses, and the order of its checks.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createHospital, CONTACT_NUMBER, type Hospital } from "../support/hospital.ts";
import { refusalsOf } from "../support/refused-calls.ts";

let hospital: Hospital;
beforeAll(async () => {
  hospital = await createHospital();
});
afterAll(() => hospital.close());

const { refused } = refusalsOf(() => hospital);

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

  test("is published once to live pages", async () => {
    const id = await hospital.schedule();
    const told = hospital.db.reader.selectFrom("changes").select(["organisation_id", "kind"]);
    expect(await told.where("subject_id", "=", id).execute()).toEqual([
      { organisation_id: hospital.organisationId, kind: "call" },
    ]);
  });

  test("accepts a time with an offset and returns it in UTC", async () => {
    const { json } = await hospital.post({ scheduled_time: "2026-12-24T18:30:00+05:30" });
    expect(json.data).toMatchObject({ scheduled_at: "2026-12-24T13:00:00.000Z" });
  });

  test("stores everything it was given", async () => {
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

  test("preserves every character of names and values", async () => {
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

  test("accepts null for every optional field", async () => {
    const id = await hospital.schedule({
      user_name: null,
      user_email: null,
      user_preferred_language: null,
      additional_info: null,
      scheduled_time: null,
    });
    expect(await hospital.view(id)).toMatchObject({ contact_name: null, contact_email: null, additional_info: null });
  });

  test("ignores unknown fields", async () => {
    const { status } = await hospital.post({
      colour: "blue",
      state: "completed",
      call_id: "call_mine",
      organisation_id: "org_x",
    });
    expect(status).toBe(201);
  });
});

describe("the callee's place", () => {
  const american = { user_number: "+12125550142" };

  test("is stored and shown: a zone, and the state in capitals", async () => {
    const id = await hospital.schedule({ ...american, user_time_zone: "America/Chicago", user_region: "tx" });
    expect(await hospital.view(id)).toMatchObject({ contact_time_zone: "America/Chicago", contact_region: "TX" });
    const nowhere = await hospital.schedule({ ...american, user_time_zone: "", user_region: null });
    expect(await hospital.view(nowhere)).toMatchObject({ contact_time_zone: null, contact_region: null });
  });

  test.each([
    [{ user_time_zone: "IST+5" }, "user_time_zone"],
    [{ contact_time_zone: "+05:30" }, "contact_time_zone"],
    [{ user_region: "California" }, "user_region"],
    [{ user_region: "ZZ" }, "user_region"],
    [{ user_number: "+919810012345", user_region: "CA" }, "user_region"],
  ])("%j is rejected", async (place, field) => {
    await refused(hospital.post({ ...american, ...place }), 400, "VALIDATION_ERROR", field);
  });
});

describe("both names of one field", () => {
  test.each([
    ["user_number", "contact_number", "+919810012345"],
    ["user_name", "contact_name", "Meera"],
    ["user_email", "contact_email", "meera@example.org"],
    ["user_preferred_language", "contact_preferred_language", "hi"],
    ["user_time_zone", "contact_time_zone", "Asia/Kolkata"],
    ["user_region", "contact_region", "CA"],
  ])("%s and %s are rejected, equal or not", async (field, alias, value) => {
    for (const other of [value, "another", null]) {
      const message = await refused(hospital.post({ [field]: value, [alias]: other }), 400, "VALIDATION_ERROR", field);
      expect(message).toContain(alias);
    }
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
