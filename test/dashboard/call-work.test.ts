// Actions of staff on existing calls, single and in bulk: by role, isolated, and reported.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { BulkResult } from "../../src/calls/bulk-report.ts";
import type { CallListRow, CallPageData } from "../../src/dashboard/call-page.ts";
import { settle } from "../support/manual-clock.ts";
import { signedInHospital, type SignedInHospital } from "./signed-in.ts";

const FAR_AHEAD = "2026-12-24T10:00:00Z";
const VALUES = { visit: "check-up", nested: { room: 7 } };

let signedIn: SignedInHospital;
let numbersUsed = 0;
const newNumber = () => `+9198100${30_000 + ++numbersUsed}`;

beforeAll(async () => {
  signedIn = await signedInHospital();
  await signedIn.hospital.app.start();
}, 180_000);
afterAll(() => signedIn.hospital.close());

const ask: SignedInHospital["ask"] = (...question) => signedIn.ask(...question);
const bulk = async (act: "again" | "cancel", call_ids: string[]) =>
  (await ask("staff", "POST", `calls/${act}`, { call_ids })).json as unknown as BulkResult;
const rowsFor = async (query: string) =>
  (await ask("viewer", "GET", `calls?${query}`)).json.data as unknown as CallListRow[];

async function failed(changes: Record<string, unknown> = {}): Promise<string> {
  const { hospital } = signedIn;
  const id = await hospital.dial({ user_number: newNumber(), additional_info: VALUES, ...changes });
  hospital.carrier.fail(id, "busy");
  await settle();
  return id;
}

async function talked(changes: Record<string, unknown> = {}): Promise<string> {
  const { hospital } = signedIn;
  const id = await hospital.dial({ user_number: newNumber(), ...changes });
  hospital.carrier.talk(id, { transcript: [{ speaker: "user", text: "Good morning.", timestamp: 61.4 }] });
  await settle();
  return id;
}

describe("calling again", () => {
  test("creates the same call again, linked to the original", async () => {
    const { hospital } = signedIn;
    const id = await failed({
      user_name: "Again Person",
      user_email: "a@example.test",
      user_preferred_language: "hi-IN",
      user_time_zone: "Asia/Dubai",
    });
    const answer = await ask("staff", "POST", `calls/${id}/again`, { scheduled_time: FAR_AHEAD });
    const { call_id, scheduled_at } = answer.json as unknown as { call_id: string; scheduled_at: string };
    expect(Date.parse(scheduled_at)).toBe(Date.parse(FAR_AHEAD));
    const [before, after] = [await hospital.row(id), await hospital.row(call_id)];
    for (const column of [
      "agent_id",
      "contact_number",
      "contact_name",
      "contact_email",
      "preferred_language",
      "contact_time_zone",
      "additional_info",
    ] as const)
      expect([column, after[column]]).toEqual([column, before[column]]);
    expect([after.follows_call_id, after.source, after.state]).toEqual([id, "dashboard", "scheduled"]);
  });

  test("twice is rejected while the first is pending, and so is a do-not-disturb number", async () => {
    const { hospital } = signedIn;
    const id = await failed();
    expect((await ask("staff", "POST", `calls/${id}/again`, {})).status).toBe(200);
    expect((await ask("staff", "POST", `calls/${id}/again`, {})).status).toBe(409);
    const quiet = await failed();
    await hospital.app.services.doNotDisturb.add(
      hospital.organisationId,
      (await hospital.row(quiet)).contact_number,
      CLI_ACTOR,
    );
    expect((await ask("staff", "POST", `calls/${quiet}/again`, {})).status).toBe(409);
    const { is_do_not_disturb } = (await ask("viewer", "GET", `calls/${quiet}`)).json as unknown as CallPageData;
    expect(is_do_not_disturb).toBeTrue();
  });

  test("in bulk counts the skipped calls by reason, and a repeat changes nothing", async () => {
    const { hospital } = signedIn;
    const number = newNumber();
    const ids = [await failed(), await failed(), await failed({ user_number: number })];
    ids.push(await failed({ user_number: number }));
    const waiting = await hospital.schedule({ user_number: newNumber(), scheduled_time: FAR_AHEAD });
    const quiet = await failed();
    await hospital.app.services.doNotDisturb.add(
      hospital.organisationId,
      (await hospital.row(quiet)).contact_number,
      CLI_ACTOR,
    );
    const sent = [...ids, waiting, quiet, "call_unknown"];
    const first = await bulk("again", sent);
    expect(first.done).toBe(3);
    expect(first.left_out.toSorted((a, b) => a.reason.localeCompare(b.reason))).toEqual([
      { reason: "do_not_disturb", count: 1 },
      { reason: "not_ended", count: 1 },
      { reason: "planned_already", count: 1 },
      { reason: "unknown", count: 1 },
    ]);
    const second = await bulk("again", sent);
    expect([second.done, second.left_out.find(({ reason }) => reason === "planned_already")?.count]).toEqual([0, 4]);
  });
});

