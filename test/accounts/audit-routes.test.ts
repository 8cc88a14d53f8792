// The audit log over the API: pages, filters, and an entry for each reading; scope and walls between organisations.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHospital, outcome, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

const PATH = "/v1/audit";
const NUMBER = "+919820011111";

interface Entry {
  id: string;
  at: string;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  subject_id: string | null;
  detail: Record<string, unknown>;
  request_id: string | null;
}

let hospital: Hospital;
beforeAll(async () => void (hospital = await createHospital()));
afterAll(() => hospital.close());

const ask = (query = "", key?: string) => hospital.request("GET", PATH + query, key === undefined ? {} : { key });
const page = async (query = "", key?: string) => {
  const answer = await ask(query, key);
  expect(outcome(answer)).toBe("200 ok");
  return answer.json as unknown as { data: Entry[]; next_cursor: string | null };
};
const ownKeyId = async () => String((await hospital.request("GET", "/v1/me")).json.data["key_id"]);

test("a change is an entry with its actor, its record and the request, and without personal data", async () => {
  const id = await hospital.schedule({ user_name: "Kamala", user_number: NUMBER });
  const read = await hospital.request("GET", `/v1/calls/${id}`);
  await settle();
  const { data } = await page(`?subject_id=${id}`);
  const key = { actor_kind: "key", actor_id: await ownKeyId(), actor_name: "test", subject_id: id };
  expect(data).toMatchObject([
    { ...key, action: "call.read", request_id: read.headers.get("x-request-id") },
    { ...key, action: "call.created" },
  ]);
  expect(JSON.stringify(data)).not.toMatch(/Kamala|98200/);
});

test("each reading is an entry itself, with the number of entries, and stands in the next answer", async () => {
  const first = await ask("?limit=5");
  const { data } = await page("?action=audit.listed");
  expect(data[0]).toMatchObject({
    action: "audit.listed",
    actor_id: await ownKeyId(),
    request_id: first.headers.get("x-request-id"),
    detail: { count: 5 },
  });
});

test("it is filtered by action, actor, record and time", async () => {
  const other = await hospital.newKey(["dnd:write"]);
  hospital.clock.pass(60_000);
  const from = new Date(hospital.clock.now()).toISOString();
  await hospital.request("POST", "/v1/do-not-disturb", { key: other, body: { numbers: [NUMBER] } });
  hospital.clock.pass(60_000);
  const to = new Date(hospital.clock.now()).toISOString();
  await hospital.request("POST", "/v1/do-not-disturb/remove", { key: other, body: { number: NUMBER } });

  const actions = async (query: string) => (await page(`?${query}`)).data.map(({ action }) => action);
  expect(await actions("action=do_not_disturb")).toEqual(["do_not_disturb.removed", "do_not_disturb.imported"]);
  expect(await actions(`action=do_not_disturb&to=${to}`)).toEqual(["do_not_disturb.imported"]);
  expect(await actions(`from=${to}&action=do_not`)).toEqual(["do_not_disturb.removed"]);
  expect(await actions(`from=${from}&to=${to}`)).toEqual(["do_not_disturb.imported"]);
  const [{ actor_id } = { actor_id: "" }] = (await page("?action=do_not_disturb.removed")).data;
  expect(await actions(`actor_id=${actor_id}`)).toEqual(["do_not_disturb.removed", "do_not_disturb.imported"]);
  expect(await actions("action=no.such")).toEqual([]);
});

test("it is paged: every entry once, and a cursor belongs to its filters", async () => {
  const ids: string[] = [];
  let cursor = "";
  do {
    const { data, next_cursor } = await page(`?action=api_key&limit=2${cursor}`);
    ids.push(...data.map(({ id }) => id));
    cursor = next_cursor === null ? "" : `&cursor=${next_cursor}`;
  } while (cursor !== "");
  const stored = await hospital.db.reader
    .selectFrom("audit_entries")
    .select("id")
    .where("organisation_id", "=", hospital.organisationId)
    .where("action", "=", "api_key.created")
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .execute();
  expect(ids).toEqual(stored.map(({ id }) => id));
  const { next_cursor } = await page("?limit=1");
  expect(outcome(await ask(`?action=call&cursor=${next_cursor}`))).toBe("400 VALIDATION_ERROR");
});

test.each([
  "from=soon",
  "to=2026-13-01T00:00:00Z",
  "limit=0",
  "limit=101",
  "cursor=x",
  "actoin=call",
  "action=a&action=b",
])("a wrong query is rejected: %s", async (query) =>
  expect(outcome(await ask(`?${query}`))).toBe("400 VALIDATION_ERROR"),
);

test("nothing is shown if the reading cannot be written down", async () => {
  const { write } = hospital.db;
  hospital.db.write = () => Promise.reject(new Error("The disk is full."));
  const answer = await ask().finally(() => void (hospital.db.write = write));
  expect([outcome(answer), answer.text]).toEqual(["503 UNAVAILABLE", expect.not.stringContaining("api_key")]);
});

test("other organisations have a log of their own, and reading it has a scope of its own", async () => {
  const { key } = await hospital.neighbour();
  const own = await page("?limit=100");
  const theirs = await page("?limit=100", key);
  const ids = new Set(own.data.map(({ id }) => id));
  expect(theirs.data.filter(({ id }) => ids.has(id))).toEqual([]);
  expect((await page(`?actor_id=${await ownKeyId()}`, key)).data).toEqual([]);
  const lists = await hospital.newKey(["audit:list"]);
  expect(outcome(await ask("", lists))).toBe("200 ok");
  expect(outcome(await ask("", await hospital.newKey(["audit:read"])))).toBe("403 INSUFFICIENT_SCOPE");
  const report = "/v1/breach-report?from=2026-11-01T00:00:00Z&to=2026-11-30T00:00:00Z";
  expect(outcome(await hospital.request("GET", report, { key: lists }))).toBe("403 INSUFFICIENT_SCOPE");
});

test("it is narrowed to a patient: their page and their records, and no other organisation's", async () => {
  const own = await hospital.schedule({ user_name: "Lata", user_number: "+919820022222" });
  const other = await hospital.schedule({ user_name: "Uma", user_number: "+919820033333" });
  for (const id of [own, other]) await hospital.request("GET", `/v1/calls/${id}`);
  await settle();
  const contactId = hospital.app.services.contactIds.idOf(hospital.organisationId, "+919820022222");
  const { data } = await page(`?contact_id=${contactId}`);
  expect(data.map(({ action, subject_id }) => `${action} ${subject_id}`)).toEqual([
    `call.read ${own}`,
    `call.created ${own}`,
  ]);
  expect((await page(`?contact_id=${contactId}&action=call.read`)).data).toHaveLength(1);
  const elsewhere = hospital.app.services.contactIds.idOf("org_other", "+919820022222");
  for (const id of [elsewhere, "x", ""]) {
    const answer = await ask(`?contact_id=${id}`);
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
  }
});
