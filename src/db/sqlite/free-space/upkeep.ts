// Keeps the database file free of what deleted rows leave behind, at a cost that does not grow with the file. Every
// page that is written passes through the WAL; we alone move the WAL into the file and note before which pages hold
// leftovers (checkpoints.ts), so a wipe has those to look at and no others (wipe.ts).
import { othersFirst, systemClock, type Clock } from "../../../core/clock.ts";
import { messageOf } from "../../../core/errors.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Connection } from "../connection.ts";
import { Checkpoints, type WalLimits } from "./checkpoints.ts";
import { readMark, writeMark } from "./clean-mark.ts";
import { DirtyPages } from "./dirty-pages.ts";
import { WalFrames } from "./wal-frames.ts";
import { AT_ONCE, type WalMover } from "./wal-mover.ts";
import { WhenQuiet } from "./when-quiet.ts";
import { createFreeSpace } from "./wipe.ts";

export interface UpkeepLimits extends WalLimits {
  /** From here on they are wiped without anybody asking, as soon as nobody writes for a moment. */
  dirtyPages: number;
  /** From here on they are wiped at once, so that whoever erases never has more to wait for. */
  mostDirtyPages: number;
}

/**
 * To move 1,000 frames, as SQLite would by itself, takes 6.5 ms and 2,000 take 7.3, most of them for the disk; 8,000
 * take 23. To wipe 256 pages takes as long as that, and 30,000 calls leave about 4,000.
 */
const LIMITS: UpkeepLimits = { frames: 500, mostFrames: 2_000, dirtyPages: 4_096, mostDirtyPages: 16_384 };

export interface Upkeep {
  /** To be called after each commit. */
  committed(): void;
  truncateWal(): Promise<boolean>;
  wipe(): Promise<boolean>;
  readonly stats: { wipes: number; looksThroughFile: number };
  /**
   * Before the connections are closed. Whoever has the folder for itself leaves word of what is known for the next run.
   */
  stop(isAlone: boolean): Promise<void>;
  /** After the connections are closed. */
  close(): Promise<void>;
}

export interface UpkeepDeps {
  file: string;
  writer: Connection;
  reader: Connection;
  logger: Logger;
  clock?: Clock;
  limits?: UpkeepLimits;
  mover?: WalMover;
}

export function keepFreeSpaceClean(deps: UpkeepDeps): Upkeep {
  const { file, writer, logger, clock = systemClock, limits = LIMITS, mover = AT_ONCE } = deps;
  const frames = new WalFrames(file);
  const dirty = new DirtyPages(file, readMark(file));
  const checkpoints = new Checkpoints(writer, frames, dirty, { limits, mover });
  const freeSpace = createFreeSpace({ ...deps, mover, checkpoints, dirty });

  async function attempt(run: () => void | Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      logger.warn("The WAL could not be moved into the database; it is tried again.", { error: messageOf(error) });
    }
  }

  async function wipeSoon(): Promise<void> {
    try {
      await freeSpace.wipe();
    } catch (error) {
      logger.warn("Free space could not be wiped; it is tried again.", { error: messageOf(error) });
    }
  }

  const quietToMove = new WhenQuiet(clock, () => void attempt(move));
  const quietToWipe = new WhenQuiet(clock, () => void wipeSoon());
  let isStopped = false;
  let moving: Promise<unknown> | null = null;

  /** One at a time: a second one that is wanted meanwhile would find nothing to move. */
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
        // Those whose commands were committed are answered first.
        if (checkpoints.isDue()) void othersFirst().then(() => attempt(readOrMove));
      });
    },
    truncateWal: () => mover.between(() => checkpoints.runAndBegin("TRUNCATE")),
    wipe: () => freeSpace.wipe(),
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
