// The do-not-disturb list over the API: pages, lookup, additions and removals; scopes and walls between organisations.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHospital, DIAL_DELAY_MS, outcome, type Hospital } from "../../support/hospital.ts";

const PATH = "/v1/do-not-disturb";
const NUMBERS = ["+919820011111", "+919820022222", "+919820033333", "+919820044444", "+919820055555"];

interface Entry {
  number: string;
  added_at: string;
  source: string;
  call_id: string | null;
}

let hospital: Hospital;
beforeAll(async () => void (hospital = await createHospital()));
afterAll(() => hospital.close());

const send = (path: string, body: unknown, key?: string) =>
  hospital.request("POST", PATH + path, { body, ...(key === undefined ? {} : { key }) });
const add = (numbers: readonly string[], key?: string) => send("", { numbers }, key);
const page = async (query = "", key?: string) => {
  const { json } = await hospital.request("GET", PATH + query, key === undefined ? {} : { key });
  return json as unknown as { data: Entry[]; next_cursor: string | null };
};
const isListed = async (number: string, key?: string) =>
  ((await send("/lookup", { numbers: [number] }, key)).json.data as unknown as { listed: boolean }[])[0]?.listed;

test("numbers are added once, looked up and removed, and each is audited without its number", async () => {
  expect((await add(["+919820011111", "+919820022222", "+919820011111"])).json.data as unknown).toEqual({
    added: 2,
    already: 0,
  });
  expect((await add(["+919820022222", "+919820033333"])).json.data as unknown).toEqual({ added: 1, already: 1 });
  expect((await send("/lookup", { numbers: ["+919820033333", "+919820099999"] })).json.data as unknown).toEqual([
    { number: "+919820033333", listed: true, added_at: expect.any(String), source: "list", call_id: null },
    { number: "+919820099999", listed: false, added_at: null, source: null, call_id: null },
  ]);
  expect((await send("/remove", { number: "+919820033333" })).json.data as unknown).toEqual({ deleted: true });
  expect(outcome(await send("/remove", { number: "+919820033333" }))).toBe("404 NOT_FOUND");
  expect(await isListed("+919820033333")).toBe(false);
  const entries = await hospital.db.reader.selectFrom("audit_entries").selectAll().execute();
  const actions = entries.map(({ action }) => action);
  for (const action of ["imported", "read", "removed"]) expect(actions).toContain(`do_not_disturb.${action}`);
  expect(JSON.stringify(entries)).not.toMatch(/98200/);
});

test("one number alone is recorded as added over the API", async () => {
  await add(["+919820066666"]);
  const { data } = await page("?limit=100");
  expect(data.find(({ number }) => number === "+919820066666")?.source).toBe("api");
  await send("/remove", { number: "+919820066666" });
});

test("the list is paged, and no cursor shows a number or is accepted in another organisation", async () => {
  await add(NUMBERS);
  const seen: string[] = [];
  let next: string | null = null;
  do {
    const { data, next_cursor }: { data: Entry[]; next_cursor: string | null } = await page(
      next === null ? "?limit=2" : `?limit=2&cursor=${encodeURIComponent(next)}`,
    );
    expect(data.length).toBeLessThanOrEqual(2);
    seen.push(...data.map(({ number }) => number));
    next = next_cursor;
    const shown = next === null ? "" : Buffer.from(next.split(".")[1] ?? "", "base64url").toString("latin1");
    expect(`${next} ${shown}`).not.toContain("98200");
  } while (next !== null);
  expect(seen).toEqual(NUMBERS);

  const { next_cursor } = await page("?limit=1");
  const { key } = await hospital.neighbour();
  const foreign = `${PATH}?cursor=${encodeURIComponent(next_cursor ?? "")}`;
  expect(outcome(await hospital.request("GET", foreign, { key }))).toBe("400 VALIDATION_ERROR");
  for (const cursor of ["x", "v1.", "v1.AAAA", "%2B919820011111"])
    expect(outcome(await hospital.request("GET", `${PATH}?cursor=${cursor}`))).toBe("400 VALIDATION_ERROR");
});

test("an impossible number is rejected, and nothing of its list is added", async () => {
  const answer = await add(["+919820077777", "+9198"]);
  expect([outcome(answer), answer.json.error.details?.[0]?.field]).toEqual(["422 INVALID_PHONE_NUMBER", "numbers"]);
  expect(outcome(await add(["+447911123456"]))).toBe("422 UNSUPPORTED_COUNTRY");
  expect(await isListed("+919820077777")).toBe(false);
  expect(outcome(await add([]))).toBe("400 VALIDATION_ERROR");
  const many = Array.from({ length: 1_001 }, (_, at) => `+91982${String(1_000_000 + at)}`);
  expect(outcome(await add(many))).toBe("400 VALIDATION_ERROR");
});

test("a listed number is not called until it is removed", async () => {
  await hospital.app.start();
  const number = "+919820088888";
  await add([number]);
  const call = await hospital.schedule({ user_number: number });
  await hospital.clock.advance(DIAL_DELAY_MS);
  expect((await hospital.view(call)).status).toBe("disallowed");
  await send("/remove", { number });
  await hospital.dial({ user_number: number });
});

test("other organisations neither see nor change the list", async () => {
  await add(["+919820011111"]);
  const { key } = await hospital.neighbour();
  expect((await page("", key)).data).toEqual([]);
  expect(await isListed("+919820011111", key)).toBe(false);
  expect(outcome(await send("/remove", { number: "+919820011111" }, key))).toBe("404 NOT_FOUND");
  expect(await isListed("+919820011111")).toBe(true);
});

test("reading and writing have a scope each", async () => {
  const [reads, writes] = [await hospital.newKey(["dnd:read"]), await hospital.newKey(["dnd:write"])];
  const numbers = ["+919820012121"];
  expect(outcome(await hospital.request("GET", PATH, { key: reads }))).toBe("200 ok");
  expect(outcome(await send("/lookup", { numbers }, reads))).toBe("200 ok");
  expect(outcome(await add(numbers, reads))).toBe("403 INSUFFICIENT_SCOPE");
  expect(outcome(await send("/remove", { number: numbers[0] }, reads))).toBe("403 INSUFFICIENT_SCOPE");
  expect(outcome(await add(numbers, writes))).toBe("200 ok");
  expect(outcome(await hospital.request("GET", PATH, { key: writes }))).toBe("403 INSUFFICIENT_SCOPE");
  expect(outcome(await send("/lookup", { numbers }, writes))).toBe("403 INSUFFICIENT_SCOPE");
});
