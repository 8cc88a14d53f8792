// A server as its user starts it, watched from outside: when it first answers, and what it takes of the machine.
import { existsSync, readFileSync } from "node:fs";
import { BINARY, freePort } from "../../test/support/binary.ts";
import { Missing } from "./bench.ts";

export interface ServerProcess {
  /** From its start to its first answer. */
  startedMs: number;
  /** Resident, in bytes. */
  memory(): { all: number; own: number };
  stop(): Promise<void>;
}

const STEP_MS = 1;

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url, { keepalive: false }).catch(() => null);
  return answer?.ok === true;
}

/** `commandOn`: what is run, on this port. */
async function start(commandOn: (port: number) => string[], dataDir: string): Promise<ServerProcess> {
  const port = await freePort();
  const env = { PATH: process.env["PATH"] ?? "", HOME: dataDir, RINGWARD_DEMO__HISTORY: "false" };
  const startedAt = performance.now();
  const child = Bun.spawn(commandOn(port), { cwd: dataDir, env, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
  while (!(await answers(`http://127.0.0.1:${port}/healthz`))) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode} before it answered.`);
    await Bun.sleep(STEP_MS);
  }
  const startedMs = performance.now() - startedAt;
  return {
    startedMs,
    memory: () => residentOf(child.pid),
    async stop() {
      // Not killed: what it started beside itself would go on, and the next one would share the machine with it.
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

export const startRingward = (dataDir: string, args: readonly string[] = []) =>
  start((port) => [BINARY, "serve", "--data", dataDir, "--port", String(port), ...args], dataDir);

export const startBare = (binary: string, dataDir: string) => start((port) => [binary, String(port)], dataDir);

/** `own`: without what is read from files, which the machine takes back when it needs the room. */
function residentOf(pid: number): { all: number; own: number } {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) throw new Missing("memory is read from /proc, which only Linux has");
  const status = readFileSync(file, "utf8");
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN);
  return { all: kilobytes("VmRSS") * 1_024, own: kilobytes("RssAnon") * 1_024 };
}
