// Writes a file that must not exist yet. It appears when it is complete: a full disk, an interrupt or an error leaves
// nothing behind.
import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError } from "../core/errors.ts";
import { UsageError } from "./command.ts";
import { EXIT } from "./exit-codes.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full. Free some space, or name a file on another disk.",
  EDQUOT: "the disk quota is used up. Free some space, or name a file on another disk.",
  EFBIG: "the file is too large for this disk. Name a file on another disk.",
  EROFS: "the disk is read-only. Name a file on another disk.",
  EACCES: "this user may not write there. Name a file in another folder.",
  EPERM: "this user may not write there. Name a file in another folder.",
  ENOENT: "the folder does not exist. Create it first, or name a file in another folder.",
  ENOTDIR: "the folder does not exist. Create it first, or name a file in another folder.",
};

export function assertNew(file: string): void {
  if (existsSync(file)) throw new UsageError(`${file} exists already. Choose another name.`);
}

export async function writeNew(file: string, chunks: AsyncIterable<Uint8Array | string>): Promise<void> {
  // Two commands with the same FILE do not write into each other's.
  const unfinished = `${file}.${process.pid}.unfinished`;
  const remove = () => rmSync(unfinished, { force: true });
  const interrupted = () => {
    remove();
    process.exit(EXIT.failed);
  };
  for (const signal of SIGNALS) process.on(signal, interrupted);
  try {
    await pipeline(Readable.from(chunks), createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true }));
    assertNew(file);
    renameSync(unfinished, file);
  } catch (error) {
    remove();
    throw explained(file, error);
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
  }
}

function explained(file: string, error: unknown): unknown {
  const reason = REASONS[error instanceof Error && "code" in error ? String(error.code) : ""];
  return reason === undefined || error instanceof AppError
    ? error
    : new AppError("CONFLICT", `${file} was not written: ${reason}`, { cause: error });
}
