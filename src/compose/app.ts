// The application: combines services, calls, scheduler and routes.
import { createCertificates } from "./certificates.ts";
import { createCalling, type Calling } from "./calls.ts";
import { createFeeder } from "../campaigns/feeder.ts";
import type { LogSink } from "../core/log-sink.ts";
import { createMetrics, type Metrics } from "../core/metrics.ts";
import { createLineage, type Found } from "../db/lineage/lineage.ts";
import type { Endpoint } from "../events/records.ts";
import { createHistory } from "../demo/history.ts";
import { demoLife } from "../demo/life.ts";
import { createReceived, createReceiver } from "../demo/receiver.ts";
import { DemoStaff, type DemoHospital } from "../demo/staff.ts";
import { createDeliveryLoop } from "../events/delivery.ts";
import { createApplianceAlarms } from "./alarms.ts";
import { createAuthorities } from "./authorities.ts";
import { createFigures } from "./figures.ts";
import { createMailing } from "./mailing.ts";
import { createIdempotency } from "../http/idempotency.ts";
import { createHl7Port, type Hl7PortDeps } from "./hl7-port.ts";
import { createHolding } from "./holding.ts";
import { recurringJobs } from "./jobs.ts";
import { keptBackupsOf } from "./kept-backups.ts";
import { createLifecycle } from "./lifecycle.ts";
import { notesOf } from "./notes.ts";
import { clockSteps } from "./clock-steps.ts";
import { liveThroughDay } from "./past.ts";
import { createSchedulerLoop } from "../scheduler/loop.ts";
import { createRecurring, type RecurringJob } from "../scheduler/recurring.ts";
import { createTrustedClock } from "../scheduler/trusted-clock.ts";
import type { ServiceDeps } from "./ground.ts";
import { createServices, type Services } from "./services.ts";
import { createServing } from "./http.ts";
import type { CarrierFactory } from "../telephony/port.ts";

export interface AppDeps extends ServiceDeps {
  /** The carrier behind the trunk; the simulator unless a test supplies its own. */
  carrier?: CarrierFactory;
  /** State of the log. */
  log?: LogSink;
  /** Number of uncaught errors. */
  strayFaults?: () => number;
  /** The owner of the demo hospital, if this is a demo: one click signs in. */
  demoEmail?: string | null;
  /** The demo hospital, with generated history and ongoing activity. */
  demoHospital?: DemoHospital | null;
  /** The data folder with the database's high-water mark; tests may omit it. */
  memoryDir?: string;
}

export function createApp(deps: AppDeps) {
  const { config, db, logger, log } = deps;
  const wake = (dueAt?: number) => scheduler.wake(dueAt);
  const metrics = metricsWith(deps);
  const trustedClock = createTrustedClock({ ...deps, metrics, believed: wake, ...clockSteps(() => idempotency) });
  const { clock, trustedNow } = trustedClock;

  const demo = demoOf({ ...deps, clock }, () => services);
  const services = servicesOf({ ...deps, clock, trustedNow, ...demo?.before }, wake, () => calling);
  const idempotency = createIdempotency({ db, clock, keepHours: config.idempotency.keep_hours });
  const ground = { config, db, clock, logger, services, metrics };
  const dialled = () => lineage.dialled();
  const { certificates, hl7Port, certificateJobs, reload } = portsOf(ground);
  const calling = createCalling({ ...ground, certificate: certificates.sip, given: deps.carrier, wake, dialled });
  const lineage = lineageOf({ ...deps, clock }, services, calling.recover);
  const deliveries = createDeliveryLoop({ ...services, ...services.shares, db, clock, logger, metrics, wake });

  const figures = createFigures(ground);
  const keptBackups = keptBackupsOf({ ...ground, trustedNow });
  gaugeStream(metrics, services);
  const mailing = createMailing({ ...ground, wake });
  const feeder = createFeeder({ ...services, db, clock, logger, hoursAreEnforced: config.rules.enforce });
  const life = demo && calling.telephony.isSimulated ? [demoLife(demo.staff())] : [];
  const others = [...calling.jobs, ...certificateJobs, figures.job, readinessJob(() => serving.readiness()), ...life];
  const jobs = [...recurringJobs({ db, services, idempotency }), ...others];
  const recurring = createRecurring({ clock, logger, trustedNow }, jobs);
  const sources = [
    trustedClock,
    ...lineage.sources,
    feeder,
    ...callSources(services, calling),
    deliveries,
    mailing.loop,
    recurring,
    keptBackups.source,
  ];
  const scheduler = createSchedulerLoop({ clock, logger, sources });

  const parts = { ...ground, trustedClock, lineage, calling, certificates, figures, keptBackups };
  const serving = createServing({
    ...parts,
    idempotency,
    schedulerBeatAtElapsedMs: scheduler.beatAtElapsedMs,
    notes: notesOf({ ...parts, log }),
    demoEmail: deps.demoEmail ?? null,
    demo: demo?.forRoutes() ?? null,
  });
  const alarms = createApplianceAlarms({
    ...services,
    ...mailing,
    ...parts,
    authorities: createAuthorities(ground),
    readiness: serving.readiness,
    clockNote: () => trustedClock.notes().clock,
    isDemo: (deps.demoEmail ?? null) !== null || demo !== null,
  });
  const lifecycle = createLifecycle({ ...parts, demo, scheduler, hl7Port, alarms, mailing, deliveries, serving });

  return {
    services,
    metrics,
    figures,
    alarms,
    handle: serving.handle,
    document: serving.document,
    routes: serving.routes,
    /** Reloads settings that may change at run time: the certificate files. */
    reload,
    ...lifecycle,
  };
}

