// Private file that is written while a call is in progress. Calls never throw and never block: disk errors are logged,
// reported by `close`, and do not affect the call.
import { mkdir, open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { Logger } from "../core/logger.ts";
import type { FileKey } from "../core/sealed-frames.ts";
import { createSealedWriter } from "../core/sealed-writer.ts";

export interface BackgroundFile {
  /** True after the first error; nothing more is written. */
  readonly isBroken: boolean;
  /**
   * Writes are sequential, so after a crash the file is complete up to its end. The bytes must not change until `done`
   * is called, which happens when they are written or dropped.
   */
  write(bytes: Uint8Array, at: number, done?: () => void): void;
  /** Resolves when everything is written; false if something is missing. */
  close(): Promise<boolean>;
}

export interface BackgroundFileOptions {
  file: string;
  logger: Logger;
  /** Constant log messages for a failed and a slow write. */
  words: { failed: string; tooSlow: string };
  /** Limit of the write queue. A disk this far behind does not catch up, and the queue must not grow during a call. */
  mostWaiting: number;
  /** Encrypts the file; null: it is plain. Then only its first 16 kB can be written twice. */
  key?: FileKey | null | undefined;
}

export function openBackgroundFile(options: BackgroundFileOptions): BackgroundFile {
  const { file, logger, words, mostWaiting, key } = options;
  const sealing = key ? createSealedWriter(key) : null;
  let handle: FileHandle | null = null;
  let isBroken = false;
  let waiting = 0;
  let work = run(async () => {
    handle = await openPrivate(file);
    await handle.chmod(0o600); // The mode given to open has no effect on an existing file.
  });

  async function run(step: () => Promise<void>): Promise<void> {
    if (isBroken) return;
    try {
      await step();
    } catch (error) {
      giveUp(words.failed, error instanceof Error && "code" in error ? String(error.code) : String(error));
    }
  }

  /** Logs the first error only; later ones are its consequences. */
  function giveUp(message: string, code?: string): void {
    if (isBroken) return;
    isBroken = true;
    logger.error(message, code === undefined ? {} : { code });
  }

  return {
    get isBroken() {
      return isBroken;
    },
    write(bytes, at, done) {
      if (!isBroken && waiting >= mostWaiting) giveUp(words.tooSlow);
      if (isBroken) {
        done?.();
        return;
      }
      waiting++;
      work = work.then(async () => {
        await run(async () => {
          const writes = sealing ? sealing.write(bytes, at) : [{ bytes, at }];
          for (const write of writes) if (handle) await writeAll(handle, write.bytes, write.at);
        });
        waiting--;
        done?.();
      });
    },
    async close() {
      await work;
      await run(async () => {
        for (const write of sealing?.finish() ?? []) if (handle) await writeAll(handle, write.bytes, write.at);
      });
      await handle?.close().catch(() => undefined); // Everything is written, so an error here loses nothing.
      return !isBroken;
    },
  };
}

/** Recreates the folder if it was deleted since the start. One level only: a missing data folder is not recreated. */
async function openPrivate(file: string): Promise<FileHandle> {
  try {
    return await open(file, "w", 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    await mkdir(dirname(file), { mode: 0o700 }).catch(() => undefined); // Another call may have created it meanwhile.
    return open(file, "w", 0o600);
  }
}

/** Loops over partial writes: a nearly full disk accepts part of a write before it fails. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += (await handle.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
  }
}
