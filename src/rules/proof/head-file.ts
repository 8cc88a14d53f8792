// The file with the appliance's head. A head that is not in the stored chain is kept beside it: after a restore it is
// the evidence of the records that are gone.
import { copyFile, constants, readFile, readdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Executor } from "../../db/tables.ts";
import { proofAt } from "./proof-store.ts";
import { ProofFault, readHead } from "./verify.ts";

/** Names of kept heads: the number of the record, and a count for others of the same number. */
const KEPT = /^\.(?:\d+|unreadable)(?:-\d+)?$/;
export const UNREADABLE = "unreadable";

/** A reader sees the old head or the new one. */
export async function replaceHead(file: string, line: string): Promise<void> {
  await writeFile(`${file}.new`, `${line}\n`, { mode: 0o644, flush: true });
  await rename(`${file}.new`, file);
}

/**
 * Copies a head that is not in the chain. Returns the path of the copy; null if there was nothing to keep. `nameOf`:
 * the last part of the copy's name; null if the chain has the record that the head names.
 */
export async function keepContradicted(
  file: string,
  nameOf: (line: string) => Promise<string | null>,
): Promise<string | null> {
  const text = await textIn(file);
  if (text === null) return null;
  const name = await nameOf(text.trimEnd());
  return name === null ? null : copied(file, `${file}.${name}`, text);
}

/** Paths of the copies that are still there. */
export async function keptHeads(file: string): Promise<string[]> {
  const [folder, name] = [dirname(file), basename(file)];
  const found = await readdir(folder).catch(() => []);
  const kept = found.filter((each) => each.startsWith(name) && KEPT.test(each.slice(name.length)));
  return kept.toSorted().map((each) => join(folder, each));
}

/** For the chain of proofs. */
export async function contradicted(line: string, reader: Executor): Promise<string | null> {
  try {
    // By any key: a restored database may not have the newest one.
    const { organisation, sequence, last } = readHead(line, null);
    const isInChain = organisation === null && (await proofAt(reader, sequence))?.hash === last;
    return isInChain ? null : String(sequence);
  } catch (error) {
    if (error instanceof ProofFault) return UNREADABLE;
    throw error;
  }
}

/** Never replaces a copy with other content. */
async function copied(file: string, wanted: string, text: string): Promise<string> {
  for (let count = 1; ; count++) {
    const path = count === 1 ? wanted : `${wanted}-${count}`;
    const there = await textIn(path);
    if (there === text) return path;
    if (there !== null) continue;
    await copyFile(file, path, constants.COPYFILE_EXCL);
    return path;
  }
}

/** Null if the file does not exist. */
async function textIn(file: string): Promise<string | null> {
  try {
    return await readFile(file, "latin1");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
