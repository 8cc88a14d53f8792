// API keys over the API: shown once, never with more rights or a later end than the key that creates them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/clock.ts";
import type { Scope } from "../../src/payloads/scopes.ts";
import { createHospital, outcome, type Hospital, type HospitalOptions } from "../support/hospital.ts";

const PATH = "/v1/api-keys";

let hospital: Hospital;
beforeAll(async () => void (hospital = await createHospital()));
afterAll(() => hospital.close());

interface Key {
  key_id: string;
  key: string | null;
  scopes: string[];
  status: string;
  expires_at: string | null;
}
const ask = (method: string, path: string, body?: unknown, key?: string) =>
  hospital.request(method, path, { ...(body === undefined ? {} : { body }), ...(key === undefined ? {} : { key }) });
const post = (body: object, key?: string) => ask("POST", PATH, { name: "HIS", scopes: ["calls:read"], ...body }, key);
const create = async (body: object = {}, key?: string): Promise<Key> => {
  const answer = await post(body, key);
  expect(outcome(answer)).toBe("201 ok");
  return answer.json.data as unknown as Key;
};
const shown = async (id: string) => (await ask("GET", `${PATH}/${id}`)).json.data as unknown as Key;
const inHours = (hours: number) => new Date(hospital.clock.now() + hours * HOUR_MS).toISOString();
const expiringKey = async (scopes: readonly Scope[], afterMs: number) => {
  const expiresAt = hospital.clock.now() + afterMs;
  const input = { name: "short", scopes, expiresAt };
  return hospital.app.services.keys.create(hospital.organisationId, input, CLI_ACTOR);
};

test("a key is created, used, read and revoked; it is shown once", async () => {
  const { key, key_id: id, ...made } = await create({ scopes: ["calls:read", "calls:create"] });
  expect(made).toMatchObject({ name: "HIS", scopes: ["calls:create", "calls:read"], status: "active" });
  expect((await ask("GET", "/v1/me", undefined, String(key))).json.data).toMatchObject({ key_id: id });
  const one = await ask("GET", `${PATH}/${id}`);
  expect(one.json.data as unknown).toEqual({ key_id: id, ...made, last_used_at: null });
  expect((await ask("GET", PATH)).text + one.text).not.toMatch(/rw_live_|secret_hash/);

  expect((await ask("DELETE", `${PATH}/${id}`)).json.data as unknown).toEqual({ revoked: true });
  expect(outcome(await ask("DELETE", `${PATH}/${id}`))).toBe("404 NOT_FOUND");
  expect(outcome(await ask("GET", "/v1/me", undefined, String(key)))).toBe("401 UNAUTHORIZED");
  expect((await shown(id)).status).toBe("revoked");
  const entries = await hospital.db.reader
    .selectFrom("audit_entries")
    .selectAll()
    .where("subject_id", "=", id)
    .execute();
  expect(entries.map(({ action, actor_kind }) => [action, actor_kind])).toEqual([
    ["api_key.created", "key"],
    ["api_key.revoked", "key"],
  ]);
  expect(JSON.stringify(entries)).not.toContain(String(key).slice(-43));
});

test("a repeated creation makes one key and does not repeat it; the stored answer has no key", async () => {
  const once = () =>
    hospital.request("POST", PATH, {
      body: { name: "Once", scopes: ["calls:read"] },
      headers: { "idempotency-key": "k" },
    });
  const first = (await once()).json.data as unknown as Key;
  const again = await once();
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  expect(again.json.data as unknown).toEqual({ ...first, key: null });
  const kept = await hospital.db.reader.selectFrom("idempotency_keys").selectAll().execute();
  expect(JSON.stringify(kept)).not.toContain(String(first.key).slice(-43));
});

test("a key gives only scopes that it has, and revokes only keys that it could have created", async () => {
  const limited = await hospital.newKey(["keys:write", "calls:read"]);
  const refused = await post({ scopes: ["calls:read", "calls:create", "keys:read"] }, limited);
  expect(outcome(refused)).toBe("403 INSUFFICIENT_SCOPE");
  expect(refused.json.error.message).toContain("lacks calls:create, keys:read");
  const child = await create({ scopes: ["calls:read", "keys:write"] }, limited);
  // A child has no more than its parent either.
  expect(outcome(await post({ scopes: ["calls:create"] }, String(child.key)))).toBe("403 INSUFFICIENT_SCOPE");

  const wider = await create({ scopes: ["calls:read", "calls:create"] });
  expect(outcome(await ask("DELETE", `${PATH}/${wider.key_id}`, undefined, limited))).toBe("403 INSUFFICIENT_SCOPE");
  expect((await shown(wider.key_id)).status).toBe("active");
  expect(outcome(await ask("DELETE", `${PATH}/${child.key_id}`, undefined, limited))).toBe("200 ok");
});

test("a key can revoke itself", async () => {
  const { key, key_id: id } = await create({ scopes: ["keys:write"] });
  expect(outcome(await ask("DELETE", `${PATH}/${id}`, undefined, String(key)))).toBe("200 ok");
  expect(outcome(await post({}, String(key)))).toBe("401 UNAUTHORIZED");
});

