// Keeps the database file free of what deleted rows leave behind, at a cost that does not grow with the file. Every page that is written
// passes through the WAL; we alone move the WAL into the file and note before which pages hold leftovers (checkpoints.ts), so a
// wipe has those to look at and no others (wipe.ts).
import { othersFirst, systemClock, type Clock } from "../../../core/clock.ts";
import { messageOf } from "../../../core/errors.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Connection } from "../connection.ts";
import { Checkpoints, type WalLimits } from "./checkpoints.ts";
import { readMark, writeMark } from "./clean-mark.ts";
import { DirtyPages } from "./dirty-pages.ts";
import { WalFrames } from "./wal-frames.ts";
import { WhenQuiet } from "./when-quiet.ts";
import { createFreeSpace } from "./wipe.ts";

export interface UpkeepLimits extends WalLimits {
  /** From here on they are wiped without anybody asking, so that whoever erases never has more to wait for. */
  dirtyPages: number;
}

/**
 * At most as many frames as SQLite would take by itself: 4 MiB, which is 4 ms; to read them before is 2 more. For 8,000 at once it is
 * 23 and 14. To wipe pages more often costs those who write.
 */
const LIMITS: UpkeepLimits = { frames: 500, mostFrames: 1_000, dirtyPages: 4_096 };

export interface Upkeep {
  /** To be called after each commit. */
  committed(): void;
  truncateWal(): boolean;
  wipe(): Promise<boolean>;
  readonly stats: { wipes: number; looksThroughFile: number };
  /** Before the connections are closed. Whoever has the folder for itself leaves word of what is known for the next run. */
  stop(isAlone: boolean): Promise<void>;
  /** After the connections are closed. */
  close(): Promise<void>;
}

export function keepFreeSpaceClean(deps: {
  file: string;
  writer: Connection;
  reader: Connection;
  logger: Logger;
  clock?: Clock;
  limits?: UpkeepLimits;
}): Upkeep {
  const { file, writer, logger, clock = systemClock, limits = LIMITS } = deps;
  const frames = new WalFrames(file);
  const dirty = new DirtyPages(file, readMark(file));
  const checkpoints = new Checkpoints(writer, frames, dirty, limits);
  const freeSpace = createFreeSpace({ ...deps, checkpoints, dirty });

  function attempt(run: () => void): void {
    try {
      run();
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

  const quiet = new WhenQuiet(clock, () => attempt(move));
  let isStopped = false;

  function move(): void {
    quiet.notWanted();
    checkpoints.run("RESTART");
    if (!dirty.isKnown || dirty.size > limits.dirtyPages) void wipeSoon();
  }

  function readOrMove(): void {
    if (isStopped || !checkpoints.isDue()) return;
    if (checkpoints.isLong()) {
      move();
      return;
    }
    checkpoints.readAhead();
    quiet.wanted();
  }

  return {
    committed() {
      quiet.committed();
      attempt(() => {
        // Whoever was committed is answered first.
        if (checkpoints.isDue()) void othersFirst().then(() => attempt(readOrMove));
      });
    },
    truncateWal: () => checkpoints.run("TRUNCATE"),
    wipe: () => freeSpace.wipe(),
    get stats() {
      return { wipes: freeSpace.wipes, looksThroughFile: freeSpace.looksThroughFile };
    },
    async stop(isAlone) {
      isStopped = true;
      quiet.notWanted();
      await freeSpace.stop();
      if (!isAlone) return;
      attempt(() => {
        checkpoints.run("TRUNCATE");
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
