// GET /v1/calls/{id} and GET /v1/calls.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { CallView } from "../../src/calls/model.ts";
import { CALL_STATES } from "../../src/payloads/call-state.ts";
import { createHospital, CONTACT_NUMBER, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
});
afterEach(() => hospital.close());

interface Page {
  data: CallView[];
  next_cursor: string | null;
}
async function list(query: Record<string, string> = {}): Promise<Page> {
  const answer = await hospital.request("GET", `/v1/calls?${new URLSearchParams(query)}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json as unknown as Page;
}
const idsOf = ({ data }: Page) => data.map(({ call_id }) => call_id);

/** Walks all pages; `between` runs after each. */
async function walk(
  query: Record<string, string>,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Page = await list(cursor === "" ? query : { ...query, cursor });
    seen.push(...idsOf(page));
    cursor = page.next_cursor;
    await between();
  }
  return seen;
}

const SET_A =
  "call_id status call_direction call_to call_from call_duration_seconds agent_id agent_name call_recording call_analytics " +
  "call_transcript call_triggered_at scheduled_at completed_at error";
const SET_B =
  "call_id status agent_id contact_number contact_name contact_email additional_info scheduled_at completed_at error created_at updated_at";
const OURS =
  "contact_preferred_language cancelled_at extracted_details emergency_outcome credits_consumed hold_reason " +
  "next_attempt_at missing_placeholders scheduled_call_id follows_call_id campaign_id simulated analysis_source " +
  "notices recording recording_expired_at contact_time_zone contact_region contact_identifiers";

describe("reading one call", () => {
  test("returns sets A and B of the contract in one object, plus our additions; never user_*", async () => {
    const view = await hospital.view(await hospital.schedule());
    const expected = new Set(`${SET_A} ${SET_B} ${OURS}`.split(" "));
    expect(Object.keys(view).toSorted()).toEqual([...expected].toSorted());
  });

  test("shows a new call", async () => {
    const id = await hospital.schedule({ user_name: "Meera", additional_info: { visit: "Monday" } });
    const now = new Date(hospital.clock.now()).toISOString();
    const at = new Date(hospital.clock.now() + 15_000).toISOString();
    expect(await hospital.view(id)).toEqual({
      call_id: id,
      status: "scheduled",
      call_direction: "outbound",
      call_to: CONTACT_NUMBER,
      call_from: null,
      call_duration_seconds: null,
      agent_id: hospital.agentId,
      agent_name: "Asha",
      call_recording: null,
      call_analytics: null,
      call_transcript: null,
      call_triggered_at: null,
      scheduled_at: at,
      completed_at: null,
      error: null,
      contact_number: CONTACT_NUMBER,
      contact_name: "Meera",
      contact_email: null,
      contact_preferred_language: null,
      contact_time_zone: null,
      contact_region: null,
      contact_identifiers: [],
      additional_info: { visit: "Monday" },
      created_at: now,
      updated_at: now,
      cancelled_at: null,
      extracted_details: null,
      emergency_outcome: null,
      analysis_source: null,
      notices: null,
      recording: null,
      recording_expired_at: null,
      credits_consumed: null,
      hold_reason: null,
      next_attempt_at: at,
      missing_placeholders: [],
      scheduled_call_id: null,
      follows_call_id: null,
      campaign_id: null,
      simulated: false,
    });
  });

  test("an unknown call is 404, whatever the form of its id", async () => {
    for (const id of ["call_unknown", "%00", "x".repeat(64), "call_' OR 1=1 --"]) {
      const answer = await hospital.request("GET", `/v1/calls/${encodeURIComponent(id)}`);
      expect([answer.status, answer.json.error.code]).toEqual([404, "NOT_FOUND"]);
    }
  });

  test("needs calls:read", async () => {
    const key = await hospital.newKey(["calls:create", "calls:cancel", "calls:delete"]);
    const id = await hospital.schedule();
    for (const path of [`/v1/calls/${id}`, "/v1/calls"]) {
      expect((await hospital.request("GET", path, { key })).json.error.code).toBe("INSUFFICIENT_SCOPE");
    }
  });
});

describe("the list", () => {
  test("is empty at first", async () => {
    expect(await list()).toEqual({ data: [], next_cursor: null });
  });

  test("is newest first, and shows each call as GET does", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.push(await hospital.schedule());
      await hospital.clock.advance(1);
    }
    const page = await list();
    expect(idsOf(page)).toEqual(ids.toReversed());
    expect(page.data[0]).toEqual(await hospital.view(ids[2]!));
  });

  test("returns 20 by default, and at most 100", async () => {
    for (let i = 0; i < 101; i++) await hospital.schedule();
    expect((await list()).data).toHaveLength(20);
    expect((await list({ limit: "100" })).data).toHaveLength(100);
    for (const limit of ["0", "101", "-1", "1.5", "ten", ""]) {
      const answer = await hospital.request("GET", `/v1/calls?limit=${limit}`);
      expect([limit, answer.status, answer.json.error.details?.[0]?.field]).toEqual([limit, 400, "limit"]);
    }
  });

  test("shows transcripts and analytics of the calls that have them", async () => {
    await hospital.app.start();
    const talked = await hospital.dial();
    hospital.carrier.talk(talked);
    await hospital.row(talked);
    await hospital.schedule();
    const { data } = await list();
    expect(data.map(({ call_transcript }) => call_transcript?.length ?? null)).toEqual([null, 2]);
  });
});

describe("pages", () => {
  test("show every call once, even if many were created in the same millisecond", async () => {
    const ids = new Set<string>();
    for (let i = 0; i < 25; i++) {
      ids.add(await hospital.schedule());
      if (i % 7 === 0) await hospital.clock.advance(1);
    }
    for (const limit of ["1", "4", "25", "26"]) {
      const seen = await walk({ limit });
      expect(seen).toHaveLength(25);
      expect(new Set(seen)).toEqual(ids);
    }
  });

  test("neither skip nor repeat a call while others are created", async () => {
    const before: string[] = [];
    for (let i = 0; i < 20; i++) {
      before.push(await hospital.schedule());
      await hospital.clock.advance(1);
    }
    const seen = await walk({ limit: "3" }, async () => {
      await hospital.schedule();
      await hospital.clock.advance(1);
    });
    expect(seen).toEqual(before.toReversed());
  });

  test("end with null, exactly at the last call", async () => {
    for (let i = 0; i < 4; i++) await hospital.schedule();
    const first = await list({ limit: "2" });
    const second = await list({ limit: "2", cursor: first.next_cursor! });
    expect([first.next_cursor === null, second.next_cursor === null]).toEqual([false, true]);
  });

  test("a forged cursor is 400", async () => {
    for (const cursor of ["abc", "", "W10", "eyJhIjoxfQ", "x".repeat(300)]) {
      const answer = await hospital.request("GET", `/v1/calls?cursor=${cursor}`);
      expect([cursor, answer.status, answer.json.error.code]).toEqual([cursor, 400, "VALIDATION_ERROR"]);
    }
  });
});

describe("filters", () => {
  test("by each status", async () => {
    await hospital.app.start();
    const completed = await hospital.dial({ user_number: "+919810000001" });
    hospital.carrier.talk(completed);
    const failed = await hospital.dial({ user_number: "+919810000002" });
    hospital.carrier.fail(failed);
    const cancelled = await hospital.schedule();
    await hospital.request("POST", `/v1/calls/${cancelled}/cancel`);
    const scheduled = await hospital.schedule();
    await settle();
    const expected: Record<string, string[]> = {
      completed: [completed],
      failed: [failed],
      cancelled: [cancelled],
      scheduled: [scheduled],
    };
    for (const status of CALL_STATES)
      expect([status, idsOf(await list({ status }))]).toEqual([status, expected[status] ?? []]);
  });

  test("an unknown status is 400, and the message lists the known ones", async () => {
    const answer = await hospital.request("GET", "/v1/calls?status=done");
    expect([answer.status, answer.json.error.details?.[0]?.field]).toEqual([400, "status"]);
    for (const state of CALL_STATES) expect(answer.json.error.message).toContain(state);
  });

  test("by agent", async () => {
    const { agents } = hospital.app.services;
    const other = await agents.create(hospital.organisationId, { name: "Ravi" }, CLI_ACTOR);
    await agents.addNumber(hospital.organisationId, { number: "+15555559999", agentId: other.agent_id }, CLI_ACTOR);
    await hospital.schedule();
    const ravis = await hospital.schedule({ agent_id: other.agent_id });
    expect((await list({ agent_id: other.agent_id })).data).toMatchObject([{ call_id: ravis, agent_name: "Ravi" }]);
    expect(idsOf(await list({ agent_id: "agt_unknown" }))).toEqual([]);
  });

  test("by number, whether its plus is encoded or not", async () => {
    await hospital.schedule();
    const id = await hospital.schedule({ user_number: "+15555550100" });
    expect(idsOf(await list({ contact_number: "+15555550100" }))).toEqual([id]);
    const raw = await hospital.request("GET", "/v1/calls?contact_number=+15555550100");
    expect((raw.json as unknown as Page).data).toHaveLength(1);
  });

  test("by time of creation: from is inclusive, to is exclusive", async () => {
    const ids: string[] = [];
    const times: string[] = [];
    for (let i = 0; i < 4; i++) {
      times.push(new Date(hospital.clock.now()).toISOString());
      ids.push(await hospital.schedule());
      await hospital.clock.advance(1_000);
    }
    expect(idsOf(await list({ created_from: times[1]!, created_to: times[3]! }))).toEqual([ids[2]!, ids[1]!]);
    expect(idsOf(await list({ created_to: times[0]! }))).toEqual([]);
    const inIndia = new Date(Date.parse(times[1]!) + 5.5 * 3_600_000).toISOString().replace("Z", "+05:30");
    expect(idsOf(await list({ created_from: inIndia }))).toHaveLength(3);
    const unencoded = await hospital.request("GET", `/v1/calls?created_from=${inIndia}`);
    expect((unencoded.json as unknown as Page).data).toHaveLength(3);
  });

  test("a time without an offset is 400", async () => {
    for (const [field, value] of [
      ["created_from", "2026-11-15"],
      ["created_to", "2026-11-15T06:00:00"],
      ["created_to", "yesterday"],
    ] as const) {
      const answer = await hospital.request("GET", `/v1/calls?${field}=${value}`);
      expect([answer.status, answer.json.error.details?.[0]?.field]).toEqual([400, field]);
    }
  });

  test("work together with pages", async () => {
    for (let i = 0; i < 12; i++)
      await hospital.schedule({ user_number: i % 3 === 0 ? "+15555550100" : "+15555550101" });
    expect(await walk({ contact_number: "+15555550101", status: "scheduled", limit: "3" })).toHaveLength(8);
  });
});
