// Builds outside.c and controls it: the executable's wall clock, whether its writes and fsyncs succeed, and how long
// those of a database take.
import { closeSync, openSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

export interface Outside {
  /** What the executable has to be started with. */
  env: Record<string, string>;
  clockMs(): number;
  setClock(ms: number): void;
  failWrites(code: "EROFS" | "EIO" | "ENOSPC" | null): void;
  /** Each write of the database takes so much longer: a commit has dozens of them. */
  slowWrites(extraMs: number): void;
  /** Each fsync and fdatasync takes so much longer. */
  slowSyncs(extraMs: number): void;
  failSyncs(code: "EIO" | null): void;
  close(): void;
}

const WORD_BYTES = 8;

/** Null, with the reason told, where there is no C compiler: then clocks stay as they are. */
export function buildOutside(folder: string): Outside | { missing: string } {
  const compiler = Bun.which("cc") ?? Bun.which("gcc") ?? Bun.which("clang");
  if (process.platform !== "linux") return { missing: "only Linux lets a library stand in for libc's clock" };
  if (compiler === null) return { missing: "no C compiler (cc)" };
  const library = join(folder, "outside.so");
  const source = join(import.meta.dir, "outside.c");
  const built = Bun.spawnSync([compiler, "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], {
    stderr: "pipe",
  });
  if (!built.success) return { missing: `outside.c does not compile: ${built.stderr.toString().slice(0, 300)}` };

  const control = join(folder, "outside.control");
  const file = openSync(control, "w+");
  const put = (word: number, value: number) => {
    const bytes = Buffer.alloc(WORD_BYTES);
    bytes.writeBigInt64LE(BigInt(Math.round(value)));
    writeSync(file, bytes, 0, WORD_BYTES, word * WORD_BYTES);
  };
  let clockMs = 0;
  put(0, 0);
  put(1, 0);
  put(2, 0);
  put(3, 0);
  put(4, 0);
  return {
    env: { LD_PRELOAD: library, OUTSIDE_CONTROL: control },
    clockMs: () => clockMs,
    setClock(ms) {
      clockMs = ms;
      put(0, ms);
    },
    failWrites: (code) => put(1, code === null ? 0 : constants.errno[code]),
    slowWrites: (extraMs) => put(2, extraMs * 1_000),
    slowSyncs: (extraMs) => put(3, extraMs * 1_000),
    failSyncs: (code) => put(4, code === null ? 0 : constants.errno[code]),
    close: () => closeSync(file),
  };
}
