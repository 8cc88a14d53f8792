// Trunks over the API: create, list, change, remove and status; passwords, scopes and walls between organisations.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ENTRY_DEFAULTS } from "../../src/config/trunk-entries.ts";
import type { TrunkState } from "../../src/trunks/trunk-settings.ts";
import { presentStates } from "../../src/trunks/trunk-status.ts";
import type { TrunkView } from "../../src/trunks/trunk-view.ts";
import { createHospital, outcome, type Hospital } from "../support/hospital.ts";

const PATH = "/v1/trunks";
const SECRET = "tr0ub4dor-and-3";

let hospital: Hospital;
beforeAll(async () => void (hospital = await createHospital({ logged: true })));
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
let count = 0;
const made = (body: object = {}, key?: string) =>
  dataOf<TrunkView>(ask("POST", "", { name: `Trunk ${++count}`, host: "pbx.example", ...body }, key));
const secretOf = async (trunkId: string) =>
  (await hospital.app.services.trunks.settings()).find(({ id }) => id === trunkId)?.secret;

describe("a trunk", () => {
  test("needs a name and a host, and is read as it was created", async () => {
    const trunk = await made({ transport: "tcp", calls_per_second: 0.5, allowed_prefixes: ["+91"], caller_id: "2001" });
    expect(trunk).toMatchObject({ transport: "tcp", calls_per_second: 0.5, source: "dashboard", has_secret: false });
    expect(await dataOf<TrunkView>(ask("GET", `/${trunk.trunk_id}`))).toEqual(trunk);
    expect((await dataOf<TrunkView[]>(ask("GET")))[0]).toEqual(trunk);
    expect(outcome(await ask("POST", "", { name: trunk.name, host: "pbx.example" }))).toBe("409 CONFLICT");
  });

  test("never shows its password: not when it is created, read, changed, repeated or logged", async () => {
    const body = { name: "Secretive", host: "pbx.example", username: "ward", secret: SECRET };
    const create = () => hospital.request("POST", PATH, { body, headers: { "idempotency-key": "trunk-1" } });
    const [first, again] = [await create(), await create()];
    expect([first.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const { trunk_id } = first.json.data as unknown as TrunkView;
    const answers = [first, again, await ask("PATCH", `/${trunk_id}`, { secret: `${SECRET}!` })];
    for (const path of ["", `/${trunk_id}`, `/${trunk_id}/status`]) answers.push(await ask("GET", path));
    for (const { text } of answers) expect(text).not.toContain(SECRET);
    expect(hospital.logLines.join("\n")).not.toContain(SECRET);
    const stored = await hospital.db.reader.selectFrom("idempotency_keys").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(SECRET);
    expect(await secretOf(trunk_id)).toBe(`${SECRET}!`);
  });

  test("keeps its password when it is changed, until null removes it", async () => {
    const { trunk_id } = await made({ username: "ward", secret: SECRET });
    expect(await dataOf<TrunkView>(ask("PATCH", `/${trunk_id}`, { port: 5070 }))).toMatchObject({
      port: 5070,
      username: "ward",
      has_secret: true,
    });
    expect(await secretOf(trunk_id)).toBe(SECRET);
    expect((await dataOf<TrunkView>(ask("PATCH", `/${trunk_id}`, { secret: null }))).has_secret).toBeFalse();
    expect(await secretOf(trunk_id)).toBeNull();
  });

  test("is removed once it carries no numbers", async () => {
    const { trunk_id } = await made();
    const add = { number: "+912246000001", trunk_id };
    const { phone_number_id } = (await hospital.request("POST", "/v1/phone-numbers", { body: add })).json.data;
    expect((await dataOf<TrunkView>(ask("GET", `/${trunk_id}`))).numbers).toEqual([add.number]);
    expect(outcome(await ask("DELETE", `/${trunk_id}`))).toBe("409 CONFLICT");
    await hospital.request("DELETE", `/v1/phone-numbers/${phone_number_id}`);
    expect(await dataOf<unknown>(ask("DELETE", `/${trunk_id}`))).toEqual({ deleted: true });
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/status"],
    ] as const)
      expect(outcome(await ask(method, `/${trunk_id}${path}`))).toBe("404 NOT_FOUND");
  });

  test("of the configuration is read, and changed there alone", async () => {
    const { trunks } = hospital.app.services;
    await trunks.applySettingsTrunks({ trunks: { main: { ...ENTRY_DEFAULTS, host: "pbx.example" } } });
    const { trunk_id } = await trunks.byName(hospital.organisationId, "main");
    expect(await dataOf<TrunkView>(ask("GET", `/${trunk_id}`))).toMatchObject({ name: "main", source: "settings" });
    for (const [method, body] of [["PATCH", { port: 5070 }], ["DELETE"]] as const) {
      const { status, json } = await ask(method, `/${trunk_id}`, body);
      expect([status, json.error.code, json.error.message]).toEqual([
        409,
        "CONFLICT",
        expect.stringContaining("under trunks.main"),
      ]);
    }
  });

  test.each<[string, object]>([
    ["name", { name: "" }],
    ["host", { host: "sip:pbx.example" }],
    ["host", { host: "pbx example" }],
    ["port", { port: 65_536 }],
    ["transport", { transport: "sctp" }],
    ["ca_pem", { transport: "tls", ca_pem: "none" }],
    ["secret", { secret: SECRET }],
    ["register", { register: true }],
    ["caller_id", { caller_id: "front desk" }],
    ["dial_prefix", { dial_prefix: "9" }],
    ["options_seconds", { options_seconds: 3 }],
    ["codecs", { codecs: ["G722"] }],
    ["srtp", { srtp: "required" }],
    ["calls_per_second", { calls_per_second: 0 }],
  ])("with a wrong %s is refused: %j", async (field, body) => {
    const { status, json, text } = await ask("POST", "", { name: "Wrong", host: "pbx.example", ...body });
    expect([status, json.error.code, json.error.details?.[0]?.field]).toEqual([400, "VALIDATION_ERROR", field]);
    expect(text).not.toContain(SECRET);
  });
});

