// The application: combines services, calls, scheduler and routes, and implements start() and stop().
import { createCertificates } from "./certificates.ts";
import { createCalling, type Calling } from "./calls.ts";
import { createFeeder } from "../campaigns/feeder.ts";
import { isSimulatedDemo } from "../config/schema.ts";
import { messageOf } from "../core/errors.ts";
import type { LogSink } from "../core/log-sink.ts";
import type { Logger } from "../core/logger.ts";
import { createMetrics } from "../core/metrics.ts";
import { createLineage, type Found } from "../db/lineage/lineage.ts";
import type { Endpoint } from "../events/records.ts";
import { createHistory } from "../demo/history.ts";
import { demoLife } from "../demo/life.ts";
import { createReceived, createReceiver } from "../demo/receiver.ts";
import { DemoStaff, type DemoHospital } from "../demo/staff.ts";
import { createDeliveryLoop } from "../events/delivery.ts";
import { createFigures } from "./figures.ts";
import { createIdempotency } from "../http/idempotency.ts";
import { startServer, type HttpServer } from "../http/server.ts";
import { createHolding } from "./holding.ts";
import { recurringJobs } from "./jobs.ts";
import { clockSteps } from "./clock-steps.ts";
import { liveThroughDay } from "./past.ts";
import { createSchedulerLoop } from "../scheduler/loop.ts";
import { createRecurring, type RecurringJob } from "../scheduler/recurring.ts";
import { createTrustedClock } from "../scheduler/trusted-clock.ts";
import { createServices, type ServiceDeps, type Services } from "./services.ts";
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
  const { clock } = trustedClock;

  const demo = demoOf({ ...deps, clock }, () => services);
  const services = servicesOf({ ...deps, clock, ...demo?.before }, wake, () => calling);
  const idempotency = createIdempotency({ db, clock, keepHours: config.idempotency.keep_hours });
  const ground = { config, db, clock, logger, services, metrics };
  const dialled = () => lineage.dialled();
  const certificates = createCertificates({ config, clock, logger, metrics });
  const calling = createCalling({ ...ground, certificate: certificates.sip, given: deps.carrier, wake, dialled });
  const lineage = lineageOf({ ...deps, clock }, services, calling.recover);
  const deliveries = createDeliveryLoop({ ...services, ...services.shares, db, clock, logger, metrics, wake });

  const figures = createFigures(ground);
  const feeder = createFeeder({ ...services, db, clock, logger, isDemo: isSimulatedDemo(config) });
  const life = demo && calling.telephony.isSimulated ? [demoLife(demo.staff())] : [];
  const others = [...calling.jobs, certificates.job, figures.job, readinessJob(() => serving.readiness()), ...life];
  const jobs = [...recurringJobs({ db, services, idempotency }), ...others];
  const recurring = createRecurring({ clock, logger, trustedNow: trustedClock.trustedNow }, jobs);
  const sources = [trustedClock, ...lineage.sources, feeder, ...callSources(services, calling), deliveries, recurring];
  const scheduler = createSchedulerLoop({ clock, logger, sources });

  const serving = createServing({
    ...ground,
    calling,
    idempotency,
    schedulerBeatAtElapsedMs: scheduler.beatAtElapsedMs,
    notes: () => ({
      ...trustedClock.notes(),
      ...noted({ log, database: lineage, certificate: certificates }),
      ...calling.speaking.notes(),
    }),
    demoEmail: deps.demoEmail ?? null,
    demo: demo?.forRoutes() ?? null,
  });
  let server: HttpServer | undefined;
  let isStopping = false;
  let rehearsal: Promise<void> | null = null;

  return {
    services,
    metrics,
    figures,
    handle: serving.handle,
    document: serving.document,
    routes: serving.routes,
    /** Runs before the port answers, so no client sees calls in progress that are not; otherwise start() runs it. */
    recover: () => trustedClock.begin().then(lineage.recover),
    async start(): Promise<void> {
      await trustedClock.begin();
      await lineage.recover();
      if (demo && !(await demo.history.make())) return;
      await calling.start();
      finishErasures(services, logger, () => isStopping);
      scheduler.start();
      figures.begin();
    },
    /** Reloads settings that may change at run time: the certificate files. */
    reload: certificates.look,
    /** Prepares what the first calls need before they are due. Callers need not wait for it. */
    rehearse: (): Promise<void> => (rehearsal ??= calling.rehearse(() => !isStopping)),
    async listen(): Promise<HttpServer> {
      await services.safePost.ready?.();
      server = startServer(config, clock, serving.handle, certificates.https.current());
      certificates.https.renewed(server.renew);
      return server;
    },
    /** Shortens a long start. */
    hurry: () => demo?.history.stop(),
    /** Stops accepting work, finishes work in flight, and closes the database last. */
    async stop(): Promise<void> {
      isStopping = true;
      await rehearsal;
      await serving.stop();
      await server?.stop();
      for (const part of [scheduler, figures, calling, deliveries]) await part.stop();
      await services.keys.flushLastUsed();
      await lineage.stop();
      await db.close();
    },
  };
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
  return [...makers, calling.dispatcher, calling.analyses, services.closureWork, services.closureCalls];
}

function metricsWith({ log, strayFaults = () => 0 }: AppDeps) {
  const metrics = createMetrics();
  metrics.countedElsewhere("ringward_stray_faults_total", "Faults in any thread that nothing caught.", strayFaults);
  metrics.countedElsewhere("ringward_log_lost_lines_total", "Log lines lost.", () => log?.lostLines() ?? 0);
  return metrics;
}

/** Resumes erasures that an earlier run left unfinished. If it is stopped, it starts again at the next start. */
function finishErasures({ erasure }: Services, logger: Logger, isStopping: () => boolean): void {
  void erasure.resume().catch((error: unknown) => {
    if (!isStopping()) logger.error("The rest of an erasure was not finished.", { error: messageOf(error) });
  });
}

/** Notes by subject; null if there is nothing to report. */
const noted = (subjects: Record<string, { note(): string | null } | undefined>): Record<string, string | null> =>
  Object.fromEntries(Object.entries(subjects).map(([name, subject]) => [name, subject?.note() ?? null]));

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
