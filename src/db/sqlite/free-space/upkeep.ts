// Keeps the database file free of leftovers of deleted rows, at a cost independent of the file size. Every written page
// passes through the WAL. Only this process moves the WAL into the file, and it first notes which pages contain
// leftovers (checkpoints.ts), so a wipe needs to look only at those (wipe.ts).
import { othersFirst, systemClock, type Clock } from "../../../core/clock.ts";
import { messageOf } from "../../../core/errors.ts";
import type { Logger } from "../../../core/logger.ts";
import type { FileKey } from "../cipher.ts";
import type { Connection } from "../connection.ts";
import { Checkpoints, type WalLimits } from "./checkpoints.ts";
import { pagesOf } from "./pages.ts";
import { readMark, writeMark } from "./clean-mark.ts";
import { DirtyPages } from "./dirty-pages.ts";
import { WalFrames } from "./wal-frames.ts";
import { AT_ONCE, type WalMover } from "./wal-mover.ts";
import { WhenQuiet } from "./when-quiet.ts";
import { createFreeSpace } from "./wipe.ts";

export interface UpkeepLimits extends WalLimits {
  /** From here on pages are wiped automatically, as soon as writes pause for a moment. */
  dirtyPages: number;
  /** From here on they are wiped immediately, which bounds the wait of an erasure. */
  mostDirtyPages: number;
}

/**
 * Moving 1,000 frames, SQLite's default, takes 6.5 ms and 2,000 take 7.3 ms, mostly for the disk; 8,000 take 23 ms.
 * Wiping 256 pages takes as long as that, and 30,000 calls leave about 4,000.
 */
const LIMITS: UpkeepLimits = { frames: 500, mostFrames: 2_000, dirtyPages: 4_096, mostDirtyPages: 16_384 };

export interface Upkeep {
  /** Called after each commit. */
  committed(): void;
  truncateWal(): Promise<boolean>;
  wipe(): Promise<boolean>;
  readonly stats: { wipes: number; looksThroughFile: number };
  /**
   * Called before the connections are closed. With exclusive access to the folder, stores the state for the next run.
   */
  stop(isAlone: boolean): Promise<void>;
  /** Called after the connections are closed. */
  close(): Promise<void>;
}

export interface UpkeepDeps {
  file: string;
  key?: FileKey;
  writer: Connection;
  reader: Connection;
  logger: Logger;
  clock?: Clock;
  limits?: UpkeepLimits;
  mover?: WalMover;
  /** Runs while no other thread reads: pages are rewritten outside SQLite, and a reader could see half of one. */
  whileIdle?: <T>(run: () => Promise<T>) => Promise<T>;
}

export function keepFreeSpaceClean(deps: UpkeepDeps): Upkeep {
  const { file, writer, logger, clock = systemClock, limits = LIMITS, mover = AT_ONCE } = deps;
  const pages = pagesOf(deps.key ?? null);
  const frames = new WalFrames(file);
  const dirty = new DirtyPages(file, readMark(file));
  const checkpoints = new Checkpoints(writer, frames, dirty, { limits, mover, pages });
  const freeSpace = createFreeSpace({ ...deps, pages, mover, checkpoints, dirty });
  const { whileIdle = (run) => run() } = deps;
  const wipe = () => whileIdle(() => freeSpace.wipe());

  async function attempt(run: () => void | Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      logger.warn("The WAL could not be checkpointed; retrying later.", { error: messageOf(error) });
    }
  }

  async function wipeSoon(): Promise<void> {
    try {
      await wipe();
    } catch (error) {
      logger.warn("Free space could not be wiped; retrying later.", { error: messageOf(error) });
    }
  }

  const quietToMove = new WhenQuiet(clock, () => void attempt(move));
  const quietToWipe = new WhenQuiet(clock, () => void wipeSoon());
  let isStopped = false;
  let moving: Promise<unknown> | null = null;

  /** One at a time: a second concurrent move would find nothing to move. */
  function moveWal(): Promise<unknown> {
    moving ??= mover.between(() => checkpoints.runAndBegin("RESTART")).finally(() => (moving = null));
    return moving;
  }

  async function move(): Promise<void> {
    quietToMove.notWanted();
    await moveWal();
    if (isStopped) return;
    if (!dirty.isKnown || dirty.size > limits.mostDirtyPages) {
      quietToWipe.notWanted();
      void wipeSoon();
    } else if (dirty.size > limits.dirtyPages) {
      quietToWipe.wanted();
    }
  }

  function readOrMove(): void | Promise<void> {
    if (isStopped || !checkpoints.isDue()) return;
    if (checkpoints.isLong()) return move();
    checkpoints.readAhead();
    quietToMove.wanted();
  }

  return {
    committed() {
      quietToMove.committed();
      quietToWipe.committed();
      void attempt(() => {
        // The committed commands are answered first.
        if (checkpoints.isDue()) void othersFirst().then(() => attempt(readOrMove));
      });
    },
    truncateWal: () => mover.between(() => checkpoints.runAndBegin("TRUNCATE")),
    wipe,
    get stats() {
      return { wipes: freeSpace.wipes, looksThroughFile: freeSpace.looksThroughFile };
    },
    async stop(isAlone) {
      isStopped = true;
      quietToMove.notWanted();
      quietToWipe.notWanted();
      await moving?.catch(() => {});
      await freeSpace.stop();
      if (!isAlone) return;
      await attempt(async () => {
        await mover.between(() => checkpoints.run("TRUNCATE"));
        const mark = dirty.mark();
        if (mark) writeMark(file, mark);
      });
    },
    async close() {
      frames.close();
      await freeSpace.close();
    },
  };
}
