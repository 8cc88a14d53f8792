// Agents over the API: create, list, change, archive, versions and preview; scopes and walls between organisations.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHospital, outcome, type Hospital } from "../support/hospital.ts";

const PATH = "/v1/agents";

interface Agent {
  agent_id: string;
  name: string;
  archived_at: string | null;
}

let hospital: Hospital;
beforeAll(async () => void (hospital = await createHospital()));
afterAll(() => hospital.close());

const ask = (method: string, path = "", body?: unknown, key?: string) =>
  hospital.request(method, PATH + path, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });
const dataOf = async <Data>(answer: ReturnType<typeof ask>): Promise<Data> => {
  const { status, text, json } = await answer;
  if (status >= 300) throw new Error(`The answer was ${status}: ${text}`);
  return json.data as unknown as Data;
};
const made = (body: object = {}, key?: string) => dataOf<Agent>(ask("POST", "", { name: "Ravi", ...body }, key));
const refusal = async (answer: ReturnType<typeof ask>) => {
  const { status, json } = await answer;
  return [status, json.error.code, json.error.details?.[0]?.field];
};

describe("an agent", () => {
  test("needs only a name, and is read as it was created", async () => {
    const agent = await made({ greeting: "Hello {{user_name}}.", calling_hours: null, transfer_to: "201" });
    expect(agent).toMatchObject({ type: "outbound", purpose: "service", archived_at: null, transfer_to: "201" });
    expect(await dataOf<Agent>(ask("GET", `/${agent.agent_id}`))).toEqual(agent);
    expect((await dataOf<Agent[]>(ask("GET")))[0]).toEqual(agent);
  });

  test("is created once per Idempotency-Key", async () => {
    const create = (body: object) =>
      hospital.request("POST", PATH, { body: { name: "Once", ...body }, headers: { "idempotency-key": "agent-1" } });
    const [first, again] = [await create({}), await create({})];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(outcome(await create({ voice: "warm" }))).toBe("422 IDEMPOTENCY_KEY_REUSED");
    expect((await dataOf<Agent[]>(ask("GET"))).filter(({ name }) => name === "Once")).toHaveLength(1);
  });

  test("is changed field by field; each change is audited with the key", async () => {
    const { agent_id } = await made({ greeting: "Hello." });
    const changed = await dataOf(ask("PATCH", `/${agent_id}`, { name: "Meera", retry_attempts: 2 }));
    expect(changed).toMatchObject({ agent_id, name: "Meera", retry_attempts: 2, greeting: "Hello." });
    const entry = await hospital.db.reader
      .selectFrom("audit_entries")
      .select(["actor_kind", "detail"])
      .where("action", "=", "agent.changed")
      .where("subject_id", "=", agent_id)
      .executeTakeFirstOrThrow();
    expect([entry.actor_kind, JSON.parse(entry.detail)]).toEqual(["key", { fields: ["name", "retry_attempts"] }]);
  });

  test("is archived and put back; both are safe to repeat", async () => {
    const { agent_id } = await made();
    const archive = (act: string) => dataOf<Agent>(ask("POST", `/${agent_id}/${act}`));
    const archived = await archive("archive");
    expect(archived.archived_at).toBeString();
    expect(await archive("archive")).toEqual(archived);
    expect(await dataOf<Agent>(ask("GET", `/${agent_id}`))).toEqual(archived);
    const idsIn = async (query: string) => (await dataOf<Agent[]>(ask("GET", query))).map((agent) => agent.agent_id);
    expect(await idsIn("?archived=true")).toEqual([agent_id]);
    expect(await idsIn("?archived=false&limit=100")).not.toContain(agent_id);
    expect(outcome(await ask("PATCH", `/${agent_id}`, { name: "Late" }))).toBe("404 NOT_FOUND");
    expect((await archive("unarchive")).archived_at).toBeNull();
    expect((await archive("unarchive")).archived_at).toBeNull();
    expect(await idsIn("?limit=100")).toContain(agent_id);
  });

  test("with planned calls is not archived", async () => {
    const later = new Date(hospital.clock.now() + 3_600_000).toISOString();
    const callId = await hospital.schedule({ scheduled_time: later });
    expect(outcome(await ask("POST", `/${hospital.agentId}/archive`))).toBe("409 CONFLICT");
    await hospital.request("POST", `/v1/calls/${callId}/cancel`);
  });

  test("is not given a model's own words by a key, neither new nor later", async () => {
    const { agent_id } = await made();
    expect(outcome(await ask("POST", "", { name: "Free", model_speech: "free" }))).toBe("403 INSUFFICIENT_SCOPE");
    expect(outcome(await ask("PATCH", `/${agent_id}`, { model_speech: "free" }))).toBe("403 INSUFFICIENT_SCOPE");
  });

  test("stops being promotional only with a reason, which is audited", async () => {
    const { agent_id } = await made({ purpose: "promotional" });
    const change = (body: object) => ask("PATCH", `/${agent_id}`, body);
    const wrong = [400, "VALIDATION_ERROR", "purpose_reason"];
    expect(await refusal(change({ purpose: "service" }))).toEqual(wrong);
    expect(await refusal(change({ purpose: "service", purpose_reason: "Only now." }))).toEqual(wrong);
    expect(await refusal(change({ purpose: "service", purpose_reason: " ".repeat(20) }))).toEqual(wrong);
    expect(await dataOf<object>(change({ name: "Offers" }))).toMatchObject({ purpose: "promotional" });
    const purpose_reason = "It only reminds of visits now.";
    expect(await dataOf<object>(change({ purpose: "service", purpose_reason }))).toMatchObject({ purpose: "service" });
    expect(await dataOf<object>(change({ purpose: "promotional" }))).toMatchObject({ purpose: "promotional" });
    expect(await refusal(ask("POST", `/${agent_id}/versions/3/restore`))).toEqual(wrong);
    const { reader } = hospital.db;
    const entries = await reader
      .selectFrom("audit_entries")
      .select(["subject_id", "detail"])
      .where("action", "=", "agent.purpose_loosened")
      .execute();
    expect(entries).toHaveLength(1);
    expect(entries[0]?.subject_id).toBe(agent_id);
    expect(JSON.parse(entries[0]?.detail ?? "")).toEqual({ purpose: "service", reason: purpose_reason });
  });

  test.each<[string, object]>([
    ["name", { name: " " }],
    ["type", { type: "both" }],
    ["language", { language: "english please" }],
    ["retry_attempts", { retry_attempts: 11 }],
    ["retry_minutes", { retry_minutes: 0 }],
    ["retry_outcomes.0", { retry_outcomes: ["completed"] }],
    ["calling_hours", { calling_hours: { start: "18:00", end: "09:00", days: [1] } }],
    ["branch_id", { branch_id: "main" }],
    ["transfer_to", { transfer_to: "+19005550100" }],
    ["purpose", { purpose: "ads" }],
    ["recording_mode", { recording_mode: "" }],
    ["dlt_entity_id", { dlt_entity_id: "12" }],
    ["latest_minutes", { latest_minutes: 4 }],
  ])("with a wrong %s is refused: %j", async (field, body) => {
    expect(await refusal(ask("POST", "", { name: "Ravi", ...body }))).toEqual([400, "VALIDATION_ERROR", field]);
    expect(await refusal(ask("PATCH", `/${hospital.agentId}`, body))).toEqual([400, "VALIDATION_ERROR", field]);
  });
});

