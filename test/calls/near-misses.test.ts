// Misspelt fields in a create: ignored and reported, or rejected when a wrong call would result.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { CONTACT_NUMBER, createHospital, outcome, type Hospital } from "../support/hospital.ts";

const HEADER = "ringward-ignored-fields";
const NEXT_WEEK = "2026-11-22T09:00:00Z";

let hospital: Hospital;
let hook: string;
beforeAll(async () => {
  hospital = await createHospital();
  hook = `/v1/hooks/${(await hospital.app.services.hooks.regenerate(hospital.organisationId, CLI_ACTOR)).token}`;
});
afterAll(() => hospital.close());
beforeEach(() =>
  hospital.db.write((tx) =>
    tx
      .deleteFrom("calls")
      .execute()
      .then(() => {}),
  ),
);

const callsMade = async () => (await hospital.db.reader.selectFrom("calls").select("id").execute()).length;
const viaHook = (data: object, more: object = {}, path = hook, headers: Record<string, string> = {}) =>
  hospital.request("POST", path, {
    key: null,
    headers,
    body: {
      action: "call.create",
      data: { agent_id: hospital.agentId, contact_number: CONTACT_NUMBER, ...data },
      ...more,
    },
  });

describe("a field that would change when or whether a call is dialled", () => {
  const TIMES = [
    "scheduled_at",
    "schedule_time",
    "scheduledTime",
    "scheduled_for",
    "send_at",
    "scheduledAt",
    "scheduled_tme",
    "scheduled_date",
    "schedule_datetime",
    "start_at",
    "call_at",
    "delay_seconds",
  ];
  const DRY_RUNS = ["dry_run", "dryRun"];

  test.each(TIMES)("%s is rejected with the right name, and no call is created", async (field) => {
    const message = `${field} is not a field here, and no call was created. Send the time as scheduled_time in the body.`;
    const api = await hospital.post({ [field]: NEXT_WEEK });
    expect([api.status, api.json.error.details]).toEqual([400, [{ field, message }]]);
    const viaInbound = await viaHook({ [field]: NEXT_WEEK });
    expect([viaInbound.status, viaInbound.json.error.details?.[0]?.field]).toEqual([400, `data.${field}`]);
    expect(viaInbound.json.error.message).toContain("scheduled_time in data");
    const beside = await viaHook({}, { [field]: NEXT_WEEK });
    expect([beside.status, beside.json.error.details?.[0]?.field]).toEqual([400, field]);
    expect(await callsMade()).toBe(0);
  });

  test.each(DRY_RUNS)("%s in the body is rejected, whatever its value", async (field) => {
    for (const value of [true, false, "true", null]) {
      const api = await hospital.post({ [field]: value });
      expect([api.status, api.json.error.details?.[0]?.field]).toEqual([400, field]);
      expect(api.json.error.message).toContain("POST /v1/calls?dry_run=true");
      expect((await viaHook({ [field]: value })).status).toBe(400);
    }
    expect(await callsMade()).toBe(0);
  });

  test("is rejected in the query too, and in a dry run", async () => {
    const body = { agent_id: hospital.agentId, user_number: CONTACT_NUMBER };
    for (const query of ["dryRun=true", "dry-run=true", "scheduled_time=2026-11-22T09:00:00Z", "send_at=x"]) {
      expect((await hospital.request("POST", `/v1/calls?${query}`, { body })).status).toBe(400);
      expect((await viaHook({}, {}, `${hook}?${query}`)).status).toBe(400);
    }
    expect((await viaHook({}, {}, `${hook}?dry_run=true`)).status).toBe(400);
    const dry = await hospital.request("POST", "/v1/calls?dry_run=true", {
      body: { ...body, scheduled_at: NEXT_WEEK },
    });
    expect(outcome(dry)).toBe("400 VALIDATION_ERROR");
    expect(await callsMade()).toBe(0);
  });

  test("does not include names that are only slightly similar", async () => {
    const { status, headers } = await hospital.post({ schedule: "x", time: "x", dry: true, run: true, sent: "x" });
    expect([status, headers.get(HEADER)]).toEqual([201, "schedule, time, dry, run, sent"]);
  });
});

