// The folder from which an executable loads ONNX Runtime: one per process, created by the main thread and filled by the
// first thread that needs it. All threads load the same file, so it is in memory once.
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

/** Removes folders of killed processes. `mkdtemp` creates a folder that only its owner can enter. */
export function createNativeFolder(parent: string, processId: number, isRunning = hasProcess): NativeFolder {
  for (const name of readdirSync(parent)) {
    const owner = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(owner) || owner === processId || isRunning(owner)) continue;
    if (isOurs(join(parent, name))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const path = mkdtempSync(join(parent, `ringward-native-${processId}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Path of the addon. Files get their final names only when complete. */
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
    // EPERM: the process of another user, which exists.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function isOurs(path: string): boolean {
  const owner = lstatSync(path, { throwIfNoEntry: false })?.uid;
  return owner !== undefined && owner === process.getuid?.();
}
