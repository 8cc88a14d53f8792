// Registry scrubs over the API: import, summary, lookup, export and removal; scopes and walls between organisations.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { createHospital, outcome, type Hospital } from "../../support/hospital.ts";

let hospital: Hospital;
beforeAll(async () => void (hospital = await createHospital()));
afterAll(() => hospital.close());

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(hospital.clock.now() - days * DAY_MS).toISOString().slice(0, 10);
const CSV = "number,status\n+91 98200-11111,Refused\n+919820022222,allowed\n9820033333,refused\n+919820044444,maybe\n";
const send = (change: Record<string, unknown> = {}, key?: string) =>
  hospital.request("POST", "/v1/registry-scrubs", {
    body: { registry: "NCPR", scrubbed_on: daysAgo(1), csv: CSV, ...change },
    ...(key === undefined ? {} : { key }),
  });
const scrubs = async (key?: string) =>
  (await hospital.request("GET", "/v1/registry-scrubs", key === undefined ? {} : { key })).json.data as unknown;
const lookUp = (numbers: readonly string[], key?: string) =>
  hospital.request("POST", "/v1/registry-results/lookup", {
    body: { numbers },
    ...(key === undefined ? {} : { key }),
  });
const remove = (registry: string, day: string, key?: string) =>
  hospital.request(
    "DELETE",
    `/v1/registry-scrubs?registry=${encodeURIComponent(registry)}&scrubbed_on=${day}`,
    key === undefined ? {} : { key },
  );
const isRefused = async (number = "+919820011111") =>
  ((await lookUp([number])).json.data as unknown as { verdict: string | null }[])[0]?.verdict === "refused";

test("a file is imported; lines that are not understood are reported with their line", async () => {
  const { status, json } = await send();
  expect([status, json as unknown]).toEqual([
    200,
    {
      data: {
        stored: 2,
        refused: 1,
        outdated: 0,
        fault_count: 2,
        faults: [
          { line: 4, message: expect.stringContaining("E.164") },
          { line: 5, message: "The verdict must be allowed or refused." },
        ],
      },
    },
  ]);
  expect(await scrubs()).toEqual([{ registry: "NCPR", scrubbed_on: daysAgo(1), allowed: 1, refused: 1 }]);
  expect((await send({ scrubbed_on: daysAgo(2) })).json.data).toMatchObject({ stored: 0, outdated: 2 });
  expect(await hospital.actionsOnRecord()).toContain("registry.imported");
});

test("numbers are looked up in one request, and the whole is exported; both are audited", async () => {
  const { json } = await lookUp(["+919820011111", "+919820099999", "+919820022222", "+919820011111"]);
  expect(json.data as unknown).toEqual([
    expect.objectContaining({ number: "+919820011111", verdict: "refused", registry: "NCPR", scrubbed_on: daysAgo(1) }),
    { number: "+919820099999", verdict: null, registry: null, scrubbed_on: null, imported_at: null },
    expect.objectContaining({ number: "+919820022222", verdict: "allowed" }),
  ]);
  const file = await hospital.request("GET", "/v1/registry-results");
  expect(file.headers.get("content-type")).toContain("text/csv");
  expect(file.text.split("\r\n").slice(0, 2)).toEqual([
    "number,verdict,registry,scrubbed_on,imported_at",
    expect.stringMatching(/^\+919820011111,refused,NCPR,/),
  ]);
  const actions = await hospital.actionsOnRecord();
  expect(actions).toContain("registry.read");
  expect(actions).toContain("registry.exported");
});

test("a file of several parts keeps its line numbers, and reports 100 faults at most", async () => {
  const good = Array.from({ length: 1_200 }, (_, i) => `+9198300${String(10_000 + i)},refused`);
  const csv = [...good, ...Array.from({ length: 150 }, () => "not a number,refused")].join("\n");
  const { json } = await send({ registry: "Own list", csv });
  const { faults, ...rest } = json.data as unknown as { faults: { line: number }[] };
  expect(rest).toEqual({ stored: 1_200, refused: 1_200, outdated: 0, fault_count: 150 } as never);
  expect([faults.length, faults[0]?.line]).toEqual([100, 1_201]);
});