describe("a scheduled call", () => {
  test("is moved to another time and given other values; missing placeholders are recounted", async () => {
    const { hospital } = signedIn;
    const id = await hospital.schedule({ user_number: newNumber(), scheduled_time: FAR_AHEAD });
    expect((await hospital.view(id)).missing_placeholders).toEqual(["user_name", "visit"]);
    const later = "2026-12-25T11:30:00Z";
    const body = { scheduled_time: later, user_name: "Changed", additional_info: { visit: "X-ray" } };
    expect((await ask("staff", "PATCH", `calls/${id}`, body)).status).toBe(200);
    const view = await hospital.view(id);
    expect(view).toMatchObject({
      contact_name: "Changed",
      missing_placeholders: [],
      additional_info: { visit: "X-ray" },
    });
    expect(Date.parse(view.scheduled_at!)).toBe(Date.parse(later));
    expect((await hospital.row(id)).next_at).toBe(Date.parse(later));
    expect((await ask("staff", "PATCH", `calls/${id}`, { scheduled_time: "2020-01-01T00:00:00Z" })).status).toBe(400);
    expect((await hospital.row(id)).next_at).toBe(Date.parse(later));
  });

  test("that has been dialled can no longer be changed", async () => {
    const id = await failed();
    expect((await ask("staff", "PATCH", `calls/${id}`, { user_name: "Too late" })).status).toBe(409);
  });
});

describe("erasing", () => {
  test("a failed and a cancelled call: the API keeps its 404 and accepts any=true; the dashboard's owner can", async () => {
    const { hospital } = signedIn;
    const [first, second] = [await failed(), await failed()];
    expect((await hospital.request("DELETE", `/v1/calls/${first}`)).status).toBe(404);
    expect((await hospital.request("DELETE", `/v1/calls/${first}?any=false`)).status).toBe(404);
    expect((await hospital.request("DELETE", `/v1/calls/${first}?any=maybe`)).status).toBe(400);
    expect((await hospital.request("DELETE", `/v1/calls/${first}?any=true`)).status).toBe(200);
    expect((await hospital.request("GET", `/v1/calls/${first}`)).status).toBe(404);
    expect((await ask("staff", "POST", `calls/${second}/erase`)).status).toBe(403);
    expect((await ask("owner", "POST", `calls/${second}/erase`)).status).toBe(200);
    const waiting = await hospital.schedule({ user_number: newNumber(), scheduled_time: FAR_AHEAD });
    expect((await ask("owner", "POST", `calls/${waiting}/erase`)).status).toBe(404);
    expect((await hospital.request("DELETE", `/v1/calls/${waiting}?any=true`)).status).toBe(404);
    await ask("staff", "POST", `calls/${waiting}/cancel`);
    expect((await ask("owner", "POST", `calls/${waiting}/erase`)).status).toBe(200);
  });
});

describe("downloads", () => {
  test("the transcript comes as text and as JSON, the recording by a link created on demand", async () => {
    const id = await talked();
    expect((await ask("viewer", "GET", `calls/${id}/transcript.txt`)).text).toBe("01:01 Contact: Good morning.\n");
    const json = await ask("viewer", "GET", `calls/${id}/transcript.json`);
    expect(JSON.parse(json.text)).toEqual([{ speaker: "user", text: "Good morning.", timestamp: 61 }]);
    expect(json.headers.get("content-disposition")).toContain(`${id}.json`);
    const link = await ask("viewer", "GET", `calls/${id}/recording`);
    expect([link.status, link.headers.get("location")]).toEqual([
      302,
      expect.stringMatching(new RegExp(`^/media/${id}/recording\\.wav\\?`)),
    ]);
  });
});

