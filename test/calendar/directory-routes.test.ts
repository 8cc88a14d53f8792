// Branches and services over the API: created once, listed in pages, changed and removed; scopes and walls.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { outcome } from "../support/hospital.ts";
import { BRANCH, createClinic, refusal, UNKNOWN_UUID, type Clinic } from "./clinic.ts";

let clinic: Clinic;
beforeAll(async () => void (clinic = await createClinic()));
afterAll(() => clinic.close());

const OWN = "0190A1B2-0000-7000-8000-00000000AAAA";

const ask = (method: string, path: string, body?: unknown, key?: string) =>
  clinic.request(method, `/v1/${path}`, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });
type Row = Record<string, string | null>;
const rowOf = async (asked: ReturnType<typeof ask>) => (await asked).json.data as unknown as Row;
const made = async (path: string, body: unknown) => {
  const answer = await ask("POST", path, body);
  expect(outcome(answer)).toBe("201 ok");
  return answer.json.data as unknown as Row;
};

const KINDS = [
  { path: "branches", id: "branch_id", word: "branch" },
  { path: "services", id: "appointment_type_id", word: "service" },
] as const;

describe.each(KINDS)("$path", ({ path, id, word }) => {
  test("are created with an id of their own or a new one, once, and read", async () => {
    const fresh = await made(path, { name: " Lake " });
    expect(fresh["name"]).toBe("Lake");
    expect(fresh[id]).toMatch(/^[0-9a-f-]{36}$/);
    const own = await made(path, { name: "Own", [id]: OWN });
    expect(own[id]).toBe(OWN.toLowerCase());
    expect(refusal(await ask("POST", path, { name: "Again", [id]: OWN }))).toEqual([409, "CONFLICT"]);
    expect((await ask("GET", `${path}/${OWN}`)).json.data as unknown).toEqual(own);
    expect(await clinic.actionsOnRecord()).toContain(`${word}.created`);
  });

  test("are created once for an Idempotency-Key", async () => {
    const send = () => clinic.request("POST", `/v1/${path}`, { body: { name: "Once" }, headers: KEY });
    const KEY = { "idempotency-key": "once" };
    const [first, second] = [await send(), await send()];
    expect([second.headers.get("idempotent-replayed"), second.json.data[id]]).toEqual(["true", first.json.data[id]!]);
  });

  test("are renamed", async () => {
    const { [id]: own } = await made(path, { name: "Old" });
    expect(await rowOf(ask("PATCH", `${path}/${own}`, { name: "New" }))).toMatchObject({ name: "New" });
    expect(await rowOf(ask("GET", `${path}/${own}`))).toMatchObject({ name: "New" });
    expect(await clinic.actionsOnRecord()).toContain(`${word}.changed`);
  });

  test("are listed in pages, oldest first, each once", async () => {
    for (let i = 0; i < 5; i++) {
      clinic.clock.pass(1);
      await made(path, { name: `Paged ${i}` });
    }
    const names: (string | null)[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const answer = await ask("GET", `${path}?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      const page = answer.json as unknown as { data: Row[]; next_cursor: string | null };
      expect(page.data.length).toBeLessThanOrEqual(2);
      names.push(...page.data.map(({ name }) => name ?? null));
      cursor = page.next_cursor;
    }
    const paged = names.filter((name) => name?.startsWith("Paged"));
    expect(paged).toEqual([0, 1, 2, 3, 4].map((i) => `Paged ${i}`));
    expect(refusal(await ask("GET", `${path}?cursor=x`))).toEqual([400, "VALIDATION_ERROR", "cursor"]);
    expect(refusal(await ask("GET", `${path}?limit=101`))).toEqual([400, "VALIDATION_ERROR", "limit"]);
  });

  test("of another organisation are unknown", async () => {
    const { [id]: own } = await made(path, { name: "Mine" });
    const { key } = await clinic.neighbour();
    for (const [method, body] of [["GET"], ["PATCH", { name: "Taken" }]] as const)
      expect(outcome(await ask(method, `${path}/${own}`, body, key))).toBe("404 NOT_FOUND");
    expect((await ask("GET", path, undefined, key)).json.data as unknown).toEqual([]);
    // The id belongs to each organisation by itself.
    expect(outcome(await ask("POST", path, { name: "Theirs", [id]: own }, key))).toBe("201 ok");
    expect(await rowOf(ask("GET", `${path}/${own}`))).toMatchObject({ name: "Mine" });
  });

  test("have a scope to read and one to write", async () => {
    const { [id]: own } = await made(path, { name: "Scoped" });
    const [reads, writes] = [await clinic.newKey(["directory:read"]), await clinic.newKey(["directory:write"])];
    for (const asked of [path, `${path}/${own}`]) {
      expect(outcome(await ask("GET", asked, undefined, reads))).toBe("200 ok");
      expect(outcome(await ask("GET", asked, undefined, writes))).toBe("403 INSUFFICIENT_SCOPE");
    }
    expect(outcome(await ask("POST", path, { name: "No" }, reads))).toBe("403 INSUFFICIENT_SCOPE");
    expect(outcome(await ask("PATCH", `${path}/${own}`, { name: "No" }, reads))).toBe("403 INSUFFICIENT_SCOPE");
    expect(outcome(await ask("PATCH", `${path}/${own}`, { name: "Yes" }, writes))).toBe("200 ok");
  });

  test.each([
    ["no name", {}, "name"],
    ["a blank name", { name: "  " }, "name"],
    ["a line break", { name: "a\nb" }, "name"],
    ["a wrong id", { name: "A", [id]: "1" }, id],
  ])("%s is rejected", async (_, body, field) => {
    expect(refusal(await ask("POST", path, body))).toEqual([400, "VALIDATION_ERROR", field]);
  });

  test.each([UNKNOWN_UUID, "x"])("%s is unknown", async (unknown) => {
    expect(outcome(await ask("GET", `${path}/${unknown}`))).toBe("404 NOT_FOUND");
    expect(outcome(await ask("PATCH", `${path}/${unknown}`, { name: "A" }))).toBe("404 NOT_FOUND");
  });
});

describe("a branch", () => {
  test("has its own time zone, or the organisation's", async () => {
    const { branch_id } = await made("branches", { name: "West", time_zone: "America/Chicago" });
    const zoneOf = async () => (await rowOf(ask("GET", `branches/${branch_id}`)))["time_zone"];
    expect(await zoneOf()).toBe("America/Chicago");
    expect(outcome(await ask("PATCH", `branches/${branch_id}`, { time_zone: null }))).toBe("200 ok");
    expect(await zoneOf()).toBeNull();
    expect(refusal(await ask("PATCH", `branches/${branch_id}`, { time_zone: "Mars/Base" }))).toEqual([
      400,
      "VALIDATION_ERROR",
      "time_zone",
    ]);
    expect(refusal(await ask("PATCH", `branches/${branch_id}`, {}))).toEqual([400, "VALIDATION_ERROR"]);
  });

  test("is removed, is unknown then, and comes back when it is created again", async () => {
    const { branch_id } = await made("branches", { name: "Shut", time_zone: "America/Chicago" });
    const answer = await ask("DELETE", `branches/${branch_id}`);
    expect([outcome(answer), answer.json.data as unknown]).toEqual(["200 ok", { branch_id, removed: true }]);
    expect(outcome(await ask("DELETE", `branches/${branch_id}`))).toBe("404 NOT_FOUND");
    expect(outcome(await ask("GET", `branches/${branch_id}`))).toBe("404 NOT_FOUND");
    expect(outcome(await ask("PATCH", `branches/${branch_id}`, { name: "A" }))).toBe("404 NOT_FOUND");
    expect(await made("branches", { branch_id, name: "Open" })).toMatchObject({ name: "Open", time_zone: null });
    const reads = await clinic.newKey(["directory:read"]);
    expect(outcome(await ask("DELETE", `branches/${branch_id}`, undefined, reads))).toBe("403 INSUFFICIENT_SCOPE");
  });

  test("with open windows stays", async () => {
    await clinic.createWindow();
    expect(outcome(await ask("DELETE", `branches/${BRANCH}`))).toBe("409 CONFLICT");
    expect(outcome(await ask("GET", `branches/${BRANCH}`))).toBe("200 ok");
  });
});
