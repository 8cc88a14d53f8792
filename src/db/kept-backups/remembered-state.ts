// The state of the backups for the server that makes them: as stored, with failures that could not be stored.
import type { Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { tryLock } from "../sqlite/lock.ts";
import { changeBackupState, newBackupState, readBackupState, type BackupState } from "./backup-state.ts";
import { BACKUP_LOCK_FILE } from "./make-kept-backup.ts";

interface RememberedStateDeps {
  dataDir: string;
  clock: Clock;
  logger: Logger;
}

export function rememberedState({ dataDir, clock, logger }: RememberedStateDeps) {
  /** Also counted here, because a full disk prevents that it is stored. */
  let failed = { failures: 0, at: 0 };
  let fresh: BackupState | null = null;

  /** The beginning is stored, so that a restart does not begin again to wait for the first backup. */
  function begin(): BackupState {
    const now = clock.now();
    try {
      return storedBeginning(dataDir, now);
    } catch (error) {
      logger.warn("The state of the backups could not be stored.", { error: messageOf(error) });
      return newBackupState(now);
    }
  }

  return {
    state(): BackupState {
      const stored = readBackupState(dataDir);
      if (!stored) return (fresh ??= begin());
      if (failed.failures === 0 || (stored.lastGood?.madeAt ?? 0) >= failed.at) return stored;
      return { ...stored, failures: Math.max(stored.failures, failed.failures), failedAt: failed.at };
    },
    succeeded(): void {
      failed = { failures: 0, at: 0 };
    },
    failed(at: number): void {
      failed = { failures: failed.failures + 1, at };
    },
  };
}

/** Not stored while another process holds the lock. */
function storedBeginning(dataDir: string, now: number): BackupState {
  const lock = tryLock(dataDir, BACKUP_LOCK_FILE);
  if (!lock) return newBackupState(now);
  try {
    return changeBackupState(dataDir, now, {});
  } finally {
    lock.release();
  }
}
