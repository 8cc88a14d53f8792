// Metrics of the stored state for /metrics: counted periodically on the reader thread, in slices, and cached. A scrape
// reads the cache and makes no query.
import { sealingFigures, type SealingFigures } from "../rules/proof/proof-store.ts";
import { statfs } from "node:fs/promises";
import { countAuditAfter } from "../accounts/audit.ts";
import { auditFigures, type AuditFigures } from "../audit/state.ts";
import {
  countLive,
  countScheduled,
  endedAfter,
  heldByReason,
  oldestOverdueAt,
  type EndedPlace,
  type HeldFigures,
} from "../calls/queue/figures-store.ts";
import { HOLD_REASONS } from "../calls/queue/policy.ts";
import type { Config } from "../config/schema.ts";
import { MINUTE_MS, othersFirst, SECOND_MS, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import { lastBackupAt } from "../db/backup/last-backup.ts";
import { databaseFigures, type DatabaseFigures } from "../db/database-figures.ts";
import type { Database } from "../db/database.ts";
import { deliveriesInState, endpointsByState, oldestPendingAt, type EndpointFigures } from "../events/figures-store.ts";
import type { RecurringJob } from "../scheduler/recurring.ts";
import { WORKLIST_KINDS } from "../worklist/kinds.ts";
import { openByKind } from "../worklist/worklist-store.ts";

export interface FiguresDeps {
  config: Config;
  db: Database;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

interface Figures {
  calls: Record<string, number>;
  held: ReadonlyMap<string, HeldFigures>;
  oldestOverdueAt: number | null;
  deliveries: readonly { state: string; count: number }[];
  oldestPendingAt: number | null;
  endpoints: EndpointFigures;
  worklist: ReadonlyMap<string, number>;
  auditEntries: number;
  audit: AuditFigures;
  proofs: SealingFigures;
  database: DatabaseFigures;
  disk: { freeBytes: number; sizeBytes: number } | null;
  backupAt: number | null;
}

/** Share of time spent counting, while a count takes little. */
const SHARE = 1 / 50;
/** Alerts must not rest on older figures. */
const LONGEST_REST_MS = MINUTE_MS;
/** PostgreSQL may commit an earlier end after a later one. */
const SETTLED_MS = 2 * SECOND_MS;

export const restAfterMs = (tookMs: number): number => Math.min(tookMs / SHARE, LONGEST_REST_MS);

export function createFigures(deps: FiguresDeps) {
  const { config, db, clock, logger, metrics } = deps;
  let figures: Figures | null = null;
  let countedAtMs = -Infinity;
  let notBeforeMs = -Infinity;
  let running: Promise<void> | null = null;
  let isStopped = false;
  const ends = createEnds(deps);
  const audited = createAuditCount(db);
  register(metrics, clock, () => figures);
  metrics.gauge("ringward_figures_age_seconds", "How long ago the stored state was counted; -1: not yet.", () =>
    figures === null ? -1 : Math.max(0, clock.elapsedMs() - countedAtMs) / SECOND_MS,
  );
  registerStats(metrics, db);

  async function count(): Promise<void> {
    const { heavy } = db;
    const now = clock.now();
    const startedMs = clock.elapsedMs();
    await ends();
    const held = await heldByReason(heavy);
    const audit = await auditFigures(heavy);
    let queued = 0;
    for (const { count: some } of held.values()) queued += some;
    figures = {
      calls: { scheduled: await countScheduled(heavy), queued, ...(await countLive(heavy)) },
      held,
      oldestOverdueAt: await oldestOverdueAt(heavy, held, now),
      deliveries: await deliveriesInState(heavy),
      oldestPendingAt: await oldestPendingAt(heavy),
      endpoints: await endpointsByState(heavy),
      worklist: await openByKind(heavy),
      auditEntries: await audited(audit.pruned),
      audit,
      proofs: await sealingFigures(heavy),
      database: await databaseFigures(db),
      disk: await diskOf(config.data.dir),
      backupAt: db.maintenance.file === null ? null : (lastBackupAt(config.data.dir) ?? 0),
    };
    countedAtMs = startedMs;
  }

  async function countAndRest(): Promise<void> {
    const startedMs = clock.elapsedMs();
    try {
      await count();
    } catch (error) {
      if (!isStopped) logger.warn("The figures of /metrics could not be counted.", { error: messageOf(error) });
    } finally {
      const tookMs = clock.elapsedMs() - startedMs;
      notBeforeMs = clock.elapsedMs() + restAfterMs(tookMs);
      running = null;
    }
  }

  /** Starts a count unless one is running or was made recently. The scheduler does not wait for it. */
  function begin(): void {
    if (running || isStopped || clock.elapsedMs() < notBeforeMs) return;
    running = countAndRest();
  }

  const job: RecurringJob = { name: "count for /metrics", pattern: "*/15 * * * * *", run: async () => begin() };
  return {
    job,
    begin,
    count,
    /** The last count; null before the first. */
    latest: () => figures,
    async stop(): Promise<void> {
      isStopped = true;
      await running;
    },
  };
}

/** Counts calls that ended since the counter was created. Each end is counted once, in order. */
function createEnds({ db, clock, metrics }: FiguresDeps): () => Promise<void> {
  const ended = metrics.counter("ringward_calls_ended_total", "Calls that ended, by state and outcome.");
  let last: EndedPlace = { at: clock.now(), id: "" };
  return async () => {
    const until = clock.now() - SETTLED_MS;
    // The clock was set back.
    if (last.at > clock.now()) last = { at: clock.now(), id: "" };
    for (let isLast = until < last.at; !isLast;) {
      const slice = await endedAfter(db.heavy, last, until);
      for (const { id, state, outcome, finished_at } of slice.rows) {
        ended.add({ state, outcome: outcomeLabel(outcome) });
        last = { at: finished_at ?? until, id };
      }
      ({ isLast } = slice);
      await othersFirst();
    }
  };
}

/** Outcomes are a fixed vocabulary; an outcome made up by a model is labelled "other". */
const outcomeLabel = (outcome: string | null): string =>
  outcome === null ? "none" : /^[a-z][a-z_]{0,39}$/.test(outcome) ? outcome : "other";

/** Ids increase, so only entries after the last counted one are counted. The oldest ones may have been pruned since. */
function createAuditCount({ heavy }: Database): (pruned: number) => Promise<number> {
  let count = 0;
  let last = "";
  let known: number | null = null;
  return async (pruned) => {
    count -= pruned - (known ?? pruned);
    known = pruned;
    for (;;) {
      const slice = await countAuditAfter(heavy, last);
      count += slice.count;
      last = slice.last;
      if (slice.isLast) return count;
      await othersFirst();
    }
  };
}

export async function diskOf(dataDir: string): Promise<Figures["disk"]> {
  const found = await statfs(dataDir).catch(() => null);
  return found && { freeBytes: found.bavail * found.bsize, sizeBytes: found.blocks * found.bsize };
}

type Labelled = { labels: Record<string, string>; value: number };

function register(metrics: Metrics, clock: Clock, figures: () => Figures | null): void {
  const gauges = (name: string, help: string, read: (found: Figures) => readonly Labelled[]) =>
    metrics.gauges(name, help, () => {
      const found = figures();
      return found ? read(found) : [];
    });
  const gauge = (name: string, help: string, read: (found: Figures) => number | null) =>
    gauges(name, help, (found) => {
      const value = read(found);
      return value === null ? [] : [{ labels: {}, value }];
    });
  const by = (label: string, value: string, count: number): Labelled => ({ labels: { [label]: value }, value: count });
  const secondsSince = (at: number | null) => (at === null ? 0 : Math.max(0, clock.now() - at) / SECOND_MS);

  gauges("ringward_calls", "Calls that have not ended, by state.", ({ calls }) =>
    Object.entries(calls).map(([state, count]) => by("state", state, count)),
  );
  gauges("ringward_calls_held", "Queued calls, by what they wait for.", ({ held }) =>
    HOLD_REASONS.map((reason) => by("reason", reason, held.get(reason)?.count ?? 0)),
  );
  gauges("ringward_calls_held_oldest_seconds", "How long ago the oldest of them was to go out.", ({ held }) =>
    HOLD_REASONS.map((reason) => by("reason", reason, secondsSince(held.get(reason)?.oldestAt ?? null))),
  );
  gauge(
    "ringward_calls_oldest_overdue_seconds",
    "How long ago the oldest call was to go out that was not dialled, but for calling hours and paused campaigns.",
    (found) => secondsSince(found.oldestOverdueAt),
  );
  gauges("ringward_webhook_deliveries", "Deliveries, by state.", ({ deliveries }) =>
    deliveries.map(({ state, count }) => by("state", state, count)),
  );
  gauge("ringward_webhook_oldest_pending_seconds", "How long the oldest pending delivery has waited.", (found) =>
    secondsSince(found.oldestPendingAt),
  );
  gauges("ringward_webhook_endpoints", "Endpoints: on, on and out of reach (outage), or off.", ({ endpoints }) =>
    Object.entries(endpoints).map(([state, count]) => by("state", state, count)),
  );
  gauges("ringward_worklist_open", "Open entries of Today, by kind.", ({ worklist }) =>
    WORKLIST_KINDS.map((kind) => by("kind", kind, worklist.get(kind) ?? 0)),
  );
  gauge("ringward_audit_entries", "Entries of the audit trail.", ({ auditEntries }) => auditEntries);
  gauge("ringward_audit_unsealed", "Commands whose audit entries are not sealed yet.", ({ audit }) => audit.unsealed);
  gauge(
    "ringward_audit_pruned_entries",
    "Entries of the audit trail that were exported and pruned.",
    ({ audit }) => audit.pruned,
  );
  gauge("ringward_audit_sealed_at_seconds", "When audit entries were last sealed, as Unix time.", ({ audit }) =>
    audit.sealedAt === null ? null : audit.sealedAt / SECOND_MS,
  );
  gauge(
    "ringward_audit_head_at_seconds",
    "When the head of the audit trail was last signed, as Unix time.",
    ({ audit }) => (audit.headAt === null ? null : audit.headAt / SECOND_MS),
  );
  gauge(
    "ringward_audit_syslog_lag_blocks",
    "Sealed blocks of the audit trail that the syslog collector does not have yet.",
    ({ audit }) => audit.lagBlocks,
  );
  gauge("ringward_proofs_unsealed", "Ended calls whose proof is not sealed yet.", ({ proofs }) => proofs.unsealed);
  gauge("ringward_proofs_sealed_at_seconds", "When the last proof was sealed, as Unix time.", ({ proofs }) =>
    proofs.sealedAt === null ? null : proofs.sealedAt / SECOND_MS,
  );
  gauges("ringward_database_bytes", "Size of the database, and of SQLite's log beside it.", ({ database }) =>
    database.bytes.map(({ part, bytes }) => by("part", part, bytes)),
  );
  gauge(
    "ringward_db_lock_wait_seconds",
    "How long writes have waited for a lock that another program or command holds.",
    ({ database }) => database.lockWaitSeconds,
  );
  gauge("ringward_data_free_bytes", "Room left on the disk of the data folder.", ({ disk }) => disk?.freeBytes ?? null);
  gauge("ringward_data_disk_bytes", "Size of the disk of the data folder.", ({ disk }) => disk?.sizeBytes ?? null);
  gauge(
    "ringward_last_backup_at_seconds",
    "When the newest backup was made, as Unix time; 0: none yet. PostgreSQL is backed up by its own means, and has none.",
    ({ backupAt }) => (backupAt === null ? null : backupAt / SECOND_MS),
  );
}

/** Statistics kept by the database layer. */
function registerStats(metrics: Metrics, db: Database): void {
  metrics.gauge("ringward_db_lock_held", "1 while this server holds the lock of its database, and may write.", () =>
    db.stats.holdsLock ? 1 : 0,
  );
  metrics.gauges("ringward_db_connections", "Connections to PostgreSQL, by pool and state.", () =>
    db.stats.pools.flatMap(({ name, inUse, idle }) => [
      { labels: { pool: name, state: "used" }, value: inUse },
      { labels: { pool: name, state: "idle" }, value: idle },
    ]),
  );
  metrics.gauges("ringward_db_connections_most", "Connections to PostgreSQL that a pool may have.", () =>
    db.stats.pools.map(({ name, most }) => ({ labels: { pool: name }, value: most })),
  );
  metrics.gauges("ringward_db_connections_awaited", "Commands and questions that wait for a connection.", () =>
    db.stats.pools.map(({ name, waiting }) => ({ labels: { pool: name }, value: waiting })),
  );
}
