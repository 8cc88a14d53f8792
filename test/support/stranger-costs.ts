// What odd and long requests cost the main thread, in plain ones: every route that a stranger can reach is asked with
// every odd address, header, query and method of the list. CPU time of the thread, not time on the wall.
import { readFileSync } from "node:fs";
import { startBinary, type Running } from "./binary.ts";
import { openKeptAlive, type KeptAlive } from "./kept-alive.ts";
import { createTestApp } from "./test-app.ts";

const REQUESTS_PER_BATCH = 8;
/** The cheapest batch counts: what is above it is the collector's and the compiler's work. */
const MOST_BATCHES = 12;

/** Just inside the bound of 2,048 characters, and as much as fits into a head of 6 kB. */
const LONG = 1_800;
const LONGEST = 5_900;
const UNKNOWN_KEY = `rw_live_${"0".repeat(26)}_${"A".repeat(43)}`;

export type Odd = (method: string, path: string) => string;
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

export const ODD_REQUESTS: Record<string, Odd> = {
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
export const ODD_METHODS: Record<string, Odd> = Object.fromEntries(
  ["OPTIONS", "HEAD", "PUT", "TRACE", "PROPFIND"].map((method) => [
    method,
    (_: string, at: string) => request(method, at),
  ]),
);

interface Route {
  method: string;
  path: string;
}

const PLAIN = request("GET", "/nothing");

export interface Cost {
  request: string;
  timesPlain: number;
}

export class StrangerCosts {
  readonly #server: Running;
  readonly #line: KeptAlive;
  readonly #routes: readonly Route[];
  readonly #plainBatches: number[] = [];

  private constructor(server: Running, line: KeptAlive, routes: readonly Route[]) {
    this.#server = server;
    this.#line = line;
    this.#routes = routes;
  }

  static async start(): Promise<StrangerCosts> {
    const app = await createTestApp();
    // Every one of them is reachable by strangers: most answer 401.
    const routes = app.app.routes().map(({ method, path: at }) => ({ method, path: at.replaceAll(/:\w+|\*/g, "x") }));
    await app.close();
    const server = await startBinary();
    const line = openKeptAlive(server.port);
    for (let i = 0; i < 200; i++) await line.ask(PLAIN);
    return new StrangerCosts(server, line, routes);
  }

  async close(): Promise<void> {
    this.#line.close();
    await this.#server.stop();
  }

  /** Whatever is never seen at or under so many plain requests. */
  async dearerThan(mostTimes: number, odd: Record<string, Odd>): Promise<Cost[]> {
    const dear: Cost[] = [];
    for (const route of this.#routes) {
      const ownNs = await this.#ownCostNs(route);
      for (const [name, make] of Object.entries(odd)) {
        const timesPlain = await this.#timesPlain(make(route.method, route.path), ownNs, mostTimes);
        if (timesPlain > mostTimes) dear.push({ request: `${route.method} ${route.path} with ${name}`, timesPlain });
      }
    }
    return dear;
  }

  /** Nanoseconds that the main thread has run. */
  #threadNs(): number {
    const { pid } = this.#server.process;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]);
  }

  async #batchNs(text: string): Promise<number> {
    const before = this.#threadNs();
    for (let i = 0; i < REQUESTS_PER_BATCH; i++) await this.#line.ask(text);
    return (this.#threadNs() - before) / REQUESTS_PER_BATCH;
  }

  /** Of the last plain requests: the measure moves with the machine. */
  async #plainNs(): Promise<number> {
    this.#plainBatches.push(await this.#batchNs(PLAIN));
    const latest = this.#plainBatches.slice(-9).toSorted((a, b) => a - b);
    return latest[Math.floor(latest.length / 2)] ?? 0;
  }

  /**
   * How many plain requests this one costs. `ownNs` is what the route costs when it is asked plainly, where it serves
   * something.
   */
  async #timesPlain(text: string, ownNs: number, enough: number): Promise<number> {
    let least = Infinity;
    for (let batch = 0; batch < MOST_BATCHES && least > enough; batch++) {
      least = Math.min(least, (await this.#batchNs(text)) / Math.max(await this.#plainNs(), ownNs));
    }
    return least;
  }

  async #ownCostNs({ method, path: at }: Route): Promise<number> {
    const text = request(method, at);
    const status = (await this.#line.ask(text)) ?? 0;
    if (status >= 400) return 0;
    return Math.min(await this.#batchNs(text), await this.#batchNs(text), await this.#batchNs(text));
  }
}