test("the list has pages, and its cursor belongs to its filter", async () => {
  const { key } = await hospital.neighbour();
  const ids: string[] = [];
  for (const name of ["A", "B", "C"]) ids.unshift((await made({ name }, key)).agent_id);
  const page = async (query: string) => {
    const { json } = await ask("GET", query, undefined, key);
    return json as unknown as { data: Agent[]; next_cursor: string | null };
  };
  const first = await page("?limit=2");
  expect(first.data.map(({ agent_id }) => agent_id)).toEqual(ids.slice(0, 2));
  const second = await page(`?limit=2&cursor=${first.next_cursor}`);
  expect(second.data[0]?.agent_id).toBe(ids[2]);
  expect([second.data.length, second.next_cursor]).toEqual([2, null]);
  expect(await refusal(ask("GET", `?archived=true&cursor=${first.next_cursor}`, undefined, key))).toEqual([
    400,
    "VALIDATION_ERROR",
    "cursor",
  ]);
  expect(await refusal(ask("GET", "?limit=101"))).toEqual([400, "VALIDATION_ERROR", "limit"]);
});

describe("the versions", () => {
  test("are listed with their author's id, compared, and restored as a new one", async () => {
    const { agent_id } = await made({ greeting: "Good morning." });
    await ask("PATCH", `/${agent_id}`, { greeting: "Good evening." });
    const versions = () => dataOf<Record<string, unknown>[]>(ask("GET", `/${agent_id}/versions`));
    expect(await versions()).toEqual([
      expect.objectContaining({ version: 2, changed: ["greeting"], restored_from: null }),
      expect.objectContaining({ version: 1, changed: [] }),
    ]);
    expect((await versions())[0]?.["by"]).toEqual({ kind: "key", id: expect.stringMatching(/^key_/) });

    expect(await dataOf(ask("GET", `/${agent_id}/versions/2`))).toMatchObject({
      version: 2,
      against: 1,
      fields: { greeting: "Good evening." },
      differences: [
        {
          field: "greeting",
          before: "Good morning.",
          after: "Good evening.",
          pieces: [
            { kind: "same", text: "Good " },
            { kind: "removed", text: "morning" },
            { kind: "added", text: "evening" },
            { kind: "same", text: "." },
          ],
        },
      ],
    });
    expect(await dataOf(ask("GET", `/${agent_id}/versions/1?against=2`))).toMatchObject({ version: 1, against: 2 });

    const restored = await dataOf(ask("POST", `/${agent_id}/versions/1/restore`));
    expect(restored).toMatchObject({ agent_id, greeting: "Good morning." });
    expect((await versions())[0]).toMatchObject({ version: 3, restored_from: 1 });
  });

  test("that do not exist are not found, and numbers that are none are refused", async () => {
    const { agent_id } = await made();
    for (const path of ["/versions/9", "/versions/1?against=9"])
      expect(outcome(await ask("GET", `/${agent_id}${path}`))).toBe("404 NOT_FOUND");
    expect(outcome(await ask("POST", `/${agent_id}/versions/9/restore`))).toBe("404 NOT_FOUND");
    for (const path of ["/versions/0", "/versions/x", "/versions/1?against=x"])
      expect(outcome(await ask("GET", `/${agent_id}${path}`))).toBe("400 VALIDATION_ERROR");
  });
});

