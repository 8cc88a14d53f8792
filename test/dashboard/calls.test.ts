// The routes behind the calls pages: their data, and the permissions of each role.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { searchText, type CallListRow, type CallPageData } from "../../src/dashboard/call-page.ts";
import type { TurnTimes } from "../../src/payloads/turn-times.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

let hospital: Hospital;
const cookies: Record<string, string> = {};
const PASSWORD = "correct horse battery";

beforeAll(async () => {
  hospital = await createHospital({ agent: { retry_attempts: 1, retry_minutes: 30, retry_outcomes: ["busy"] } });
  await hospital.app.start();
  for (const role of ["viewer", "staff"]) {
    const email = `${role}@example.test`;
    await hospital.app.services.people.create(
      hospital.organisationId,
      { email, name: role, role, password: PASSWORD },
      CLI_ACTOR,
    );
    const { headers } = await ask("", "POST", "login", { email, password: PASSWORD });
    cookies[role] = headers.get("set-cookie")?.split(";")[0] ?? "";
  }
});
afterAll(() => hospital.close());

const ask = (role: string, method: string, path: string, body?: unknown) =>
  hospital.request(method, `/dashboard/api/${path}`, {
    key: null,
    headers: { "x-ringward-dashboard": "1", cookie: cookies[role] ?? "" },
    ...(body === undefined ? {} : { body }),
  });
/** Each test calls a different number, because a number is never called twice at once. */
let numbersUsed = 0;
const dial = (name: string) => hospital.dial({ user_name: name, user_number: `+9198100${20_000 + ++numbersUsed}` });
/** Far enough ahead that no test dials it by advancing the clock. */
const FAR_AHEAD = "2026-12-24T10:00:00Z";
const rowsFor = async (query: string) =>
  (await ask("viewer", "GET", `calls?${query}`)).json.data as unknown as CallListRow[];
const pageOf = async (id: string) => (await ask("viewer", "GET", `calls/${id}`)).json as unknown as CallPageData;

describe("the list", () => {
  test("finds a contact by part of the name, and by a number in local notation", async () => {
    const id = await hospital.schedule({
      user_name: "Lata Iyer",
      user_number: "+912244556677",
      scheduled_time: FAR_AHEAD,
    });
    expect((await rowsFor("search=ta%20Iy")).map(({ call_id }) => call_id)).toEqual([id]);
    expect((await rowsFor("search=%2B91%20(22)%204455-66")).map(({ call_id }) => call_id)).toEqual([id]);
    expect(await rowsFor("search=Iyengar")).toEqual([]);
  });

  test("does not treat digits inside a name as a number", () => {
    expect(searchText("Ward 3-B")).toBe("Ward 3-B");
    expect(searchText("+1 (555) 010.0-99")).toBe("+1555010099");
    expect(searchText("098765 43210")).toBe("9876543210");
    expect(searchText("+91 (0) 98765-43210")).toBe("+919876543210");
  });

  test("shows the outcome of a call, but not its transcript", async () => {
    const id = await dial("Listed");
    hospital.carrier.talk(id);
    await settle();
    const [row] = await rowsFor("search=Listed");
    expect(row).toMatchObject({ status: "completed", disposition: "session_ended", call_duration_seconds: 61 });
    expect(JSON.stringify(row)).not.toContain("Good morning");
  });
});

