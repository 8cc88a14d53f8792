// The last step of an erasure: wipes the copies that it leaves in free space and the WAL, now or, where it must, later.
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
 * Never fails: what was erased is committed by then, and an answer that says otherwise would be false. Where the rest
 * of it cannot be done now (a long read, a full disk), it is done later.
 */
export function createWipe(deps: WipeDeps): () => Promise<void> {
  const { db, clock, logger, erasers } = deps;
  const tables = erasers.flatMap((eraser) => eraser.tables);
  let isDueAgain = false;

  async function wipe(): Promise<void> {
    const hindrance = await hindranceOfWipe();
    // One more pass is enough for all whose pass it was.
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
