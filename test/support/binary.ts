// Runs the compiled binary as its user would: in a folder of its own, over HTTP, with signals.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const BINARY = resolve(process.env["RINGWARD_BINARY"] ?? join(import.meta.dir, "../../dist/ringward"));

export interface Running {
  url: string;
  dataDir: string;
  /** demo.json, where the demo was asked for. */
  demo: Record<string, string>;
  process: Bun.Subprocess<"ignore", "pipe", "pipe">;
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
  env?: Record<string, string>;
  args?: string[];
}

export async function startBinary(options: StartOptions = {}): Promise<Running> {
  const dataDir = options.dataDir ?? tempFolder();
  const port = options.port ?? (await freePort());
  const child = Bun.spawn([BINARY, "serve", ...(options.demo === false ? [] : ["--demo"]), "--data", dataDir, "--port", String(port), ...(options.args ?? [])], {
    cwd: dataDir,
    env: { PATH: process.env["PATH"] ?? "", HOME: dataDir, ...options.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let output = "";
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) output += Buffer.from(chunk).toString("utf8");
  };
  void collect(child.stdout);
  void collect(child.stderr);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(`${url}/healthz`, child, () => output);
  return {
    url,
    dataDir,
    demo: options.demo === false ? {} : (JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as Record<string, string>),
    process: child,
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      return child.exited;
    },
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** Runs a command of the binary to its end. */
export async function runBinary(args: string[], options: { stdin?: string; env?: Record<string, string>; cwd?: string } = {}) {
  const child = Bun.spawn([BINARY, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: { PATH: process.env["PATH"] ?? "", ...options.env },
    stdin: options.stdin === undefined ? "ignore" : new TextEncoder().encode(options.stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
  return { stdout, stderr, code };
}

const made: string[] = [];
process.on("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ringward-scenario-"));
  made.push(folder);
  return folder;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function untilAnswers(url: string, child: Bun.Subprocess, output: () => string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (child.exitCode !== null) throw new Error(`The binary ended with ${child.exitCode}:\n${output()}`);
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await Bun.sleep(10);
  }
  throw new Error(`Nobody answers at ${url}:\n${output()}`);
}
