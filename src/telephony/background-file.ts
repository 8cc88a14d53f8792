// A private file that is written while a call goes on. Nothing here throws or waits: what goes wrong with the disk is
// logged, told by `close`, and leaves the call alone.
import { mkdir, open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { Logger } from "../core/logger.ts";

export interface BackgroundFile {
  /** From the first fault on nothing more is written. */
  readonly isBroken: boolean;
  /**
   * Writes follow one another, so that a crash leaves a file that is whole up to its end. The bytes must not change
   * until
   * `done` is called: they are written then, or never will be.
   */
  write(bytes: Uint8Array, at: number, done?: () => void): void;
  /** Resolves when everything is written; false where something is missing. */
  close(): Promise<boolean>;
}

export interface BackgroundFileOptions {
  file: string;
  logger: Logger;
  /** Constant log messages that say what could not be written. */
  words: { failed: string; tooSlow: string };
  /** A disk that is so many writes behind will not catch up; a call must not eat memory meanwhile. */
  mostWaiting: number;
}

export function openBackgroundFile({ file, logger, words, mostWaiting }: BackgroundFileOptions): BackgroundFile {
  let handle: FileHandle | null = null;
  let isBroken = false;
  let waiting = 0;
  let work = run(async () => {
    handle = await openPrivate(file);
    await handle.chmod(0o600); // The mode given to open does not touch a file that is there already.
  });

  async function run(step: () => Promise<void>): Promise<void> {
    if (isBroken) return;
    try {
      await step();
    } catch (error) {
      giveUp(words.failed, error instanceof Error && "code" in error ? String(error.code) : String(error));
    }
  }

  /** Told once: what follows from the first fault is no news. */
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
          if (handle) await writeAll(handle, bytes, at);
        });
        waiting--;
        done?.();
      });
    },
    async close() {
      await work;
      await handle?.close().catch(() => undefined); // Everything is written; there is nothing left to lose.
      return !isBroken;
    },
  };
}

/**
 * Somebody may have cleared the folder away since the start. One level only: a data folder that is gone is not made
 * anew.
 */
async function openPrivate(file: string): Promise<FileHandle> {
  try {
    return await open(file, "w", 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    await mkdir(dirname(file), { mode: 0o700 }).catch(() => undefined); // Another call may have made it just now.
    return open(file, "w", 0o600);
  }
}

/** A disk that is nearly full takes part of a write before it refuses the rest. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += (await handle.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
  }
}
