// Last step of an erasure: wipes copies in free pages and the WAL, now or, if it cannot, later.
import { MINUTE_MS, type Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import type { Eraser } from "../../db/eraser.ts";

const AGAIN_MS = MINUTE_MS;

interface WipeDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  erasers: readonly Eraser[];
}

/**
 * Never fails: the erasure is already committed, so an error response would be wrong. If the wipe is impossible now (a
 * long read, a full disk), it is retried later.
 */
export function createWipe(deps: WipeDeps): () => Promise<void> {
  const { db, clock, logger, erasers } = deps;
  const tables = erasers.flatMap((eraser) => eraser.tables);
  let isDueAgain = false;

  async function wipe(): Promise<void> {
    const hindrance = await hindranceOfWipe();
    // One retry covers all wipes that failed.
    if (hindrance === null || isDueAgain) return;
    isDueAgain = true;
    logger.warn("The copies that an erasure leaves in free space could not be wiped yet; it is tried again.", {
      hindrance,
    });
    clock.after(AGAIN_MS, () => {
      isDueAgain = false;
      void wipe();
    });
  }

  async function hindranceOfWipe(): Promise<string | null> {
    try {
      return (await db.maintenance.wipe(tables))
        ? null
        : "a long read, or another program that writes, kept the WAL from being emptied";
    } catch (error) {
      return messageOf(error);
    }
  }

  return async () => {
    const done = wipe();
    if (db.maintenance.isWipeAwaited) await done;
  };
}