test("the list has pages", async () => {
  const { key } = await hospital.neighbour();
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) ids.unshift((await made({}, key)).trunk_id);
  const page = async (query: string) =>
    (await ask("GET", query, undefined, key)).json as unknown as { data: TrunkView[]; next_cursor: string | null };
  const first = await page("?limit=2");
  const second = await page(`?limit=2&cursor=${first.next_cursor}`);
  expect([...first.data, ...second.data].map(({ trunk_id }) => trunk_id)).toEqual(ids);
  expect(second.next_cursor).toBeNull();
});

describe("the status", () => {
  const DOWN: TrunkState = {
    id: "",
    state: "down",
    isRegistered: false,
    roundTripMs: 12,
    lastError: "192.0.2.1 refused the connection.",
    restingUntilMs: null,
    activeCalls: 1,
    lines: 10,
    address: "192.0.2.1:5060",
  };

  test("of a trunk that was not contacted yet is unknown", async () => {
    const { trunk_id } = await made({ concurrent_calls: 30 });
    expect(await dataOf<unknown>(ask("GET", `/${trunk_id}/status`))).toEqual({
      trunk_id,
      mode: "simulator",
      state: "unknown",
      is_registered: null,
      round_trip_ms: null,
      last_error: null,
      resting_until: null,
      active_calls: 0,
      lines: 30,
      address: null,
      at: null,
    });
  });

  test("is the last stored one, in detail only for keys that may change trunks", async () => {
    const { trunk_id } = await made();
    await hospital.app.services.trunks.storeStates([{ ...DOWN, id: trunk_id }]);
    expect(await dataOf<unknown>(ask("GET", `/${trunk_id}/status`))).toMatchObject({
      state: "down",
      last_error: DOWN.lastError,
      address: DOWN.address,
      round_trip_ms: 12,
    });
    const reads = await hospital.newKey(["trunks:read"]);
    const seen = await ask("GET", `/${trunk_id}/status`, undefined, reads);
    expect(seen.json.data as unknown).toMatchObject({ state: "down", address: null, round_trip_ms: null });
    expect(seen.text).not.toContain("192.0.2.1");
  });

  test("is the running carrier's own, else the last stored one", async () => {
    const { trunks } = hospital.app.services;
    const [live, stored, unseen] = [await made(), await made(), await made()];
    await trunks.storeStates([live, stored].map(({ trunk_id }) => ({ ...DOWN, id: trunk_id })));
    const up: TrunkState = { ...DOWN, id: live.trunk_id, state: "up", lastError: null };
    const telephony = { mode: "sip" as const, trunkStates: () => [up] };
    const stateOf = await presentStates(hospital.organisationId, { clock: hospital.clock, trunks, telephony });
    const states = [live, stored, unseen].map(({ trunk_id }) => stateOf(trunk_id)?.state);
    expect(states).toEqual(["up", "down", undefined]);
  });
});

test("other organisations neither see nor change it", async () => {
  const { trunk_id } = await made({ username: "ward" });
  const { key } = await hospital.neighbour();
  for (const [method, path, body] of [
    ["GET", ""],
    ["GET", "/status"],
    ["PATCH", "", { port: 1 }],
    ["DELETE", ""],
  ] as const)
    expect(outcome(await ask(method, `/${trunk_id}${path}`, body, key))).toBe("404 NOT_FOUND");
  expect(await dataOf<TrunkView>(ask("GET", `/${trunk_id}`))).toMatchObject({ port: 0 });
});

test("changes are audited with the key, and without the password", async () => {
  const { trunk_id } = await made({ username: "ward", secret: SECRET });
  await ask("PATCH", `/${trunk_id}`, { secret: `${SECRET}?` });
  await ask("DELETE", `/${trunk_id}`);
  const entries = await hospital.db.reader
    .selectFrom("audit_entries")
    .selectAll()
    .where("subject_id", "=", trunk_id)
    .orderBy("id")
    .execute();
  expect(entries.map(({ action, actor_kind }) => `${action} ${actor_kind}`)).toEqual([
    "trunk.created key",
    "trunk.changed key",
    "trunk.deleted key",
  ]);
  expect(JSON.stringify(entries)).not.toContain(SECRET);
});

test("reading and writing have a scope each", async () => {
  const { trunk_id } = await made();
  const [reads, writes] = [await hospital.newKey(["trunks:read"]), await hospital.newKey(["trunks:write"])];
  for (const path of ["", `/${trunk_id}`, `/${trunk_id}/status`]) {
    expect((await ask("GET", path, undefined, reads)).status).toBe(200);
    expect(outcome(await ask("GET", path, undefined, writes))).toBe("403 INSUFFICIENT_SCOPE");
  }
  for (const [method, path, body] of [
    ["POST", "", { name: "New", host: "pbx.example" }],
    ["PATCH", `/${trunk_id}`, { port: 5070 }],
    ["DELETE", `/${trunk_id}`],
  ] as const) {
    expect(outcome(await ask(method, path, body, reads))).toBe("403 INSUFFICIENT_SCOPE");
    expect((await ask(method, path, body, writes)).status).toBeLessThan(300);
  }
});
