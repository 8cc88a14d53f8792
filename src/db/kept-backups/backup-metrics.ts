// Metrics of the backups that the server makes by itself. If it makes none, only the failures have a series.
import { SECOND_MS } from "../../core/clock.ts";
import type { Metrics } from "../../core/metrics.ts";
import type { BackupState } from "./backup-state.ts";

interface BackupFacts {
  isOn: boolean;
  state: () => BackupState;
  isLate: () => boolean;
  /** Since the start of the server. */
  failures: () => number;
}

export function registerBackupMetrics(metrics: Metrics, { isOn, state, isLate, failures }: BackupFacts): void {
  const whenOn = (read: () => number) => () => (isOn ? [{ labels: {}, value: read() }] : []);
  metrics.countedElsewhere("ringward_backup_failures_total", "Backups by [backup] that failed.", failures);
  metrics.gauges(
    "ringward_backup_late",
    "1 if the last good backup by [backup] is older than one and a half intervals.",
    whenOn(() => (isLate() ? 1 : 0)),
  );
  metrics.gauges(
    "ringward_backup_last_success_at_seconds",
    "When the last good backup by [backup] was made, as Unix time; 0: none yet.",
    whenOn(() => seconds(state().lastGood?.madeAt)),
  );
  metrics.gauges(
    "ringward_backup_bytes",
    "Size of the last good backup by [backup].",
    whenOn(() => state().lastGood?.bytes ?? 0),
  );
  metrics.gauges(
    "ringward_backup_drill_at_seconds",
    "When the last restore drill ended, as Unix time; 0: none yet.",
    whenOn(() => seconds(state().lastDrill?.at)),
  );
}

const seconds = (at: number | undefined): number => (at === undefined ? 0 : at / SECOND_MS);
