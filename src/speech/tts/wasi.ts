// Runs a WASI command in memory: arguments in, one output file out. It has no access to files, network, clock or
// environment.

const BAD_DESCRIPTOR = 8;
const NOT_SEEKABLE = 70;
const DONE = 0;

const ROOT_FOLDER = 3;
const OUTPUT = 4;
const FILETYPE = { folder: 3, file: 4 };
const ALL_RIGHTS = 0xffff_ffff_ffff_ffffn;

export interface CommandResult {
  exitCode: number;
  /** Content of the output file. */
  output: Uint8Array<ArrayBuffer>;
  /** Standard output and error. */
  printed: string;
}

/** Thrown through the command to end it, because proc_exit does not return. */
class Exit extends Error {
  constructor(readonly code: number) {
    super(`The command ended with ${code}.`);
  }
}

export function runCommand(module: WebAssembly.Module, args: readonly string[]): CommandResult {
  const argv = args.map((arg) => new TextEncoder().encode(`${arg}\0`));
  const output: Uint8Array<ArrayBuffer>[] = [];
  const printed: Uint8Array<ArrayBuffer>[] = [];
  // The buffer is replaced when memory grows, so views are created each time.
  const bytes = () => new Uint8Array(memory.buffer);
  const view = () => new DataView(memory.buffer);
  const put32 = (at: number, value: number) => view().setUint32(at, value, true);

  const imports = {
    args_sizes_get(countAt: number, bytesAt: number) {
      put32(countAt, argv.length);
      put32(bytesAt, joined(argv).length);
      return DONE;
    },
    args_get(pointersAt: number, textAt: number) {
      let at = textAt;
      for (const [i, arg] of argv.entries()) {
        put32(pointersAt + 4 * i, at);
        bytes().set(arg, at);
        at += arg.length;
      }
      return DONE;
    },
    clock_time_get(_clock: number, _precision: bigint, at: number) {
      view().setBigUint64(at, 0n, true);
      return DONE;
    },
    fd_close: () => DONE,
    fd_fdstat_get(fd: number, at: number) {
      if (fd > OUTPUT) return BAD_DESCRIPTOR;
      bytes().fill(0, at, at + 24);
      view().setUint8(at, fd === ROOT_FOLDER ? FILETYPE.folder : FILETYPE.file);
      view().setBigUint64(at + 8, ALL_RIGHTS, true);
      view().setBigUint64(at + 16, ALL_RIGHTS, true);
      return DONE;
    },
    fd_fdstat_set_flags: () => DONE,
    fd_prestat_get(fd: number, at: number) {
      if (fd !== ROOT_FOLDER) return BAD_DESCRIPTOR;
      put32(at, 0); // a folder
      put32(at + 4, 1); // the length of its name
      return DONE;
    },
    fd_prestat_dir_name(_fd: number, at: number) {
      bytes().set([0x2f], at);
      return DONE;
    },
    fd_read(_fd: number, _vectorsAt: number, _count: number, readAt: number) {
      put32(readAt, 0);
      return DONE;
    },
    fd_seek: () => NOT_SEEKABLE,
    fd_write(fd: number, vectorsAt: number, count: number, writtenAt: number) {
      let written = 0;
      for (let at = vectorsAt; at < vectorsAt + 8 * count; at += 8) {
        const from = view().getUint32(at, true);
        const length = view().getUint32(at + 4, true);
        (fd === OUTPUT ? output : printed).push(bytes().slice(from, from + length));
        written += length;
      }
      put32(writtenAt, written);
      return DONE;
    },
    path_open(...args: readonly (number | bigint)[]) {
      put32(Number(args[8]), OUTPUT);
      return DONE;
    },
    proc_exit(code: number) {
      throw new Exit(code);
    },
  };

  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports });
  const { memory, _start: start } = instance.exports as { memory: WebAssembly.Memory; _start: () => void };
  const exitCode = exitCodeOf(start);
  return { exitCode, output: joined(output), printed: new TextDecoder().decode(joined(printed)) };
}

function exitCodeOf(start: () => void): number {
  try {
    start();
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
