// What a stranger's request costs the main thread: no address, header or query is dearer than three plain ones.
// CPU time of the thread, not time on the wall, so that a busy machine changes nothing.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { openKeptAlive, type KeptAlive } from "../support/kept-alive.ts";
import { createTestApp } from "../support/test-app.ts";

leaveNothingBehind();

/** The rule. */
const MOST_TIMES_PLAIN = 3;
const REQUESTS_PER_BATCH = 8;
/** The cheapest batch counts: what is above it is the collector's and the compiler's work. */
const MOST_BATCHES = 12;

/** Just inside the bound of 2,048 characters, and as much as fits into a head of 6 kB. */
const LONG = 1_800;
const LONGEST = 5_900;
const UNKNOWN_KEY = `rw_live_${"0".repeat(26)}_${"A".repeat(43)}`;

type Odd = (method: string, path: string) => string;
const request = (method: string, path: string, headers: Record<string, string> = {}): string => {
  const lines = Object.entries({ host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
};
const fill = (text: string, length: number) => text.repeat(Math.floor(length / text.length));
const path =
  (more: string): Odd =>
  (method, at) =>
    request(method, at + more);
const header =
  (name: string, value: string): Odd =>
  (method, at) =>
    request(method, at, { [name]: value });
const cookies = (length: number) => fill("a=b; ", length);

const ODD: Record<string, Odd> = {
  "many slashes": path(fill("/", LONG)),
  "more slashes": path(fill("/", LONGEST)),
  "many segments": path(fill("/a", LONG)),
  "more segments": path(fill("/a", LONGEST)),
  "a long segment": path(fill("a", LONG)),
  backslashes: path(fill("\\", LONGEST)),
  "dots up": path(fill("/..", LONGEST)),
  "dots up and down": path(fill("/a/..", LONGEST)),
  "many escapes": path(fill("%41", 315 * 3)),
  "more escapes": path(fill("%41", LONGEST)),
  "bad escapes": path(fill("%zz", 315 * 3)),
  "escaped slashes": path(fill("%2f", 315 * 3)),
  "a long query": path(`?${fill("a", LONG)}`),
  "many parameters": path(`?${Array.from({ length: 50 }, (_, i) => `k${i}=${"v".repeat(20)}`).join("&")}`),
  "more parameters": path(`?${fill("a=&", LONGEST)}`),
  "an escaped query": path(`?token=${fill("%41", 315 * 3)}`),
  "a query of brackets": path(`?a=${fill("[{", LONG)}`),
  "a long signature": path(`?expires=${fill("9", LONG / 2)}&signature=${fill("a", LONG / 2)}`),
  "a long key": header("x-api-key", fill("a", LONGEST)),
  "an unknown key": header("x-api-key", UNKNOWN_KEY),
  "many cookies": header("cookie", cookies(LONGEST)),
  "cookies that look like ours": header("cookie", fill("xringward_session=a;", LONGEST)),
  "a long session": header("cookie", `ringward_session=${fill("a", LONGEST)}`),
  "many ranges": header("range", `bytes=${fill("0-1,", LONGEST)}`),
  "odd encodings": header("accept-encoding", fill("gzi ", LONGEST)),
  "many hops": header("x-forwarded-for", fill("1,", LONGEST)),
  "an odd type": header("content-type", `application/${fill("a.-", LONGEST)}`),
  "an odd origin": (method, at) =>
    request(method, at, { origin: `http://${fill("a.", LONGEST)}`, "x-ringward-dashboard": "1" }),
  "an odd host": header("host", fill("a.", LONGEST)),
  "many headers": (method, at) =>
    request(method, at, Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`x-${i}`, "a".repeat(60)]))),
};
const ODD_METHODS = ["OPTIONS", "HEAD", "PUT", "TRACE", "PROPFIND"];

interface Route {
  method: string;
  path: string;
}

let server: Running;
let line: KeptAlive;
let routes: Route[];
beforeAll(async () => {
  const app = await createTestApp();
  // Every one of them is reachable by strangers: most answer 401.
  routes = app.app.routes().map(({ method, path: at }) => ({ method, path: at.replaceAll(/:\w+|\*/g, "x") }));
  await app.close();
  server = await startBinary();
  line = openKeptAlive(server.port);
  for (let i = 0; i < 200; i++) await line.ask(PLAIN);
});
afterAll(() => line.close());

const PLAIN = request("GET", "/nothing");

/** Nanoseconds that the main thread has run. */
function threadNs(): number {
  const { pid } = server.process;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]);
}

async function batchNs(text: string): Promise<number> {
  const before = threadNs();
  for (let i = 0; i < REQUESTS_PER_BATCH; i++) await line.ask(text);
  return (threadNs() - before) / REQUESTS_PER_BATCH;
}

const plainBatches: number[] = [];

/** Of the last plain requests: the measure moves with the machine. */
async function plainNs(): Promise<number> {
  plainBatches.push(await batchNs(PLAIN));
  const latest = plainBatches.slice(-9).toSorted((a, b) => a - b);
  return latest[Math.floor(latest.length / 2)] ?? 0;
}

/** How many plain requests this one costs. `ownNs` is what the route costs when it is asked plainly, where it serves something. */
async function timesPlain(text: string, ownNs = 0): Promise<number> {
  let least = Infinity;
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const times = (await batchNs(text)) / Math.max(await plainNs(), ownNs);
    least = Math.min(least, times);
    if (least <= MOST_TIMES_PLAIN) break;
  }
  return least;
}

async function ownCostNs({ method, path: at }: Route): Promise<number> {
  const text = request(method, at);
  const status = (await line.ask(text)) ?? 0;
  if (status >= 400) return 0;
  return Math.min(await batchNs(text), await batchNs(text), await batchNs(text));
}

async function dearerThanAllowed(odd: Record<string, Odd>): Promise<string[]> {
  const dear: string[] = [];
  for (const route of routes) {
    const ownNs = await ownCostNs(route);
    for (const [name, make] of Object.entries(odd)) {
      const times = await timesPlain(make(route.method, route.path), ownNs);
      if (times > MOST_TIMES_PLAIN) dear.push(`${route.method} ${route.path} with ${name}: ${times.toFixed(1)} times`);
    }
  }
  return dear;
}

describe.skipIf(process.platform !== "linux")("a stranger's request costs at most three plain ones", () => {
  test("whatever the address, the headers and the query", async () => {
    expect(await dearerThanAllowed(ODD)).toEqual([]);
  }, 180_000);

  test("whatever the method", async () => {
    const methods = Object.fromEntries(
      ODD_METHODS.map((method) => [method, (_: string, at: string) => request(method, at)]),
    );
    expect(await dearerThanAllowed(methods)).toEqual([]);
  }, 60_000);
});
