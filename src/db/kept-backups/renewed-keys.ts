// Renews the key file of people beside the backups after an erasure, and tries again until it can.
import { MINUTE_MS, SECOND_MS, type Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { readBackupState } from "./backup-state.ts";

export interface RenewedKeysDeps {
  dataDir: string;
  clock: Clock;
  logger: Logger;
  /** The keys of people: their present revision, null if no backup was made, and a new file beside the backups. */
  personKeys: {
    revision: () => Promise<number | null>;
    renew: (order: { now: number }, signal: AbortSignal) => Promise<void>;
  };
}

export function createRenewedKeys({ dataDir, clock, logger, personKeys }: RenewedKeysDeps, signal: AbortSignal) {
  /** The last attempt failed. */
  let isStale = false;
  let renewedAt = -Infinity;
  let lookedAt = -Infinity;

  /** A place without backups needs no keys. */
  async function areOld(): Promise<boolean> {
    const stored = readBackupState(dataDir);
    if (!stored?.lastGood) return false;
    const revision = await personKeys.revision();
    return revision !== null && revision !== stored.keysRevision;
  }

  async function renew(): Promise<void> {
    try {
      await personKeys.renew({ now: clock.now() }, signal);
      isStale = false;
    } catch (error) {
      if (signal.aborted) return;
      isStale = true;
      logger.error("the key file beside the backups could not be renewed after an erasure; it is tried again", {
        error: messageOf(error),
      });
    }
  }

  return {
    isStale: () => isStale,
    /** `nextAt`: when to look again. Also for backups that only commands make. */
    async look(now: number, dueAt: number): Promise<{ nextAt: number | null; renewing: Promise<void> | null }> {
      // The scheduler may be woken a thousand times a second.
      const lookAt = Math.max(lookedAt + SECOND_MS, isStale ? renewedAt + MINUTE_MS : -Infinity);
      if (lookAt > now) return { nextAt: Math.min(dueAt, lookAt), renewing: null };
      lookedAt = now;
      if (!(await areOld())) return { nextAt: Number.isFinite(dueAt) ? dueAt : null, renewing: null };
      renewedAt = now;
      return { nextAt: Math.min(dueAt, now + MINUTE_MS), renewing: renew() };
    },
  };
}
