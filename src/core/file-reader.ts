// Sandbox process that parses uploaded files one at a time. A file that exceeds its time or memory affects only that
// process: it is killed, and the next file gets a new one. A thread is not sufficient: Bun has no memory limit per
// thread, and a thread that runs out of memory ends the whole process.
import { SECOND_MS, systemClock, type Clock } from "./clock.ts";
import { AppError } from "./errors.ts";
import type { FileJob, Files, Message, World } from "./file-job.ts";
import { frameOf, framesIn, type Frame } from "./frames.ts";
import { createOneAtATime } from "./one-at-a-time.ts";
import { processUse } from "./process-use.ts";
import type { FromReader, ToReader } from "./reader-protocol.ts";

/** The largest accepted workbook, 10,000 rows by 50 columns, took 2 s and 300 MB. */
const MOST_CPU_MS = 8 * SECOND_MS;
/** Wall-clock limit, for a loaded machine or a system without CPU accounting. */
const LONGEST_MS = 30 * SECOND_MS;
const MOST_MEGABYTES = 512;
/** A process does not return memory: one that grew beyond this is not reused. */
const MOST_MEGABYTES_AT_REST = 160;
const LOOK_EVERY_MS = 50;
/** A person who corrects a list usually uploads it again within this time. */
const IDLE_MS = 30 * SECOND_MS;

const takesTooMuch = () =>
  new AppError(
    "VALIDATION_ERROR",
    "Reading this file takes more time or memory than one file may. Remove what is not needed, or split it.",
  );

export interface FileReaderOptions {
  /** Starts the process, which reads and writes frames. */
  command: readonly string[];
  clock?: Clock;
  mostCpuMs?: number;
  mostMegabytes?: number;
}

export function createFileReader(options: FileReaderOptions): Files {
  const { clock = systemClock } = options;
  const inTurn = createOneAtATime();
  let reader: Reader | null = null;
  let cancelIdle = () => {};

  async function read<Input extends object, Output extends object, Asked extends object>(
    job: FileJob<Input, Output, Asked>,
    input: Input,
    world: Asked,
  ): Promise<Output> {
    cancelIdle();
    const own = (reader ??= new Reader(options));
    try {
      return (await own.run(job.name, input, world as World)) as Output;
    } finally {
      if (own.isSpent()) {
        own.kill();
        if (reader === own) reader = null;
      } else cancelIdle = clock.after(IDLE_MS, stop);
    }
  }

  function stop(): void {
    cancelIdle();
    reader?.kill();
    reader = null;
  }

  return {
    read: (organisationId, job, input, world) => inTurn(organisationId, () => read(job, input, world)),
    stop,
  };
}

/** One process, from spawn to kill. */
class Reader {
  readonly #child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #frames: AsyncGenerator<Frame<FromReader>, void>;
  readonly #clock: Clock;
  readonly #mostCpuMs: number;
  readonly #mostMegabytes: number;
  /** True when its last job has finished. */
  #isAtRest = true;
  #wasTooMuch = false;

  constructor({ command, clock, mostCpuMs, mostMegabytes }: FileReaderOptions) {
    // It needs no settings and receives no secrets.
    this.#child = Bun.spawn([...command], { stdin: "pipe", stdout: "pipe", stderr: "ignore", env: {} });
    this.#child.unref();
    this.#frames = framesIn<FromReader>(this.#child.stdout);
    this.#clock = clock ?? systemClock;
    this.#mostCpuMs = mostCpuMs ?? MOST_CPU_MS;
    this.#mostMegabytes = mostMegabytes ?? MOST_MEGABYTES;
    processUse.yieldToOthers(this.#child.pid);
  }

  async run(job: string, { bytes, ...input }: Message, world: World): Promise<Message> {
    this.#isAtRest = false;
    const stopWatching = this.#watch();
    try {
      this.#send({ job, input }, bytes);
      for (;;) {
        const { value: frame } = await this.#frames.next();
        if (!frame) throw this.#wasTooMuch ? takesTooMuch() : new Error("The process that reads files has ended.");
        const { fields } = frame;
        if (fields.type === "asks") {
          this.#send({ answer: await askedOf(world, fields.name, fields.asked) });
          continue;
        }
        this.#isAtRest = true;
        if (fields.type === "done") return { ...fields.output, bytes: frame.bytes };
        if (fields.type === "broken") throw new Error(`A file could not be read: ${fields.error}`);
        throw new AppError(fields.code, fields.message, { details: fields.details });
      }
    } finally {
      stopWatching();
    }
  }

  isSpent(): boolean {
    return !this.#isAtRest || (processUse.of(this.#child.pid)?.megabytes ?? 0) > MOST_MEGABYTES_AT_REST;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #send(message: ToReader, bytes?: Uint8Array): void {
    for (const part of frameOf({ ...message, ...(bytes && { bytes }) }))
      if (part.length > 0) void this.#child.stdin.write(part);
    void this.#child.stdin.flush();
  }

  #watch(): () => void {
    const { pid } = this.#child;
    const cpuMsBefore = processUse.of(pid)?.cpuMs ?? 0;
    const startedMs = this.#clock.elapsedMs();
    let cancel = () => {};
    const look = () => {
      const use = processUse.of(pid);
      const isTooMuch =
        this.#clock.elapsedMs() - startedMs > LONGEST_MS ||
        (use !== null && (use.cpuMs - cpuMsBefore > this.#mostCpuMs || use.megabytes > this.#mostMegabytes));
      if (!isTooMuch) {
        cancel = this.#clock.after(LOOK_EVERY_MS, look);
        return;
      }
      this.#wasTooMuch = true;
      this.kill();
    };
    look();
    return () => cancel();
  }
}

async function askedOf(world: World, name: string, asked: unknown): Promise<unknown> {
  const answer = world[name];
  if (!answer) throw new Error(`A file reader requested ${name}, which is unknown.`);
  return answer(asked as never);
}
