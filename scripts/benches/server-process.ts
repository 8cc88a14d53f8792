// A server started as by its user and observed from outside: time to the first response, and resource usage.
import { existsSync, readFileSync } from "node:fs";
import { BINARY, freePort } from "../../test/support/binary.ts";
import { Missing } from "./bench.ts";

export interface ServerProcess {
  /** From process start to the first response. */
  startedMs: number;
  /** Resident memory, in bytes. */
  memory(): { all: number; own: number };
  stop(): Promise<void>;
}

const STEP_MS = 1;

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url, { keepalive: false }).catch(() => null);
  return answer?.ok === true;
}

/** `commandOn`: the command for a given port. */
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
      // Not SIGKILL: its child processes would survive and share the machine with the next server.
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

export const startRingward = (dataDir: string, args: readonly string[] = []) =>
  start((port) => [BINARY, "serve", "--data", dataDir, "--port", String(port), ...args], dataDir);

export const startBare = (binary: string, dataDir: string) => start((port) => [binary, String(port)], dataDir);

/** `own`: without file-backed pages, which the kernel can reclaim. */
function residentOf(pid: number): { all: number; own: number } {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) throw new Missing("memory is read from /proc, which only Linux has");
  const status = readFileSync(file, "utf8");
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN);
  return { all: kilobytes("VmRSS") * 1_024, own: kilobytes("RssAnon") * 1_024 };
}