test("a scrub is removed as a whole, and no other; twice changes nothing", async () => {
  expect((await remove("Own list", daysAgo(1))).json.data as unknown).toEqual({ removed: 1_200, kept: 0 });
  expect((await remove("Own list", daysAgo(1))).json.data as unknown).toEqual({ removed: 0, kept: 0 });
  expect((await remove("NCPR", daysAgo(3))).json.data as unknown).toEqual({ removed: 0, kept: 0 });
  expect(await isRefused()).toBeTrue();
  expect((await remove("NCPR", daysAgo(1))).json.data as unknown).toEqual({ removed: 2, kept: 0 });
  expect(await isRefused()).toBeFalse();
  const entries = await hospital.db.reader
    .selectFrom("audit_entries")
    .select("detail")
    .where("action", "=", "registry.removed")
    .execute();
  expect(entries.map(({ detail }) => JSON.parse(detail) as unknown)).toEqual([
    { removed: 1_200, scrubbed_on: daysAgo(1) },
    { removed: 2, scrubbed_on: daysAgo(1) },
  ]);
});

test("the result of a person under a hold stays when its scrub is removed, and the answer says so", async () => {
  await send();
  const { holds } = hospital.app.services;
  const hold = { subject: "person" as const, contact_number: "+919820011111", reason: "Case 7/2026" };
  const { hold_id } = await holds.add(hospital.organisationId, hold, CLI_ACTOR);
  expect((await remove("NCPR", daysAgo(1))).json.data as unknown).toEqual({ removed: 1, kept: 1 });
  expect(await isRefused()).toBeTrue();
  await holds.release(hospital.organisationId, hold_id, "The case ended.", CLI_ACTOR);
  expect((await remove("NCPR", daysAgo(1))).json.data as unknown).toEqual({ removed: 1, kept: 0 });
});

test("other organisations see, change and remove nothing", async () => {
  await send();
  const { key } = await hospital.neighbour();
  expect(await scrubs(key)).toEqual([]);
  expect((await lookUp(["+919820011111"], key)).json.data).toMatchObject([{ verdict: null }]);
  expect((await hospital.request("GET", "/v1/registry-results", { key })).text).not.toContain("+9198");
  expect((await remove("NCPR", daysAgo(1), key)).json.data as unknown).toEqual({ removed: 0, kept: 0 });
  await send({ csv: "+919820011111,allowed", scrubbed_on: daysAgo(0) }, key);
  expect(await isRefused()).toBeTrue();
});

test("reading and writing have a scope each", async () => {
  const [reads, writes] = [await hospital.newKey(["registry:read"]), await hospital.newKey(["registry:write"])];
  expect(outcome(await send({}, reads))).toBe("403 INSUFFICIENT_SCOPE");
  expect(outcome(await remove("NCPR", daysAgo(1), reads))).toBe("403 INSUFFICIENT_SCOPE");
  for (const path of ["/v1/registry-scrubs", "/v1/registry-results"])
    expect(outcome(await hospital.request("GET", path, { key: writes }))).toBe("403 INSUFFICIENT_SCOPE");
  expect(outcome(await lookUp(["+919820011111"], writes))).toBe("403 INSUFFICIENT_SCOPE");
  expect(outcome(await send({}, writes))).toBe("200 ok");
});

test.each([
  ["scrubbed_on", { scrubbed_on: "2026-02-30" }],
  ["scrubbed_on", { scrubbed_on: "2020-01-01" }],
  ["registry", { registry: " " }],
  ["csv", { csv: "number,status\n" }],
  ["csv", { csv: "x\n".repeat(5_002) }],
  ["csv", { csv: "x".repeat(200_001) }],
])("a wrong %s is rejected, and nothing is stored", async (field, change) => {
  const before = await scrubs();
  const { status, json } = await send(change);
  expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(`"${field}"`)]);
  expect(await scrubs()).toEqual(before);
});

test("of several registries the one that refuses is looked up, and the export holds all of them", async () => {
  await send();
  await send({ registry: "operator", scrubbed_on: daysAgo(0), csv: "+919820011111,allowed\n+919820022222,allowed\n" });
  const { json } = await lookUp(["+919820011111", "+919820022222"]);
  expect(json.data as unknown).toEqual([
    expect.objectContaining({ verdict: "refused", registry: "NCPR" }),
    expect.objectContaining({ verdict: "allowed", registry: "operator" }),
  ]);
  const { text } = await hospital.request("GET", "/v1/registry-results");
  expect(text.trim().split("\r\n")).toHaveLength(1 + 4);
});
