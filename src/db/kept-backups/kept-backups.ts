// Backups that the server makes by itself: starts each in a process of its own when it is due, retries after failures,
// and reports the last good one.
import { everyMs, type BackupSettings } from "../../config/backup-settings.ts";
import { MINUTE_MS, toIso, type Clock } from "../../core/clock.ts";
import type { DueSource } from "../../core/due-source.ts";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Metrics } from "../../core/metrics.ts";
import { registerBackupMetrics } from "./backup-metrics.ts";
import { readBackupState } from "./backup-state.ts";
import { isBackupLate, nextBackupAt } from "./backup-times.ts";
import { createRenewedKeys, type RenewedKeysDeps } from "./renewed-keys.ts";
import { rememberedState } from "./remembered-state.ts";

export interface KeptBackupsDeps extends RenewedKeysDeps {
  settings: BackupSettings;
  dataDir: string;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  /** Null while the clock is not trusted. */
  trustedNow: () => number | null;
  /** Makes one backup in another process. Rejects with the reason. */
  make: (order: { now: number; mayRemove: boolean }, signal: AbortSignal) => Promise<void>;
}

/** For the dashboard; null if the server makes no backups. */
export interface KeptBackupsView {
  last_good_at: string | null;
  is_late: boolean;
  last_drill_at: string | null;
  was_drill_same: boolean | null;
}

export type KeptBackups = ReturnType<typeof createKeptBackups>;

const KEYS_STALE =
  "The key file beside the backups still opens people who were erased: it could not be renewed. The log says why.";

/** The start of a server needs the disk and the processor itself. */
const FIRST_AFTER_MS = MINUTE_MS;

export function createKeptBackups(deps: KeptBackupsDeps) {
  const { settings, dataDir, clock, logger, metrics } = deps;
  const isOn = everyMs(settings) !== null;
  const startedMs = clock.elapsedMs();
  const stopping = new AbortController();
  const remembered = rememberedState({ dataDir, clock, logger });
  const { state } = remembered;
  let running: Promise<void> | null = null;
  let failures = 0;
  const keys = createRenewedKeys(deps, stopping.signal);

  async function run(): Promise<void> {
    const now = clock.now();
    const elapsedMs = clock.elapsedMs();
    try {
      await deps.make({ now, mayRemove: deps.trustedNow() !== null }, stopping.signal);
      remembered.succeeded();
      const good = readBackupState(dataDir)?.lastGood;
      const tookMs = Math.round(clock.elapsedMs() - elapsedMs);
      logger.info("backup made and verified", { name: good?.name, bytes: good?.bytes, took_ms: tookMs });
    } catch (error) {
      if (stopping.signal.aborted) return;
      failures++;
      remembered.failed(now);
      logger.error("backup failed; it is tried again", { error: messageOf(error) });
    } finally {
      running = null;
    }
  }

  const source: DueSource = {
    name: "backups",
    async runDue() {
      if (settings.to === "" || stopping.signal.aborted) return null;
      const now = clock.now();
      if (running) return now + MINUTE_MS;
      const leftMs = startedMs + FIRST_AFTER_MS - clock.elapsedMs();
      const dueAt = isOn ? Math.max(nextBackupAt(settings, state(), now), now + leftMs) : Infinity;
      if (dueAt > now) {
        const { nextAt, renewing } = await keys.look(now, dueAt);
        running = renewing?.finally(() => (running = null)) ?? null;
        return nextAt;
      }
      // Not awaited: it takes minutes.
      running = run();
      return now + MINUTE_MS;
    },
  };

  const isLate = () => isOn && isBackupLate(settings, state(), clock.now()) === true;
  registerBackupMetrics(metrics, { isOn, state, isLate, failures: () => failures });

  return {
    source,
    /** For /readyz, which is public: without the reason of a failure, which names files. */
    notes(): Record<string, string | null> {
      const backup_keys = keys.isStale() ? KEYS_STALE : null;
      if (!isOn) return backup_keys === null ? {} : { backup_keys };
      const { lastGood } = state();
      const last =
        lastGood === null ? "No backup has been made yet." : `Last verified backup: ${toIso(lastGood.madeAt)}.`;
      return {
        backup: last,
        backup_keys,
        backup_late: isLate() ? `${last} This is too long ago; the log says why.` : null,
      };
    },
    view(): KeptBackupsView | null {
      if (!isOn) return null;
      const { lastGood, lastDrill } = state();
      return {
        last_good_at: lastGood === null ? null : toIso(lastGood.madeAt),
        is_late: isLate(),
        last_drill_at: lastDrill === null ? null : toIso(lastDrill.at),
        was_drill_same: lastDrill?.isSame ?? null,
      };
    },
    /** An interrupted backup is made again after the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
