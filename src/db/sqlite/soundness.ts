// Detects problems that no write reports: a read met a damaged page, or the database files were deleted or replaced
// while open. Then everything seems to work, and is lost with the process.
import { statSync, type BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Logger } from "../../core/logger.ts";
import { isDamage, RESTORE_WORDS } from "../open-fault.ts";

export interface Soundness {
  /** Called with every error of a statement. */
  failed(error: unknown): void;
  /** In words for people; null if nothing is wrong. */
  fault(): Promise<string | null>;
}

export function createSoundness(file: string, logger: Logger): Soundness {
  let damage: string | null = null;
  const paths = [file, `${file}-wal`, `${file}-shm`];
  /** Path → identity of the file when first seen. */
  const seen = new Map<string, string>();
  for (const path of paths) {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found) seen.set(path, identityOf(found));
  }

  async function faultOf(path: string): Promise<string | null> {
    const found = await stat(path, { bigint: true }).catch(() => null);
    const identity = found && identityOf(found);
    const before = seen.get(path);
    if (identity === null) {
      return before === undefined ? null : `${basename(path)} was removed while it is in use.`;
    }
    if (before === undefined) seen.set(path, identity);
    return before === undefined || before === identity ? null : `${basename(path)} was replaced while it is in use.`;
  }

  return {
    failed(error) {
      if (damage !== null || !isDamage(error)) return;
      damage = `The database is damaged. ${RESTORE_WORDS}`;
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      logger.error(damage, { code });
    },
    async fault() {
      if (damage !== null) return damage;
      for (const path of paths) {
        const fault = await faultOf(path);
        if (fault !== null) return `${fault} What is stored now will be lost: stop Ringward, and restore a backup.`;
      }
      return null;
    },
  };
}

const identityOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;
