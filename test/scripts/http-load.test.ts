// The client of ./scripts/bench, which is wrk: what it sends, and what it tells.
import { afterAll, expect, test } from "bun:test";
import { loadOf, numberOf, requestText } from "../../scripts/benches/http-load.ts";

const seen: { method: string; path: string; key: string | null; body: string }[] = [];
let status = 200;

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { method, url, headers } = request;
    seen.push({ method, path: new URL(url).pathname, key: headers.get("x-api-key"), body: await request.text() });
    return new Response("x".repeat(3_000), { status });
  },
});
afterAll(() => server.stop(true));

const load = (requests: readonly string[]) => loadOf({ port: Number(server.port), requests, clients: 2, seconds: 1 });

test("requests are sent in turn, and counted with what the client itself cost", async () => {
  seen.length = 0;
  const headers = { "x-api-key": "rw_key" };
  const found = await load(["/a", "/b", "/c"].map((path) => requestText("GET", path, headers)));
  // One of each connection may be under way when the time is over.
  expect(seen.length - found.requests).toBeGreaterThanOrEqual(0);
  expect(seen.length - found.requests).toBeLessThanOrEqual(2);
  const counts = ["/a", "/b", "/c"].map((path) => seen.filter((request) => request.path === path).length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  expect(seen.every(({ method, key }) => method === "GET" && key === "rw_key")).toBe(true);
  expect(found.perSecond).toBeGreaterThan(1);
  expect(found.clientCpuUs).toBeGreaterThan(0);
  expect(found.p99Ms).toBeGreaterThanOrEqual(found.p50Ms);
}, 180_000);

test("a number in a request is another one each time, in the next run as well", async () => {
  seen.length = 0;
  const body = JSON.stringify({ reference: numberOf(9), name: "Ö" });
  const request = requestText("POST", "/", { "content-type": "application/json" }, body);
  await load([request]);
  await load([request]);
  const references = seen.map((each) => (JSON.parse(each.body) as { reference: string }).reference);
  expect(references.every((reference) => /^\d{9}$/.test(reference))).toBe(true);
  expect(new Set(references).size).toBe(references.length);
}, 180_000);

test("a refused request is a failure, and no figure", async () => {
  status = 429;
  await expect(load([requestText("GET", "/", {})])).rejects.toThrow("were refused");
}, 180_000);