describe("one call", () => {
  test("is linked with its follow-up, both ways, and not with an erased one", async () => {
    const first = await dial("Tried Again");
    hospital.carrier.fail(first, "busy");
    await settle();
    const { followed_by } = await pageOf(first);
    expect(followed_by).toMatchObject({ status: "scheduled" });
    const second = followed_by!.call_id;
    expect((await pageOf(second)).follows).toMatchObject({ call_id: first, status: "failed" });
    await hospital.db.write((tx) => tx.deleteFrom("calls").where("id", "=", first).execute());
    expect((await pageOf(second)).follows).toBeNull();
  });

  test("shows the response times of a listening agent, which the API does not", async () => {
    const id = await dial("Quick Turns");
    const turn: TurnTimes = {
      speech_end: 5_000,
      stt_start: 5_210,
      stt_final: 5_430,
      commit: 5_460,
      llm_start: 5_461,
      llm_first: 5_463,
      tts_first: 5_500,
      rtp_first: 5_515,
      interrupted_at: null,
    };
    hospital.carrier.talk(id, { turns: [turn] });
    await settle();
    expect((await pageOf(id)).turns).toEqual([turn]);
    expect(JSON.stringify((await hospital.request("GET", `/v1/calls/${id}`)).json)).not.toContain("rtp_first");
    expect((await hospital.request("GET", "/metrics")).text).toContain("ringward_turn_answer_seconds_count 1");
  });

  test("shows the receiver of a delivery by its host only", async () => {
    await hospital.subscribe();
    const id = await dial("Told Of");
    hospital.carrier.talk(id);
    await settle();
    const { deliveries } = await pageOf(id);
    expect(deliveries.map(({ event_type }) => event_type).toSorted()).toEqual(["call.completed", "call.initiated"]);
    for (const { endpoint_host, state } of deliveries)
      expect([endpoint_host, state]).toEqual(["receiver.example", "held"]);
    expect(JSON.stringify(deliveries)).not.toContain("/hook");
  });

  test("has a public link only while the organisation shares its calls", async () => {
    const id = await dial("Shared");
    hospital.carrier.talk(id);
    await settle();
    const { shares } = hospital.app.services;
    expect((await pageOf(id)).share_url).toBeNull();
    await shares.configure(hospital.organisationId, { enabled: true }, CLI_ACTOR);
    expect((await pageOf(id)).share_url).toContain(`/public/call/${id}/details?share_token=`);
    await shares.configure(hospital.organisationId, { enabled: false }, CLI_ACTOR);
    expect((await pageOf(id)).share_url).toBeNull();
  });

  test("of another organisation is not found", async () => {
    const { key, agentId } = await hospital.neighbour();
    const theirs = await hospital.request("POST", "/v1/calls", {
      key,
      body: { agent_id: agentId, user_number: "+919810012346" },
    });
    const id = String(theirs.json.data["call_id"]);
    expect((await ask("staff", "GET", `calls/${id}`)).status).toBe(404);
    expect((await ask("staff", "POST", `calls/${id}/cancel`)).status).toBe(404);
    expect((await ask("staff", "DELETE", `calls/${id}`)).status).toBe(404);
  });
});

test("a viewer can read, and neither create, check, cancel nor delete", async () => {
  const id = await hospital.schedule({ user_name: "Looked At", scheduled_time: FAR_AHEAD });
  const body = { agent_id: hospital.agentId, user_number: "+919810012347" };
  expect((await ask("viewer", "GET", `calls/${id}`)).status).toBe(200);
  for (const [method, path, sent] of [
    ["POST", "calls", body],
    ["POST", "calls/dry-run", body],
    ["POST", `calls/${id}/cancel`, undefined],
    ["DELETE", `calls/${id}`, undefined],
  ] as const) {
    expect([path, (await ask("viewer", method, path, sent)).status]).toEqual([path, 403]);
  }
  expect((await hospital.row(id)).state).toBe("scheduled");
});

test("staff create a call after a dry run, cancel it, and delete a completed one", async () => {
  const body = { agent_id: hospital.agentId, user_number: "+919810012348", user_name: "Made Here" };
  const tried = await ask("staff", "POST", "calls/dry-run", body);
  expect(tried.json).toMatchObject({ greeting: "Hello Made Here.", missing_placeholders: ["visit"] });
  expect(await rowsFor("search=Made")).toEqual([]);

  const made = await ask("staff", "POST", "calls", body);
  const id = (made.json as unknown as { call_id: string }).call_id;
  expect((await hospital.row(id)).source).toBe("dashboard");
  expect((await ask("staff", "POST", `calls/${id}/cancel`)).status).toBe(200);
  expect((await pageOf(id)).timeline.map(({ state }) => state)).toEqual(["created", "scheduled", "cancelled"]);

  const talked = await dial("To Be Erased");
  hospital.carrier.talk(talked);
  await settle();
  expect((await ask("staff", "DELETE", `calls/${talked}`)).status).toBe(200);
  expect(await rowsFor("search=Erased")).toEqual([]);
  expect((await ask("staff", "GET", `calls/${talked}`)).status).toBe(404);
});
