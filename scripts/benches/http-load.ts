// HTTP load by wrk, a client in C: one thread, one connection per client, closed loop. It costs a fraction of the
// server's CPU, so a slow client does not hide the server's cost.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Missing } from "./bench.ts";

export interface Load {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU of the client per request. */
  clientCpuUs: number;
}

export interface Asked {
  port: number;
  /** Complete requests, head and body, sent in turn. */
  requests: readonly string[];
  clients: number;
  /** Whole seconds only, as wrk requires. */
  seconds: number;
}

/**
 * Placeholder for a number of this many digits, different in each request. It is as long as the number, so the body
 * keeps its length.
 */
export const numberOf = (digits: number) => "#".repeat(digits);

/** Output of wrk.lua. */
interface Found {
  requests: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  /** Responses with a status of 400 or more. */
  refused: number;
  /** Broken connections and unanswered requests. */
  broken: number;
}

export function requestText(method: string, path: string, headers: Record<string, string>, body = ""): string {
  const all = { host: "localhost", ...headers, ...(body && { "content-length": String(Buffer.byteLength(body)) }) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n${body}`;
}

/** Throws if it is missing, before any process is started. */
export function wrkPath(): string {
  const wrk = Bun.which("wrk");
  if (!wrk) throw new Missing("needs wrk (Debian: wrk)");
  return wrk;
}

/** Start of the next run's numbers; numbers of aborted requests are not reused. */
let nextNumber = 0;

export async function loadOf({ port, requests, clients, seconds }: Asked): Promise<Load> {
  const wrk = wrkPath();
  const folder = mkdtempSync(join(tmpdir(), "ringward-wrk-"));
  const file = join(folder, "requests");
  try {
    writeFileSync(file, requests.join("\0"));
    const script = join(import.meta.dir, "wrk.lua");
    const options = ["--threads", "1", "--connections", String(clients), "--duration", `${seconds}s`, "--latency"];
    const own = ["--", file, String(nextNumber)];
    const child = Bun.spawn([wrk, ...options, "--script", script, `http://127.0.0.1:${port}/`, ...own], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const [told, fault] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    await child.exited;
    const load = loadIn(`${told}\n${fault}`, Number(child.resourceUsage()?.cpuTime.total ?? Number.NaN));
    nextNumber += load.requests + 2 * clients;
    return load;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function loadIn(told: string, cpuUs: number): Load {
  const text = /^FOUND (.+)$/m.exec(told)?.[1];
  if (text === undefined) throw new Error(`wrk ended without a figure: ${told.trim().slice(0, 500)}`);
  const { requests, seconds, p50Ms, p99Ms, refused, broken } = JSON.parse(text) as Found;
  if (requests === 0 || refused + broken > 0)
    throw new Error(`Of ${requests} requests ${refused} were refused and ${broken} broke off.`);
  return { requests, perSecond: requests / seconds, p50Ms, p99Ms, clientCpuUs: cpuUs / requests };
}
