// Keeps the database file free of what deleted rows leave behind, at a cost that does not grow with the file. Every page that is written
// passes through the WAL; we alone move the WAL into the file and note before which pages hold leftovers (checkpoints.ts), so a
// wipe has those to look at and no others (wipe.ts).
import { messageOf } from "../../../core/errors.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Connection } from "../connection.ts";
import { Checkpoints } from "./checkpoints.ts";
import { readMark, writeMark } from "./clean-mark.ts";
import { DirtyPages } from "./dirty-pages.ts";
import { WalFrames } from "./wal-frames.ts";
import { createFreeSpace } from "./wipe.ts";

export interface UpkeepLimits {
  /** The WAL is moved when it has so many. */
  frames: number;
  /** From here on they are wiped without anybody asking, so that whoever erases never has more to wait for. */
  dirtyPages: number;
}

/** As many frames as SQLite would take by itself: 4 MiB. To wipe pages more often costs those who write. */
const LIMITS: UpkeepLimits = { frames: 1_000, dirtyPages: 4_096 };

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
  limits?: UpkeepLimits;
}): Upkeep {
  const { file, writer, logger, limits = LIMITS } = deps;
  const frames = new WalFrames(file);
  const dirty = new DirtyPages(file, readMark(file));
  const checkpoints = new Checkpoints(writer, frames, dirty, limits.frames);
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

  return {
    committed() {
      attempt(() => {
        if (!checkpoints.isDue()) return;
        checkpoints.run("RESTART");
        if (!dirty.isKnown || dirty.size > limits.dirtyPages) void wipeSoon();
      });
    },
    truncateWal: () => checkpoints.run("TRUNCATE"),
    wipe: () => freeSpace.wipe(),
    get stats() {
      return { wipes: freeSpace.wipes, looksThroughFile: freeSpace.looksThroughFile };
    },
    async stop(isAlone) {
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
