// Export files: written as a whole or not at all, and verified from the disk.
import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { createTurns } from "../core/clock.ts";
import { AuditFault } from "./checker.ts";
import { ExportReader, LONGEST_LINE, type ExportedPart, type VerifiedExport } from "./export.ts";

/** A fault with the number of its line. */
export class FileFault extends AuditFault {
  constructor(
    readonly line: number,
    fault: string,
  ) {
    super(line === 0 ? fault : `Line ${line}: ${fault}`);
  }
}

/** Throws AuditFault, and errors of the file system. */
export async function verifyExportFile(
  file: string,
  keys: ReadonlySet<string> | null,
  progress: (entries: number) => void = () => {},
): Promise<VerifiedExport> {
  const reader = new ExportReader(keys);
  const yields = createTurns();
  let line = 0;
  try {
    for await (const text of linesOf(file)) {
      line += 1;
      reader.add(text);
      await yields();
      if (line % 10_000 === 0) progress(line);
    }
  } catch (error) {
    throw error instanceof AuditFault ? new FileFault(line, error.message) : error;
  }
  return reader.end();
}

/** Lines end with a line feed; the last one must have it, too. */
async function* linesOf(file: string): AsyncGenerator<string, void> {
  const input = createReadStream(file, { encoding: "utf8" });
  let rest = "";
  for await (const part of input as AsyncIterable<string>) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
    // Refused by the reader: no more of it is read.
    if (rest.length > LONGEST_LINE) break;
  }
  if (rest !== "") yield rest;
}

/** Appears when it is complete and on the disk: a full disk or a kill leaves no file with this name. */
export async function writeExportFile(file: string, parts: AsyncIterable<ExportedPart>): Promise<void> {
  const unfinished = `${file}.unfinished`;
  const handle = await open(unfinished, "w", 0o600);
  try {
    for await (const { text } of parts) await handle.appendFile(text);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await rm(unfinished, { force: true });
    throw error;
  }
  await handle.close();
  await rename(unfinished, file);
  await syncFolder(dirname(file));
}

/** A power failure must not lose the name of a file whose entries are pruned next. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
