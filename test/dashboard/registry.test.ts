// Registry results at the dashboard: import in parts, what is refused, summary and export.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { refusedAmong } from "../../src/rules/registry/registry-store.ts";
import { scrubLines } from "../../src/payloads/scrub-lines.ts";
import { signedInHospital, type SignedInHospital } from "./signed-in.ts";

let inside: SignedInHospital;
beforeAll(async () => {
  inside = await signedInHospital();
});
afterAll(() => inside.hospital.close());

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(inside.hospital.clock.now() - days * DAY_MS).toISOString().slice(0, 10);
const send = (results: unknown, change: Record<string, unknown> = {}) =>
  inside.ask("staff", "POST", "registry", { registry: "NCPR", scrubbed_on: daysAgo(1), results, ...change });

test("a scrub is imported by staff, and read by every role", async () => {
  const results = [
    { number: "+91 98200-11111", verdict: "Refused" },
    { number: "+919820022222", verdict: "allowed" },
    { number: "9820033333", verdict: "refused" },
    { number: "+919820044444", verdict: "maybe" },
  ];
  expect(
    (await inside.ask("viewer", "POST", "registry", { registry: "N", scrubbed_on: daysAgo(1), results })).status,
  ).toBe(403);
  const { status, json } = await send(results);
  expect([status, json as unknown]).toEqual([
    200,
    {
      stored: 2,
      refused: 1,
      outdated: 0,
      faults: [
        { line: 3, message: expect.stringContaining("E.164") },
        { line: 4, message: "The verdict must be allowed or refused." },
      ],
    },
  ]);
  const { db, organisationId } = inside.hospital;
  expect([...(await refusedAmong(db.reader, organisationId, ["+919820011111", "+919820022222"]))]).toEqual([
    "+919820011111",
  ]);
  expect((await send(results.slice(0, 2), { scrubbed_on: daysAgo(2) })).json).toMatchObject({ stored: 0, outdated: 2 });
  expect((await inside.ask("viewer", "GET", "registry")).json as unknown).toEqual([
    { registry: "NCPR", scrubbed_on: daysAgo(1), verdict: "allowed", count: 1 },
    { registry: "NCPR", scrubbed_on: daysAgo(1), verdict: "refused", count: 1 },
  ]);
  expect(await inside.hospital.actionsOnRecord()).toContain("registry.imported");
});

test("the results are exported as CSV, which is on record", async () => {
  const { text } = await inside.ask("viewer", "GET", "registry/export");
  expect(text.split("\r\n").slice(0, 2)).toEqual([
    "number,verdict,registry,scrubbed_on,imported_at",
    expect.stringMatching(/^\+919820011111,refused,NCPR,/),
  ]);
  expect(await inside.hospital.actionsOnRecord()).toContain("registry.exported");
});

test.each([
  ["scrubbed_on", { scrubbed_on: "2026-02-30" }],
  ["scrubbed_on", { scrubbed_on: "yesterday" }],
  ["scrubbed_on", { scrubbed_on: "2020-01-01" }],
  ["scrubbed_on", { scrubbed_on: "2099-01-01" }],
  ["registry", { registry: "" }],
])("a wrong %s is refused: %j", async (field, change) => {
  const { status, json } = await send([{ number: "+919820011111", verdict: "refused" }], change);
  expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(field)]);
});

test("lines of a file: heading, quotes, separators and empty lines", () => {
  expect(scrubLines('\uFEFFnumber;status\r\n"+919820011111";"DND"\r\n\r\n+919820022222\tallowed,x\n')).toEqual([
    { line: 2, number: "+919820011111", verdict: "DND" },
    { line: 4, number: "+919820022222", verdict: "allowed" },
  ]);
});
