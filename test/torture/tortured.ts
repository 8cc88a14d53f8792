// The executable as a process that is killed, starved and restarted, always at the same address on the same data.
import { appendFileSync, writeFileSync } from "node:fs";
import { until } from "../support/until.ts";

export interface TorturedOptions {
  binary: string;
  dataDir: string;
  port: number;
  env: Record<string, string>;
  /** What it says goes here, over all its runs. */
  logFile: string;
}

/** The most descriptors of a run; undefined as many as this process may have. */
export interface StartLimits {
  descriptors?: number;
}

export class Tortured {
  readonly url: string;
  #child: Bun.Subprocess<"ignore", "pipe", "pipe"> | null = null;
  #whenUp = Promise.withResolvers<void>();
  #isUp = false;

  constructor(private readonly options: TorturedOptions) {
    this.url = `http://127.0.0.1:${options.port}`;
    writeFileSync(options.logFile, "");
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** For clients: no request is sent while the machine is off. */
  whenUp(): Promise<void> {
    return this.#whenUp.promise;
  }

  /** Begins a run without waiting for it. */
  launch(limits: StartLimits = {}): void {
    const { binary, dataDir, port, env, logFile } = this.options;
    const serve = [binary, "serve", "--data", dataDir, "--port", String(port)];
    const { descriptors } = limits;
    const command =
      descriptors === undefined ? serve : ["sh", "-c", `ulimit -n ${descriptors} && exec "$@"`, "sh", ...serve];
    const child = Bun.spawn(command, {
      cwd: dataDir,
      env: { PATH: process.env["PATH"] ?? "", HOME: dataDir, ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const collect = async (stream: ReadableStream<Uint8Array>) => {
      for await (const chunk of stream) appendFileSync(logFile, chunk);
    };
    void collect(child.stdout);
    void collect(child.stderr);
    this.#child = child;
  }

  /** Until it answers. False where it ended by itself instead. */
  async answers(): Promise<boolean> {
    const child = this.#child;
    if (!child) return false;
    const isThere = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return true;
      const answer = await fetch(`${this.url}/healthz`, { keepalive: false, signal: AbortSignal.timeout(5_000) }).catch(
        () => null,
      );
      return answer?.ok === true;
    };
    await until(isThere, { withinMs: 120_000, everyMs: 5, what: () => "the executable does not answer" });
    if (child.exitCode !== null || child.signalCode !== null) return false;
    this.#isUp = true;
    this.#whenUp.resolve();
    return true;
  }

  async start(limits: StartLimits = {}): Promise<void> {
    this.launch(limits);
    if (await this.answers()) return;
    throw new Error(`The executable ended at its start with ${this.#child?.exitCode ?? "a signal"}.`);
  }

  /** Exited without being killed by the test: a crash. */
  hasCrashed(): boolean {
    return this.#isUp && (this.#child?.exitCode !== null || this.#child.signalCode !== null);
  }

  #down(): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#whenUp = Promise.withResolvers<void>();
  }

  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#child?.exited;
    this.#down();
  }

  /** SIGTERM, and the code it ended with. */
  async stop(): Promise<number> {
    this.#child?.kill("SIGTERM");
    const code = (await this.#child?.exited) ?? -1;
    this.#down();
    return code;
  }

  /** An administrator says that the clock is right. False where that could not be written down. */
  async confirmClock(): Promise<boolean> {
    const { binary, dataDir, env } = this.options;
    const child = Bun.spawn([binary, "clock", "confirm", "--data", dataDir], {
      cwd: dataDir,
      env: { PATH: process.env["PATH"] ?? "", HOME: dataDir, ...env },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    return (await child.exited) === 0;
  }

  /** Until it has ended by itself; the code. */
  async ended(): Promise<number> {
    return (await this.#child?.exited) ?? -1;
  }
}
