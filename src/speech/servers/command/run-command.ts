// Runs a local program as recogniser or voice through standard input and output. It is killed when it takes too long or
// writes too much. Only the configuration selects the program.
import { tmpdir } from "node:os";
import type { Clock } from "../../../core/clock.ts";
import { ServerFault, type CommandAddress, type NoteSent, type ServerRole } from "../port.ts";

export interface RunCommand {
  /** Returns the program's output. Throws nothing but a ServerFault. */
  run(input: Uint8Array, signal: AbortSignal): Promise<Buffer>;
}

export interface RunCommandOptions {
  clock: Clock;
  address: CommandAddress;
  role: ServerRole;
  note: NoteSent;
}

/** A minimal environment without keys. */
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" };
const MOST_BYTES = 16 * 1024 * 1024;
/** More at once would slow down active calls. */
const MOST_AT_ONCE = 4;
let running = 0;

export function createRunCommand({ clock, address, role, note }: RunCommandOptions): RunCommand {
  return {
    async run(input, signal) {
      if (signal.aborted) throw new ServerFault("aborted");
      if (running >= MOST_AT_ONCE) throw new ServerFault("refused");
      const startedMs = clock.elapsedMs();
      running += 1;
      let output: Buffer | ServerFault;
      try {
        output = await outputOf(clock, address, input, signal);
      } finally {
        running -= 1;
      }
      const hasFailed = output instanceof ServerFault && output.kind !== "aborted";
      note({
        server: address.id,
        host: "this machine",
        role,
        requests: 1,
        bytesOut: input.length,
        bytesIn: output instanceof ServerFault ? 0 : output.length,
        ms: Math.round(clock.elapsedMs() - startedMs),
        failures: hasFailed ? 1 : 0,
      });
      if (output instanceof ServerFault) throw output;
      return output;
    },
  };
}

async function outputOf(
  clock: Clock,
  { command, totalMs }: CommandAddress,
  input: Uint8Array,
  signal: AbortSignal,
): Promise<Buffer | ServerFault> {
  const ended: { by: ServerFault | null } = { by: null };
  let program: Bun.Subprocess<"pipe", "pipe", "ignore">;
  try {
    program = Bun.spawn([...command], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
      env: ENVIRONMENT,
      cwd: tmpdir(),
      // Its own process group, killed as a whole: the children of a shell script outlive the shell.
      detached: true,
    });
  } catch {
    return new ServerFault("refused");
  }
  const output = program.stdout.getReader();
  const stop = (kind: "timeout" | "aborted" | "tooLong") => {
    ended.by ??= new ServerFault(kind);
    killGroup(program.pid);
    // A program that left the group may still hold the pipe open.
    void output.cancel().catch(() => {});
  };
  const cancelTimer = clock.after(totalMs, () => stop("timeout"));
  const onAbort = () => stop("aborted");
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    // Errors while writing are ignored: a program that does not read its input is judged by its output.
    void Promise.try(async () => {
      await program.stdin.write(input);
      await program.stdin.end();
    }).catch(() => {});
    const pieces: Uint8Array[] = [];
    let count = 0;
    for (let read = await output.read(); !read.done; read = await output.read()) {
      count += read.value.length;
      if (count > MOST_BYTES) stop("tooLong");
      else pieces.push(read.value);
    }
    const code = await program.exited;
    return ended.by ?? (code === 0 ? Buffer.concat(pieces) : new ServerFault("status", code));
  } catch {
    return ended.by ?? new ServerFault("garbage");
  } finally {
    cancelTimer();
    signal.removeEventListener("abort", onAbort);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The program has already ended.
  }
}
