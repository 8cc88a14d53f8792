// The folder that ONNX Runtime is loaded from when it comes out of the executable: one for each process, made by its
// main thread and filled by whichever thread needs it first. All threads load the same file, so it is in memory once.
import { existsSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { threadId } from "node:worker_threads";
import { messageOf } from "../../core/errors.ts";
import { unpacked } from "./packed-file.ts";
import type { NativeFiles } from "./platform.ts";

const NAME = /^ringward-native-(\d+)-\w+$/;

export interface NativeFolder {
  path: string;
  remove(): void;
}

/** Takes away what processes that were killed left behind. `mkdtemp` makes a folder that only its owner can enter. */
export function createNativeFolder(parent: string, processId: number, isRunning = hasProcess): NativeFolder {
  for (const name of readdirSync(parent)) {
    const owner = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(owner) || owner === processId || isRunning(owner)) continue;
    if (isOurs(join(parent, name))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const path = mkdtempSync(join(parent, `ringward-native-${processId}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Where the addon can be loaded from. Files appear under their names only once they are whole. */
export async function addonIn(folder: string, files: NativeFiles): Promise<string> {
  if (!files.areEmbedded) return files.addon;
  const addon = join(folder, files.addonName);
  await writeOut(files.library, join(folder, files.libraryName));
  await writeOut(files.addon, addon);
  return addon;
}

let written = 0;

async function writeOut(embedded: string, path: string): Promise<void> {
  if (existsSync(path)) return;
  const unfinished = `${path}.${threadId}-${++written}`;
  const content = await unpacked(embedded);
  try {
    await Bun.write(unfinished, content);
    renameSync(unfinished, path);
  } catch (error) {
    if (existsSync(unfinished)) rmSync(unfinished);
    const megabytes = Math.ceil(content.byteLength / 1e6);
    throw new Error(
      `ONNX Runtime could not be unpacked: ${messageOf(error)}. It needs ${megabytes} MB in ${dirname(path)}; ` +
        "make room there, or set TMPDIR to a folder with room.",
      { cause: error },
    );
  }
}

function hasProcess(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // Somebody else's process may not be signalled, but it is there.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function isOurs(path: string): boolean {
  const owner = lstatSync(path, { throwIfNoEntry: false })?.uid;
  return owner !== undefined && owner === process.getuid?.();
}
