// Replaces the executable's file. Each step is one rename, so a crash or power cut at any moment leaves a complete
// executable at its path.
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { AppError, messageOf } from "../core/errors.ts";
import { eachChunk, writeAll } from "../db/archive/archive-file.ts";

export const stagedOf = (executable: string): string => `${executable}.new`;
export const previousOf = (executable: string): string => `${executable}.previous`;

/** Also writes the data to `copy`, if given. */
function hashed(file: string, copy?: number): string {
  const hash = createHash("sha256");
  const from = openSync(file, "r");
  try {
    eachChunk(from, 0, fstatSync(from).size, (chunk, at) => {
      hash.update(chunk);
      if (copy !== undefined) writeAll(copy, chunk, at);
    });
  } finally {
    closeSync(from);
  }
  return hash.digest("hex");
}

export function sha256Of(file: string): string {
  try {
    return hashed(file);
  } catch (error) {
    throw new AppError("VALIDATION_ERROR", `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Copies the file beside the executable. Hashes the copied bytes, so a change of `file` in the meantime has no effect.
 */
export function stage(file: string, executable: string, sha256: string): string {
  const staged = stagedOf(executable);
  try {
    rmSync(staged, { force: true });
    const copied = copyHashed(file, staged);
    if (copied !== sha256) throw new AppError("CONFLICT", `${file} changed while it was read. Nothing was changed.`);
    const { mode, uid, gid } = statSync(executable);
    chownSync(staged, uid, gid);
    chmodSync(staged, mode & 0o777);
    return staged;
  } catch (error) {
    rmSync(staged, { force: true });
    throw error instanceof AppError ? error : cannotWrite(executable, error);
  }
}

function copyHashed(from: string, to: string): string {
  const target = openSync(to, "wx", 0o700);
  try {
    const sha256 = hashed(from, target);
    fsyncSync(target);
    return sha256;
  } finally {
    closeSync(target);
  }
}

/** Called after each step at which a crash may follow; for tests. */
export type Step = () => void;

/** The installed executable gets a second name before the staged one takes its place. */
export function swapIn(executable: string, step: Step = () => {}): void {
  const [previous, incoming] = [previousOf(executable), `${previousOf(executable)}.new`];
  try {
    rmSync(incoming, { force: true });
    step();
    linkSync(executable, incoming);
    step();
    renameSync(incoming, previous);
    flushFolder(executable);
    step();
    renameSync(stagedOf(executable), executable);
    step();
    flushFolder(executable);
  } catch (error) {
    throw cannotWrite(executable, error);
  }
}

export function swapBack(executable: string): void {
  const previous = previousOf(executable);
  if (!existsSync(previous)) throw new AppError("NOT_FOUND", `There is no ${previous} to go back to.`);
  try {
    renameSync(previous, executable);
    flushFolder(executable);
  } catch (error) {
    throw cannotWrite(executable, error);
  }
}

function flushFolder(executable: string): void {
  const folder = openSync(dirname(executable), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

const HINTS: Readonly<Record<string, string>> = {
  EACCES: "Run the command as the user who owns the executable, usually root.",
  EPERM: "Run the command as the user who owns the executable, usually root.",
  EROFS: "Its disk is read-only. In a container, pull the new image instead.",
  ENOSPC: "Its disk is full: the new executable needs as much space as the old one.",
};

function cannotWrite(executable: string, error: unknown): AppError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const hint = HINTS[code] ?? messageOf(error);
  return new AppError("CONFLICT", `${executable} cannot be replaced (${code}). ${hint}`, { cause: error });
}
