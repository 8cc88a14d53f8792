// Load by wrk, an HTTP client in C: one thread, each client on a connection of its own, asking as fast as it is
// answered. It costs a part of what the server costs, so that a slow client does not hide what the server takes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Missing } from "./bench.ts";

export interface Load {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of the client, for one request. */
  clientCpuUs: number;
}

export interface Asked {
  port: number;
  /** Whole requests, head and body, sent in turn. */
  requests: readonly string[];
  clients: number;
  /** Whole seconds: wrk knows no others. */
  seconds: number;
}

/**
 * In a request: a number of as many digits, another one in each. It is as long as the number, so that a body keeps its
 * length.
 */
export const numberOf = (digits: number) => "#".repeat(digits);

/** What wrk.lua tells. */
interface Found {
  requests: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  /** Answered with a status of 400 or more. */
  refused: number;
  /** Connections that broke, and requests that were not answered. */
  broken: number;
}

export function requestText(method: string, path: string, headers: Record<string, string>, body = ""): string {
  const all = { host: "localhost", ...headers, ...(body && { "content-length": String(Buffer.byteLength(body)) }) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n${body}`;
}

/** Throws where it is missing: before anything is started that would have to be stopped. */
export function wrkPath(): string {
  const wrk = Bun.which("wrk");
  if (!wrk) throw new Missing("needs wrk (Debian: wrk)");
  return wrk;
}

/** Where the numbers of the next run begin; those of an aborted request are not used again. */
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
