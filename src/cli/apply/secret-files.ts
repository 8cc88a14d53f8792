// Files with secrets: those that the file of `ringward apply` names as sources, and those that receive created secrets.
// A created secret exists only once. Its file is reserved before it is created, so that a run that was interrupted in
// between is recognised and the secret is replaced.
import { accessSync, constants, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { environmentVariable } from "../../config/load.ts";
import type { Ground } from "./ground.ts";
import { readSmallFile } from "./read-file.ts";

export interface SecretSource {
  inline?: string | undefined;
  file?: string | undefined;
  variable?: string | undefined;
}

/** The secret of an entry, from at most one of three sources. Undefined if none is given or it cannot be read. */
export function secretFrom(ground: Ground, path: string, field: string, source: SecretSource): string | undefined {
  const { inline, file, variable } = source;
  if ([inline, file, variable].filter((given) => given !== undefined).length > 1) {
    ground.fault(path, `give only one of ${field}, ${field}_file and ${field}_env.`);
    return undefined;
  }
  if (variable !== undefined) {
    const value = environmentVariable(variable);
    if (value === undefined || value === "")
      ground.fault(`${path}.${field}_env`, `the variable ${variable} is not set.`);
    return value === "" ? undefined : value;
  }
  if (file !== undefined) {
    const text = ground.checked(`${path}.${field}_file`, () => textOf(ground, file));
    if (text === "") ground.fault(`${path}.${field}_file`, "the file is empty.");
    return text ?? undefined;
  }
  if (inline !== undefined && inline !== "none")
    ground.warnings.push(`${path}.${field} is a secret in the file itself. Use ${field}_file or ${field}_env.`);
  return inline;
}

/** Without a trailing line break. */
export const textOf = (ground: Ground, file: string): string =>
  readSmallFile(resolve(ground.folder, file)).replace(/\r?\n$/, "");

const RESERVED = "Reserved by ringward apply. The secret follows; if it does not, run the same command again.\n";

/** `reserved`: an earlier run ended before it wrote the secret. */
export type OutputState = "missing" | "reserved" | "present";

export class SecretOutput {
  readonly file: string;

  constructor(folder: string, file: string) {
    this.file = resolve(folder, file);
  }

  state(): OutputState {
    const facts = lstatSync(this.file, { throwIfNoEntry: false });
    if (!facts) return "missing";
    const isReserved = facts.isFile() && facts.size === RESERVED.length && readFileSync(this.file, "utf8") === RESERVED;
    return isReserved ? "reserved" : "present";
  }

  /** Why no secret can be written here; null if it can. */
  problem(): string | null {
    if (this.state() === "present") return "exists already. Name another file, or move this one away.";
    try {
      accessSync(dirname(this.file), constants.W_OK);
      return null;
    } catch {
      return "cannot be written: its folder does not exist, or this user may not write there.";
    }
  }

  reserve(): void {
    if (this.state() === "reserved") return;
    writeFileSync(this.file, RESERVED, { flag: "wx", mode: 0o600, flush: true });
  }

  /** Replaces the reservation. The secret is never in a file that others can read. */
  write(secret: string): void {
    const unfinished = `${this.file}.unfinished`;
    // Of an interrupted run, whose secret is no longer valid.
    rmSync(unfinished, { force: true });
    try {
      writeFileSync(unfinished, `${secret}\n`, { flag: "wx", mode: 0o600, flush: true });
      renameSync(unfinished, this.file);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw error;
    }
  }
}