/** Certificates of our own ports, and the HL7 port. */
function portsOf(ground: Parameters<typeof createCertificates>[0] & Omit<Hl7PortDeps, "certificate">) {
  const certificates = createCertificates(ground);
  const hl7Port = createHl7Port({ ...ground, certificate: certificates.hl7 });
  const reload = () => [certificates, hl7Port].forEach((part) => part.look());
  return { certificates, hl7Port, certificateJobs: [certificates.job, hl7Port.job], reload };
}

/** Logs a full disk or a missing file even if /readyz is not polled. */
const readinessJob = (look: () => Promise<unknown>): RecurringJob => ({
  name: "look whether all is ready",
  pattern: "*/30 * * * * *",
  // Not awaited, so a database that hangs does not block the scheduler.
  run: async () => void look(),
});

/** `calling` is a function, because it depends on the services. */
function servicesOf(deps: ServiceDeps, wake: () => void, calling: () => Calling): Services {
  return createServices(
    deps,
    wake,
    () => void calling().refreshTrunks(),
    () => calling().telephony.carrier,
    (calls) => calling().speaking.hasEarsBeside(calls),
  );
}

/** Call sources run before the dispatcher, which dials the calls they create. */
function callSources(services: Services, calling: Calling) {
  const makers = [services.dueReminders, services.waitingLoop];
  const { closureWork, closureCalls, sealing } = services;
  return [...makers, calling.dispatcher, calling.analyses, closureWork, closureCalls, sealing];
}

function metricsWith({ log, strayFaults = () => 0 }: AppDeps) {
  const metrics = createMetrics();
  metrics.countedElsewhere("ringward_stray_faults_total", "Faults in any thread that nothing caught.", strayFaults);
  metrics.countedElsewhere("ringward_log_lost_lines_total", "Log lines lost.", () => log?.lostLines() ?? 0);
  return metrics;
}

function gaugeStream(metrics: Metrics, { auditStream }: Services): void {
  metrics.gauge("ringward_audit_syslog_connected", "1 unless the last delivery to the syslog collector failed.", () =>
    auditStream.isConnected() ? 1 : 0,
  );
}

/** `settle` ends the calls that were in progress when the process last ended. */
function lineageOf({ db, clock, logger, memoryDir }: AppDeps, services: Services, settle: () => Promise<unknown>) {
  const holding = createHolding({ db, clock, services });
  const hold = (found: Found) => holding.holdFound(found, logger);
  const { countHeld } = holding;
  const lineage =
    memoryDir === undefined
      ? null
      : createLineage({ db, clock, ids: services.ids, logger, dataDir: memoryDir, hold, countHeld });
  let recovered: Promise<unknown> | undefined;
  return {
    /**
     * Runs first: if the database was rolled back while it was served, calls are held before any is created or dialled.
     */
    sources: lineage ? [lineage] : [],
    dialled: () => lineage?.dialled(),
    note: () => lineage?.note() ?? null,
    /** Runs once, before new work begins. */
    async recover(): Promise<void> {
      await (recovered ??= lineage ? lineage.begin(settle) : settle());
    },
    stop: async () => lineage?.stop(),
  };
}

/** Demo hospital: history, webhook receiver and simulated staff. */
function demoOf(deps: AppDeps, services: () => Services) {
  const { db, clock, logger, demoHospital: hospital } = deps;
  if (!hospital) return null;
  const secretsOf = (endpoint: Endpoint) => services().endpoints.signingSecrets(endpoint);
  const history = createHistory({
    db,
    clock,
    logger,
    hospital,
    liveThroughDay: (...day) => liveThroughDay({ ...deps, hospital }, ...day),
  });
  return {
    before: { aroundPost: createReceiver({ db, clock, secretsOf }).around },
    history,
    forRoutes: () => ({
      history,
      received: createReceived({ reader: db.reader, readNotes: services().readNotes }),
    }),
    staff: () => new DemoStaff(hospital, services(), db, clock),
  };
}

export type App = ReturnType<typeof createApp>;
