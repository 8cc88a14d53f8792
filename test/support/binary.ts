// Runs the compiled binary as its user would: in a folder of its own, over HTTP, with signals.
import { afterAll } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isOnPostgres } from "./engines.ts";
import { reservedPort } from "./free-ports.ts";
import { storedAt } from "./stored-rows.ts";
import { UNENFORCED } from "./unenforced.ts";
import { until } from "./until.ts";

export const BINARY = resolve(process.env["RINGWARD_BINARY"] ?? join(import.meta.dir, "../../dist/ringward"));

export interface Running {
  url: string;
  /** What a client trusts, where the server has a certificate of its own. */
  trusts?: { ca: string };
  port: number;
  dataDir: string;
  /** demo.json, where the demo was asked for. */
  demo: Record<string, string>;
  process: Bun.Subprocess<"ignore", "pipe", "pipe">;
  /** From the start of the process to its first answer. */
  startedMs: number;
  /** Everything it has written to stdout and stderr so far. */
  output(): string;
  /** SIGTERM, then the exit code. */
  stop(): Promise<number>;
  /** SIGKILL, at once. */
  kill(): Promise<void>;
}

export interface StartOptions {
  demo?: boolean;
  dataDir?: string;
  port?: number;
  /** Undefined removes a variable that is set otherwise. */
  env?: Record<string, string | undefined>;
  args?: string[];
  /** A certificate of its own for 127.0.0.1, and the authority that issued it. */
  tls?: { certFile: string; keyFile: string; caPem: string };
  /** Another copy of the binary. */
  binary?: string;
  /** A command that ends by becoming the one that follows it, such as setpriv. */
  wrapper?: string[];
  cwd?: string;
}

/** The trunks of tests are on this machine, which the settings have to open. */
const TRUNKS_ON_LOOPBACK = { RINGWARD_TELEPHONY__SIP__ALLOW_LOCAL: "127.0.0.0/8,::1" };

/** Most tests want a hospital in which nothing has happened yet. */
const WITHOUT_PAST = { RINGWARD_DEMO__HISTORY: "false" };

/** By data folder. */
const databases = new Map<string, Promise<string>>();

async function newDatabase(dataDir: string): Promise<string> {
  // The source is of no use to most of these tests, and takes its time to load.
  const { newPostgresUrl } = await import("./postgres.ts");
  const url = await newPostgresUrl();
  storedAt(dataDir, url);
  return url;
}

/** On PostgreSQL each data folder has a database of its own there. */
async function databaseOf(dataDir: string | undefined): Promise<Record<string, string>> {
  if (!isOnPostgres || dataDir === undefined) return {};
  const url = databases.get(dataDir) ?? newDatabase(dataDir);
  databases.set(dataDir, url);
  return { RINGWARD_DATABASE__URL: await url };
}

const running = new Set<Bun.Subprocess>();
const made: string[] = [];

/** For the top of a test file: what its tests started or made is gone after it, even where one failed half way. */
export function leaveNothingBehind(): void {
  // `bun test` emits no exit event, and a hook in this module would run after the first file only.
  afterAll(stopAndForgetAll);
}

/** What is still running is killed, and the folders that were made are removed. */
export async function stopAndForgetAll(): Promise<void> {
  await Promise.all([...running].map((child) => (child.kill("SIGKILL"), child.exited)));
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export async function startBinary(options: StartOptions = {}): Promise<Running> {
  const dataDir = options.dataDir ?? tempFolder();
  const port = options.port ?? (await freePort());
  const withDemo = options.demo !== false;
  const command = [
    ...(options.wrapper ?? []),
    options.binary ?? BINARY,
    "serve",
    ...(withDemo ? ["--demo"] : []),
    "--data",
    dataDir,
    "--port",
    String(port),
    ...(options.args ?? []),
  ];
  const database = await databaseOf(dataDir);
  const startedAt = performance.now();
  const child = Bun.spawn(command, {
    cwd: options.cwd ?? dataDir,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: dataDir,
      ...TRUNKS_ON_LOOPBACK,
      ...WITHOUT_PAST,
      ...UNENFORCED,
      ...database,
      ...(options.tls && {
        RINGWARD_SERVER__TLS_CERT_FILE: options.tls.certFile,
        RINGWARD_SERVER__TLS_KEY_FILE: options.tls.keyFile,
      }),
      ...options.env,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  running.add(child);
  void child.exited.then(() => running.delete(child));
  let output = "";
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) output += decoder.decode(chunk, { stream: true });
  };
  const collected = Promise.all([collect(child.stdout), collect(child.stderr)]);
  const url = `${options.tls ? "https" : "http"}://127.0.0.1:${port}`;
  const trusts = options.tls && { ca: options.tls.caPem };
  await untilAnswers(`${url}/healthz`, { child, output: () => output, trusts });
  const startedMs = performance.now() - startedAt;
  return {
    url,
    ...(trusts && { trusts }),
    port,
    dataDir,
    demo: withDemo ? (JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as Record<string, string>) : {},
    process: child,
    startedMs,
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      const code = await child.exited;
      await collected;
      return code;
    },
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

export interface RunOptions {
  stdin?: string;
  env?: Record<string, string>;
  cwd?: string;
  wrapper?: string[];
  /** Another one than the full build. */
  binary?: string;
  /** A command that hangs is killed after this long and answers with the code null. */
  deadlineMs?: number;
}

/** Runs a command of the binary to its end. */
export async function runBinary(args: string[], options: RunOptions = {}) {
  const database = await databaseOf(args.includes("--data") ? args[args.indexOf("--data") + 1] : undefined);
  const child = Bun.spawn([...(options.wrapper ?? []), options.binary ?? BINARY, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: { PATH: process.env["PATH"] ?? "", ...TRUNKS_ON_LOOPBACK, ...database, ...options.env },
    stdin: options.stdin === undefined ? "ignore" : new TextEncoder().encode(options.stdin),
    stdout: "pipe",
    stderr: "pipe",
    timeout: options.deadlineMs ?? 120_000,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, code: child.exitCode };
}

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ringward-scenario-"));
  made.push(folder);
  return folder;
}

export async function freePort(): Promise<number> {
  return reservedPort();
}

interface Started {
  child: Bun.Subprocess;
  output: () => string;
  trusts: Running["trusts"];
}

async function untilAnswers(url: string, { child, output, trusts }: Started): Promise<void> {
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(`The binary ended with ${child.exitCode}:\n${output()}`);
      // A connection of its own each time, so that none of ours is left open at the server.
      const answer = await fetch(url, { keepalive: false, ...(trusts && { tls: trusts }) }).catch(() => null);
      return answer?.ok === true;
    },
    { withinMs: 60_000, what: () => `Nobody answers at ${url}:\n${output()}` },
  );
}