test("no key outlives the key that creates it", async () => {
  const { key } = await expiringKey(["keys:write", "calls:read"], 2 * HOUR_MS);
  expect((await create({}, key)).expires_at).toBe(inHours(2));
  expect((await create({ expires_at: null }, key)).expires_at).toBe(inHours(2));
  expect((await create({ expires_at: inHours(1) }, key)).expires_at).toBe(inHours(1));
  const late = await post({ expires_at: inHours(3) }, key);
  expect([outcome(late), late.json.error.details?.[0]?.field]).toEqual(["400 VALIDATION_ERROR", "expires_at"]);
  expect((await create({})).expires_at).toBe(null);
  expect((await create({ expires_at: inHours(3) })).expires_at).toBe(inHours(3));
  for (const expires_at of [inHours(-1), inHours(0), "soon"])
    expect(outcome(await post({ expires_at }))).toBe("400 VALIDATION_ERROR");
});

test("keys are listed newest first, in pages and by status", async () => {
  const own = await createHospital();
  const { organisationId, request } = own;
  const { keys } = own.app.services;
  for (let at = 0; at < 5; at++) {
    own.clock.pass(1_000);
    await keys.create(organisationId, { name: `Key ${at}`, scopes: ["calls:read"] }, CLI_ACTOR);
  }
  const expiresAt = own.clock.now() + DAY_MS;
  const short = await keys.create(organisationId, { name: "short", scopes: ["calls:read"], expiresAt }, CLI_ACTOR);
  const gone = await keys.create(organisationId, { name: "gone", scopes: ["calls:read"] }, CLI_ACTOR);
  await keys.revoke(organisationId, gone.key_id, CLI_ACTOR);
  own.clock.pass(2 * DAY_MS);
  const page = async (query: string) => {
    const { json } = await request("GET", `${PATH}?${query}`);
    return json as unknown as { data: (Key & { name: string })[]; next_cursor: string | null };
  };
  expect((await page("status=expired")).data.map(({ key_id }) => key_id)).toEqual([short.key_id]);
  expect((await page("status=revoked")).data.map(({ key_id }) => key_id)).toEqual([gone.key_id]);
  const seen: string[] = [];
  let cursor = "";
  do {
    const { data, next_cursor } = await page(`status=active&limit=2${cursor}`);
    seen.push(...data.map(({ name }) => name));
    cursor = next_cursor === null ? "" : `&cursor=${next_cursor}`;
  } while (cursor !== "");
  expect(seen).toEqual(["Key 4", "Key 3", "Key 2", "Key 1", "Key 0", "test"]);
  const { next_cursor } = await page("status=active&limit=2");
  expect(outcome(await request("GET", `${PATH}?status=revoked&cursor=${next_cursor}`))).toBe("400 VALIDATION_ERROR");
  await own.close();
});

test("the plan limits the number of active keys", async () => {
  const settings: HospitalOptions["settings"] = { RINGWARD_PLANS__BASE__API_KEYS: "3" };
  const small = await createHospital({ settings });
  const body = { name: "HIS", scopes: ["calls:read"] };
  const made = await small.request("POST", PATH, { body });
  expect(outcome(made)).toBe("201 ok");
  expect(outcome(await small.request("POST", PATH, { body }))).toBe("201 ok");
  expect(outcome(await small.request("POST", PATH, { body }))).toBe("403 PLAN_LIMIT_REACHED");
  await small.request("DELETE", `${PATH}/${made.json.data["key_id"]}`);
  expect(outcome(await small.request("POST", PATH, { body }))).toBe("201 ok");
  await small.close();
});

test("other organisations neither see nor revoke it", async () => {
  const { key_id: id } = await create();
  const { key } = await hospital.neighbour();
  const { text } = await ask("GET", PATH, undefined, key);
  expect(text).not.toContain(id);
  expect(outcome(await ask("GET", `${PATH}/${id}`, undefined, key))).toBe("404 NOT_FOUND");
  expect(outcome(await ask("DELETE", `${PATH}/${id}`, undefined, key))).toBe("404 NOT_FOUND");
  expect((await shown(id)).status).toBe("active");
});

test("reading and writing have a scope each", async () => {
  const [reads, writes] = [await hospital.newKey(["keys:read"]), await hospital.newKey(["keys:write"])];
  const { key_id: id } = await create({ scopes: ["keys:write"] }, writes);
  for (const path of [PATH, `${PATH}/${id}`]) {
    expect(outcome(await ask("GET", path, undefined, reads))).toBe("200 ok");
    expect(outcome(await ask("GET", path, undefined, writes))).toBe("403 INSUFFICIENT_SCOPE");
  }
  expect(outcome(await post({ scopes: ["keys:read"] }, reads))).toBe("403 INSUFFICIENT_SCOPE");
  expect(outcome(await ask("DELETE", `${PATH}/${id}`, undefined, reads))).toBe("403 INSUFFICIENT_SCOPE");
});

test.each([
  ["name", { scopes: ["calls:read"] }],
  ["name", { name: " ", scopes: ["calls:read"] }],
  ["name", { name: "x".repeat(101), scopes: ["calls:read"] }],
  ["scopes", { name: "HIS" }],
  ["scopes", { name: "HIS", scopes: [] }],
  ["scopes", { name: "HIS", scopes: ["calls:everything"] }],
])("a wrong %s is rejected: %j", async (field, body) => {
  const answer = await ask("POST", PATH, body);
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(`"${field}`)]);
});
