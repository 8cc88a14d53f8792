// Phone numbers over the API: add, list, change and remove; scopes and walls between organisations.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { ENTRY_DEFAULTS } from "../../src/config/trunk-entries.ts";
import { createHospital, outcome, type Hospital } from "../support/hospital.ts";

const PATH = "/v1/phone-numbers";
const BY_SETTINGS = "+15555550199";

interface PhoneNumber {
  phone_number_id: string;
  number: string;
  agent_id: string | null;
  concurrent_calls: number;
  trunk_id: string | null;
}

let hospital: Hospital;
beforeAll(async () => {
  hospital = await createHospital({
    settings: { RINGWARD_TRUNKS__MAIN__HOST: "pbx.example", RINGWARD_TRUNKS__MAIN__NUMBERS: BY_SETTINGS },
  });
});
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
let used = 100;
const added = (body: object = {}, key?: string) =>
  dataOf<PhoneNumber>(ask("POST", "", { number: `+912241${String(++used).padStart(6, "0")}`, ...body }, key));
const newTrunk = async (organisationId = hospital.organisationId) => {
  const input = { name: `Trunk ${++used}`, host: "pbx.example" };
  return (await hospital.app.services.trunks.create(organisationId, input, CLI_ACTOR)).trunk_id;
};
const actionsOn = async (id: string) => {
  const rows = await hospital.db.reader
    .selectFrom("audit_entries")
    .select("action")
    .where("subject_id", "=", id)
    .orderBy("id")
    .execute();
  return rows.map(({ action }) => action);
};

describe("a number", () => {
  test("is added with its agent, lines and trunk, and read as it was added", async () => {
    const trunk_id = await newTrunk();
    const number = await added({ agent_id: hospital.agentId, concurrent_calls: 3, trunk_id });
    expect(number).toMatchObject({ agent_id: hospital.agentId, concurrent_calls: 3, trunk_id });
    expect(number.phone_number_id).toStartWith("num_");
    expect(await dataOf<PhoneNumber>(ask("GET", `/${number.phone_number_id}`))).toEqual(number);
    expect((await dataOf<PhoneNumber[]>(ask("GET")))[0]).toEqual(number);
    expect(await added()).toMatchObject({ agent_id: null, concurrent_calls: 10, trunk_id: null });
  });

  test("is added once per Idempotency-Key", async () => {
    const add = (number: string) =>
      hospital.request("POST", PATH, { body: { number }, headers: { "idempotency-key": "number-1" } });
    const [first, again] = [await add("+912242000001"), await add("+912242000001")];
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(outcome(await add("+912242000002"))).toBe("422 IDEMPOTENCY_KEY_REUSED");
    expect(outcome(await ask("POST", "", { number: "+912242000001" }))).toBe("409 CONFLICT");
  });

  test("is changed as a whole or not at all, and each change is audited", async () => {
    const { phone_number_id: id } = await added();
    const trunk_id = await newTrunk();
    const change = { agent_id: hospital.agentId, concurrent_calls: 7, trunk_id };
    expect(await dataOf<PhoneNumber>(ask("PATCH", `/${id}`, change))).toMatchObject(change);
    expect(await actionsOn(id)).toEqual([
      "phone_number.added",
      "phone_number.assigned",
      "phone_number.lines_changed",
      "phone_number.trunk_changed",
    ]);
    const half = { agent_id: null, trunk_id: "trk_00000000000000000000000000" };
    expect(outcome(await ask("PATCH", `/${id}`, half))).toBe("404 NOT_FOUND");
    expect(await dataOf<PhoneNumber>(ask("GET", `/${id}`))).toMatchObject(change);
    const none = { agent_id: null, trunk_id: null };
    expect(await dataOf<PhoneNumber>(ask("PATCH", `/${id}`, none))).toMatchObject({ ...none, concurrent_calls: 7 });
  });

  test("is removed, and can be added again", async () => {
    const { phone_number_id: id, number } = await added({ agent_id: hospital.agentId });
    expect(await dataOf<unknown>(ask("DELETE", `/${id}`))).toEqual({ deleted: true });
    for (const [method, body] of [["GET"], ["DELETE"], ["PATCH", { concurrent_calls: 1 }]] as const)
      expect(outcome(await ask(method, `/${id}`, body))).toBe("404 NOT_FOUND");
    const again = await added({ number });
    expect(again.phone_number_id).not.toBe(id);
  });

  test("that the configuration puts on a trunk stays there", async () => {
    const { phone_number_id: id } = await added({ number: BY_SETTINGS });
    await hospital.app.services.trunks.applySettingsTrunks({
      trunks: { main: { ...ENTRY_DEFAULTS, host: "pbx.example", numbers: [BY_SETTINGS] } },
    });
    expect((await dataOf<PhoneNumber>(ask("GET", `/${id}`))).trunk_id).toStartWith("trk_");
    expect(outcome(await ask("PATCH", `/${id}`, { concurrent_calls: 2, trunk_id: null }))).toBe("409 CONFLICT");
    expect(outcome(await ask("DELETE", `/${id}`))).toBe("409 CONFLICT");
    expect((await dataOf<PhoneNumber>(ask("GET", `/${id}`))).concurrent_calls).toBe(10);
  });

  test.each<[string, string | undefined, object]>([
    ["422 INVALID_PHONE_NUMBER", "number", { number: "022 4100" }],
    ["422 UNSUPPORTED_COUNTRY", "number", { number: "+442071234567" }],
    ["400 VALIDATION_ERROR", "concurrent_calls", { concurrent_calls: 0 }],
    ["400 VALIDATION_ERROR", "concurrent_calls", { concurrent_calls: 10_001 }],
    ["400 VALIDATION_ERROR", "agent_id", { agent_id: 7 }],
    ["404 NOT_FOUND", undefined, { agent_id: "" }],
    ["404 NOT_FOUND", undefined, { trunk_id: "" }],
  ])("is refused with %s for %s: %j", async (status, field, body) => {
    const answer = await ask("POST", "", { number: "+912243000001", ...body });
    expect([outcome(answer), answer.json.error.details?.[0]?.field]).toEqual([status, field]);
  });
});

