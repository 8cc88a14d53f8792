// Remembers that a statement met a damaged page or index. PostgreSQL continues with the data it can still read.
import type { Logger } from "../../core/logger.ts";
import { isDamage, type DatabaseFault } from "./faults.ts";

export const RESTORE_DUMP_WORDS = "Restore the newest dump, or promote a replica.";

export interface Soundness {
  /** Called with every failed statement. */
  failed(fault: DatabaseFault): void;
  /** In words for people; null if nothing is wrong. */
  fault(): string | null;
}

export function createSoundness(logger: Logger): Soundness {
  let damage: string | null = null;
  return {
    failed(fault) {
      if (damage !== null || !isDamage(fault)) return;
      damage = `The database is damaged. ${RESTORE_DUMP_WORDS} Then restart Ringward.`;
      logger.error(damage, { code: fault.state });
    },
    fault: () => damage,
  };
}
