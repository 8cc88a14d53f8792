// /healthz (liveness), /readyz (readiness) and /metrics.
import { statfs } from "node:fs/promises";
import { Elysia } from "elysia";
import { SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import { equalInConstantTime } from "../core/hmac.ts";
import type { Ids } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import { inTime } from "../core/within.ts";
import type { Database } from "../db/database.ts";
import { probeWrite } from "../db/write-probe.ts";
import { VERSION } from "../core/version.ts";

export interface HealthDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  metrics: Metrics;
  dataDir: string;
  minFreeMb: number;
  /** Time of the scheduler's last pass, by Clock.elapsedMs. */
  schedulerBeatAtElapsedMs: () => number;
  /** Warnings for the operator that do not affect readiness, by subject; null if there is none. */
  notes: () => Record<string, string | null>;
  /** Bearer token of /metrics; empty allows public access. */
  metricsToken: string;
}

export interface Readiness {
  ready: boolean;
  checks: { write: string; database: string; disk: string; scheduler: string };
  notes: Record<string, string>;
}

/** The endpoint needs no key, so frequent requests must not cause frequent writes. */
const ANSWER_KEPT_MS = SECOND_MS;
/** Shorter than usual client timeouts. */
const LONGEST_WRITE_MS = 5 * SECOND_MS;
/** The scheduler runs at least every 30 s; twice that without a heartbeat is a failure. */
const SCHEDULER_SILENT_MS = 60 * SECOND_MS;

type ReadinessDeps = Omit<HealthDeps, "metricsToken">;

export function createReadiness(deps: ReadinessDeps): () => Promise<Readiness> {
  const { db, clock, logger, dataDir, minFreeMb, schedulerBeatAtElapsedMs, notes } = deps;
  let kept: { at: number; answer: Promise<Readiness> } | undefined;
  let isUnderWay = false;
  let told = "";
  deps.metrics.gauge("ringward_ready", "1 where /readyz last said yes; asked every 30 seconds at least.", () =>
    told === "" ? 1 : 0,
  );

  async function check(): Promise<Readiness> {
    isUnderWay = true;
    try {
      const [{ write, error }, database, disk] = await Promise.all([
        tryWrite(deps),
        db.maintenance.fault().then((fault) => fault ?? "ok"),
        checkDisk(),
      ]);
      const scheduler =
        clock.elapsedMs() - schedulerBeatAtElapsedMs() <= SCHEDULER_SILENT_MS
          ? "ok"
          : "The scheduler does not respond.";
      const checks = { write, database, disk, scheduler };
      tell(checks, error);
      return { ready: isOk(checks), checks, notes: said(notes()) };
    } finally {
      isUnderWay = false;
    }
  }

  /** Logs once per change. */
  function tell(checks: Readiness["checks"], error: string | undefined): void {
    const faults = Object.entries(checks).filter(([, finding]) => finding !== "ok");
    const now = faults.map(([name]) => name).join();
    if (now === told) return;
    told = now;
    if (now === "") logger.info("Ready again.");
    else logger.error("Not ready.", { ...Object.fromEntries(faults), error });
  }

  async function checkDisk(): Promise<string> {
    const found = await statfs(dataDir).catch(() => null);
    if (!found) return "The data folder cannot be read.";
    const { bavail, bsize } = found;
    return (bavail * bsize) / 1024 ** 2 >= minFreeMb ? "ok" : `Less than ${minFreeMb} MB are free in the data folder.`;
  }

  return () => {
    const now = clock.now();
    const isFresh = kept && now - kept.at < ANSWER_KEPT_MS && now >= kept.at;
    // Clients share one running check, so a hanging database is not queried repeatedly.
    if (!kept || !(isFresh || isUnderWay)) kept = { at: now, answer: check() };
    return kept.answer;
  };
}

const isOk = (checks: Readiness["checks"]): boolean => Object.values(checks).every((finding) => finding === "ok");

async function tryWrite({ db, clock, ids }: ReadinessDeps): Promise<{ write: string; error?: string }> {
  const late = () => new Error("It took too long.");
  try {
    const written = db.write((tx) => probeWrite(tx, ids.uuid(), clock.now()));
    await inTime(clock, LONGEST_WRITE_MS, written, late);
    return { write: "ok" };
  } catch (error) {
    return { write: "The database cannot be written.", error: causeOf(error) };
  }
}

/** The underlying cause, instead of the message for clients. */
function causeOf(error: unknown): string {
  return messageOf(error instanceof AppError && error.cause !== undefined ? error.cause : error);
}

function said(notes: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(notes).filter((entry): entry is [string, string] => entry[1] !== null));
}

export function healthRoutes(deps: HealthDeps, readiness: () => Promise<Readiness> = createReadiness(deps)) {
  const { db, metrics } = deps;
  metrics.countedElsewhere(
    "ringward_db_commits_total",
    "Transactions committed since the start.",
    () => db.stats.commits,
  );
  metrics.countedElsewhere(
    "ringward_db_commands_total",
    "Write commands committed since the start.",
    () => db.stats.commands,
  );
  metrics.countedElsewhere(
    "ringward_db_repeats_total",
    "Commands that were rolled back and repeated.",
    () => db.stats.repeats,
  );
  metrics.gauge("ringward_db_waiting_commands", "Write commands waiting for their commit.", () => db.stats.waiting);
  measureProcess(metrics, deps.clock);

  return new Elysia({ name: "health", detail: { hide: true } })
    .get("/healthz", () => ({ status: "ok", version: VERSION }))
    .get("/readyz", async ({ set }) => {
      const answer = await readiness();
      set.status = answer.ready ? 200 : 503;
      return { status: answer.ready ? "ready" : "not ready", checks: answer.checks, notes: answer.notes };
    })
    .get("/metrics", ({ request }) => {
      assertBearer(request, deps.metricsToken);
      return new Response(metrics.render(), {
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
      });
    });
}

/** With the standard names of Prometheus client libraries. */
function measureProcess(metrics: Metrics, clock: Clock): void {
  const startedAt = clock.now() / SECOND_MS - process.uptime();
  metrics.gauge("process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss());
  metrics.gauge("process_start_time_seconds", "When the process started, as Unix time.", () => startedAt);
  metrics.countedElsewhere("process_cpu_seconds_total", "Processor time of all threads.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}

function assertBearer(request: Request, token: string): void {
  if (token === "") return;
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (equalInConstantTime(given, token)) return;
  throw new AppError(
    "UNAUTHORIZED",
    "The metrics require the token from metrics.token, as Authorization: Bearer TOKEN.",
  );
}