test("the list has pages", async () => {
  const { key } = await hospital.neighbour();
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) ids.unshift((await added({}, key)).phone_number_id);
  const page = async (query: string) =>
    (await ask("GET", query, undefined, key)).json as unknown as { data: PhoneNumber[]; next_cursor: string | null };
  const first = await page("?limit=2");
  const second = await page(`?limit=2&cursor=${first.next_cursor}`);
  const seen = [...first.data, ...second.data].map(({ phone_number_id }) => phone_number_id);
  // The last one came with the neighbour's agent.
  expect(seen.slice(0, 3)).toEqual(ids);
  expect([seen.length, second.next_cursor]).toEqual([4, null]);
});

describe("other organisations", () => {
  test("neither see nor change it", async () => {
    const { phone_number_id: id } = await added();
    const { key } = await hospital.neighbour();
    for (const [method, body] of [["GET"], ["PATCH", { concurrent_calls: 1 }], ["DELETE"]] as const)
      expect(outcome(await ask(method, `/${id}`, body, key))).toBe("404 NOT_FOUND");
    expect(await dataOf<PhoneNumber>(ask("GET", `/${id}`))).toMatchObject({ concurrent_calls: 10 });
  });

  test("do not lend their agents and trunks", async () => {
    const { phone_number_id: id } = await added();
    const { organisationId, agentId } = await hospital.neighbour();
    const theirs = [{ agent_id: agentId }, { trunk_id: await newTrunk(organisationId) }];
    for (const body of theirs) {
      expect(outcome(await ask("PATCH", `/${id}`, body))).toBe("404 NOT_FOUND");
      expect(outcome(await ask("POST", "", { number: "+912244000001", ...body }))).toBe("404 NOT_FOUND");
    }
  });

  test("keep their numbers, and cannot be asked for them one after the other", async () => {
    const { key } = await hospital.neighbour();
    const { number } = await added();
    const claim = () => ask("POST", "", { number }, key);
    for (let at = 0; at < 5; at++) expect(outcome(await claim())).toBe("409 CONFLICT");
    const last = await claim();
    expect(outcome(last)).toBe("429 RATE_LIMITED");
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

test("reading and writing have a scope each", async () => {
  const { phone_number_id: id } = await added();
  const [reads, writes] = [await hospital.newKey(["numbers:read"]), await hospital.newKey(["numbers:write"])];
  for (const path of ["", `/${id}`]) {
    expect((await ask("GET", path, undefined, reads)).status).toBe(200);
    expect(outcome(await ask("GET", path, undefined, writes))).toBe("403 INSUFFICIENT_SCOPE");
  }
  for (const [method, path, body] of [
    ["POST", "", { number: "+912245000001" }],
    ["PATCH", `/${id}`, { concurrent_calls: 2 }],
    ["DELETE", `/${id}`],
  ] as const) {
    expect(outcome(await ask(method, path, body, reads))).toBe("403 INSUFFICIENT_SCOPE");
    expect((await ask(method, path, body, writes)).status).toBeLessThan(300);
  }
});