describe("the list", () => {
  test("is filtered by outcome, by agent and by planned time", async () => {
    const { hospital } = signedIn;
    const [busy, spoken] = [await failed({ user_name: "Zed Busy" }), await talked({ user_name: "Zed Talked" })];
    const planned = await hospital.schedule({
      user_number: newNumber(),
      user_name: "Zed Planned",
      scheduled_time: "2026-12-27T10:00:00Z",
    });
    const idsOf = async (query: string) => (await rowsFor(`search=Zed&${query}`)).map(({ call_id }) => call_id);
    expect(await idsOf("outcome=busy")).toEqual([busy]);
    expect(await idsOf("outcome=session_ended")).toEqual([spoken]);
    expect(await idsOf("planned_from=2026-12-27T00:00:00Z&planned_to=2026-12-28T00:00:00Z")).toEqual([planned]);
    expect(await idsOf(`agent_id=${hospital.agentId}`)).toEqual([planned, spoken, busy]);
    const matching = await ask("staff", "GET", "calls/matching?search=Zed");
    expect(matching.json as unknown).toEqual({ call_ids: [planned, spoken, busy], is_cut: false });
  });

  test("treats % and _ literally, and a number with a leading zero as one without its country code", async () => {
    const { hospital } = signedIn;
    const id = await hospital.schedule({
      user_number: "+919822212345",
      user_name: "50% of Under_score",
      scheduled_time: FAR_AHEAD,
    });
    const idsOf = async (text: string) =>
      (await rowsFor(`search=${encodeURIComponent(text)}`)).map(({ call_id }) => call_id);
    for (const text of ["50%", "Under_s", "098222 12345", "98222-12345", "+91 98222 12345", "9822212345"])
      expect([text, await idsOf(text)]).toEqual([text, [id]]);
    for (const text of ["50_", "Under%s", "50% %"]) expect([text, await idsOf(text)]).toEqual([text, []]);
  });

  test("is exported without formulas, completely or by selection", async () => {
    const { hospital } = signedIn;
    const id = await failed({
      user_name: '=HYPERLINK("http://evil.example")',
      user_identifiers: [{ system: "mrn", value: "4711" }],
    });
    const { contact_number } = await hospital.row(id);
    await ask("staff", "PATCH", `agents/${hospital.agentId}`, { dlt_entity_id: "1201159012345678901" });
    const all = await ask("viewer", "GET", "calls/export?outcome=busy");
    const line = all.text.split("\r\n").find((text) => text.includes(contact_number))!;
    expect(all.text).toStartWith("call_id,created_at,planned_for,");
    expect(all.text.split("\r\n")[0]).toEndWith(",credits,purpose,dlt_entity_id,dlt_template_id,identifiers");
    expect(line).toEndWith(",service,1201159012345678901,,mrn: 4711");
    expect(line).toContain(`"'=HYPERLINK(""http://evil.example"")",${contact_number},outbound,Asha,failed,busy,`);
    const chosen = await ask("viewer", "POST", "calls/export", { call_ids: [id, "call_unknown"] });
    expect(chosen.text.trim().split("\r\n").slice(1)).toEqual([line]);
    expect(await hospital.actionsOnRecord()).toContain("call.exported");
  });

  test("many are cancelled at once; those not waiting are reported", async () => {
    const { hospital } = signedIn;
    const waiting = await hospital.schedule({ user_number: newNumber(), scheduled_time: FAR_AHEAD });
    const ended = await failed();
    expect(await bulk("cancel", [waiting, ended])).toEqual({
      done: 1,
      left_out: [{ reason: "not_waiting", count: 1 }],
    });
    expect((await hospital.row(waiting)).state).toBe("cancelled");
    const tooMany = Array.from({ length: 251 }, (_, i) => `call_${i}`);
    expect((await ask("staff", "POST", "calls/cancel", { call_ids: tooMany })).status).toBe(400);
  });
});

describe("permissions", () => {
  test("a viewer changes nothing", async () => {
    const id = await failed();
    for (const [method, path] of [
      ["POST", `calls/${id}/again`],
      ["PATCH", `calls/${id}`],
      ["POST", `calls/${id}/erase`],
      ["POST", "calls/again"],
      ["POST", "calls/cancel"],
      ["GET", "calls/matching"],
    ] as const) {
      const body = method === "GET" ? undefined : path.startsWith("calls/c") ? {} : { call_ids: [id] };
      expect([path, (await ask("viewer", method, path, body)).status]).toEqual([path, 403]);
    }
  });
});

describe("saved filters", () => {
  test("are personal, without the search text, and at most twenty", async () => {
    const saved = async (role: "viewer" | "staff") =>
      (await ask(role, "GET", "call-filters")).json as unknown as { id: string; name: string; filters: object }[];
    const save = (name: string, filters: object) => ask("staff", "POST", "call-filters", { name, filters });
    expect((await save("Busy today", { outcome: "busy", planned: "today" })).status).toBe(200);
    expect((await save("With a name", { search: "Meera" })).status).toBe(200);
    expect((await saved("staff")).map(({ name, filters }) => [name, filters])).toEqual([
      ["Busy today", { outcome: "busy", planned: "today" }],
      ["With a name", {}],
    ]);
    expect(await saved("viewer")).toEqual([]);
    const [first] = await saved("staff");
    expect((await ask("viewer", "DELETE", `call-filters/${first!.id}`)).status).toBe(404);
    expect((await ask("staff", "DELETE", `call-filters/${first!.id}`)).status).toBe(200);
    for (let i = 0; i < 19; i++) await save(`Filter ${i}`, { status: "failed" });
    expect((await save("One more", { status: "failed" })).status).toBe(409);
    expect((await save("Filter 3", { status: "completed" })).status).toBe(200);
  });
});