test("a preview fills in what was sent and what is known, and names what is missing", async () => {
  const template = "Hello {{user_name}}, this is {{hospital}}. Your visit: {{visit}}.";
  expect(await dataOf(ask("POST", "/preview", { template, values: { user_name: "Asha" } }))).toEqual({
    text: "Hello Asha, this is Test Hospital. Your visit.",
    missing: ["visit"],
  });
  const values = JSON.stringify({ template, values: {} }).replace('"values":{}', '"values":{"n":1e400}');
  const tooLarge = await hospital.request("POST", `${PATH}/preview`, { body: values });
  expect([tooLarge.status, tooLarge.json.error.details?.[0]?.field]).toEqual([400, "values"]);
});

test("other organisations neither see nor change it", async () => {
  const { agent_id } = await made();
  const { key } = await hospital.neighbour();
  for (const [method, path, body] of [
    ["GET", ""],
    ["PATCH", "", { name: "Theirs" }],
    ["POST", "/archive"],
    ["POST", "/unarchive"],
    ["GET", "/versions"],
    ["GET", "/versions/1"],
    ["POST", "/versions/1/restore"],
  ] as const)
    expect(outcome(await ask(method, `/${agent_id}${path}`, body, key))).toBe("404 NOT_FOUND");
  const theirs = await dataOf<Agent[]>(ask("GET", "?limit=100", undefined, key));
  expect(theirs.map((agent) => agent.agent_id)).not.toContain(agent_id);
  expect(await dataOf<Agent>(ask("GET", `/${agent_id}`))).toMatchObject({ name: "Ravi", archived_at: null });
});

test("reading and writing have a scope each", async () => {
  const { agent_id } = await made();
  const [reads, writes] = [await hospital.newKey(["agents:read"]), await hospital.newKey(["agents:write"])];
  const READS = [
    ["GET", ""],
    ["GET", `/${agent_id}`],
    ["GET", `/${agent_id}/versions`],
    ["GET", `/${agent_id}/versions/1`],
    ["POST", "/preview", { template: "Hello.", values: {} }],
  ] as const;
  const WRITES = [
    ["POST", "", { name: "New" }],
    ["PATCH", `/${agent_id}`, { name: "New" }],
    ["POST", `/${agent_id}/versions/1/restore`],
    ["POST", `/${agent_id}/archive`],
    ["POST", `/${agent_id}/unarchive`],
  ] as const;
  for (const [method, path, body] of READS) {
    expect((await ask(method, path, body, reads)).status).toBe(200);
    expect(outcome(await ask(method, path, body, writes))).toBe("403 INSUFFICIENT_SCOPE");
  }
  for (const [method, path, body] of WRITES) {
    expect(outcome(await ask(method, path, body, reads))).toBe("403 INSUFFICIENT_SCOPE");
    expect((await ask(method, path, body, writes)).status).toBeLessThan(300);
  }
});