describe("any other unknown field", () => {
  test("is ignored and reported, on the API and the hook", async () => {
    const api = await hospital.post({ priority: 1, "odd name": 2 });
    expect([api.status, api.headers.get(HEADER)]).toEqual([201, "priority, odd%20name"]);
    const viaInbound = await viaHook({ priority: 1 }, { version: 2 });
    expect([viaInbound.status, viaInbound.headers.get(HEADER)]).toEqual([201, "data.priority, version"]);
    const branch_id = hospital.app.services.ids.uuid();
    const window = await hospital.request("POST", "/v1/appointment-slots", {
      body: { branch_id, day: "monday", session: "Morning", ai_slots: 4, max_slots: 10, colour: "red" },
    });
    expect([window.status, window.headers.get(HEADER)]).toEqual([201, "colour"]);
  });

  test("is not reported if there is none, nor in a rejection", async () => {
    expect((await hospital.post()).headers.get(HEADER)).toBeNull();
    expect((await viaHook({})).headers.get(HEADER)).toBeNull();
    const refused = await hospital.post({ agent_id: "agt_none", priority: 1 });
    expect([refused.status, refused.headers.get(HEADER)]).toEqual([400, null]);
  });

  test("is reported in the replay too", async () => {
    for (const send of [
      () => hospital.post({ priority: 1 }, { headers: { "idempotency-key": "replay-1" } }),
      () => viaHook({ priority: 1 }, {}, hook, { "idempotency-key": "replay-2" }),
    ]) {
      const [first, second] = [await send(), await send()];
      expect(second.headers.get("idempotent-replayed")).toBe("true");
      expect(first.headers.get(HEADER)).toEndWith("priority");
      expect(second.headers.get(HEADER)).toBe(first.headers.get(HEADER));
    }
  });

  test("is reported in the body of a dry run", async () => {
    const { status, json, headers } = await hospital.request("POST", "/v1/calls?dry_run=true", {
      body: { agent_id: hospital.agentId, user_number: CONTACT_NUMBER, priority: 1 },
    });
    expect([status, headers.get(HEADER)]).toEqual([200, "priority"]);
    expect(json.data["ignored_fields"] as unknown).toEqual(["priority"]);
  });
});

describe("a missing field", () => {
  const told = async (body: object) => {
    const { status, json } = await hospital.request("POST", "/v1/calls", { body });
    return [status, json.error.details] as const;
  };

  test.each(["phone_number", "to", "userNumber"])("user_number is reported as sent under %s", async (name) => {
    const message = `user_number is required. You sent ${name}, which is not a field here.`;
    expect(await told({ agent_id: hospital.agentId, [name]: CONTACT_NUMBER })).toEqual([
      400,
      [{ field: "user_number", message }],
    ]);
  });

  test("agent_id is reported as sent under agentId, before any other check", async () => {
    const message = "agent_id is required. You sent agentId, which is not a field here.";
    expect(await told({ agentId: hospital.agentId, user_number: CONTACT_NUMBER })).toEqual([
      400,
      [{ field: "agent_id", message }],
    ]);
  });

  test("slot_id of an appointment is reported as sent under slot", async () => {
    const { status, json } = await hospital.request("POST", "/v1/appointments", { body: { slot: "a||2026-12-07" } });
    expect([status, json.error.message]).toEqual([
      400,
      "slot_id is required. You sent slot, which is not a field here.",
    ]);
  });

  test("is reported alone if no sent field is similar", async () => {
    expect(await told({ agent_id: hospital.agentId, note: "x" })).toEqual([
      400,
      [{ field: "user_number", message: "user_number is required." }],
    ]);
  });

  test("on the hook is reported by its name within data", async () => {
    const { status, json } = await viaHook({ contact_number: undefined, phone: CONTACT_NUMBER });
    expect([status, json.error.message]).toEqual([
      400,
      "contact_number is required. You sent data.phone, which is not a field here.",
    ]);
    const agentless = await viaHook({ agent_id: undefined, agentId: hospital.agentId });
    expect(agentless.json.error.message).toBe(
      "data.agent_id is required. You sent data.agentId, which is not a field here.",
    );
  });
});
