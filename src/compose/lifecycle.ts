// Life of the application: the order in which its parts start, and in which they stop.
import { unenforcedOverSip } from "../config/unenforced.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { History } from "../demo/history.ts";
import { startServer, type HttpServer } from "../http/server.ts";
import type { createTrustedClock } from "../scheduler/trusted-clock.ts";
import type { Calling } from "./calls.ts";
import type { createCertificates } from "./certificates.ts";
import type { createFigures } from "./figures.ts";
import type { ServiceDeps } from "./ground.ts";
import type { createServing } from "./http.ts";
import type { Services } from "./services.ts";

interface Stopping {
  stop(): Promise<void>;
}

interface Running extends Stopping {
  start(): void;
}

export interface LifecycleDeps extends Pick<ServiceDeps, "config" | "db" | "clock" | "logger"> {
  services: Services;
  trustedClock: Pick<ReturnType<typeof createTrustedClock>, "begin">;
  /** `recover` runs once, before new work begins. */
  lineage: Stopping & { recover(): Promise<void> };
  demo: { history: Pick<History, "make" | "stop"> } | null;
  calling: Pick<Calling, "start" | "stop" | "rehearse">;
  scheduler: Running;
  hl7Port: Running;
  alarms: Running;
  figures: Pick<ReturnType<typeof createFigures>, "begin" | "stop">;
  keptBackups: Stopping;
  mailing: { loop: Stopping };
  deliveries: Stopping;
  serving: Pick<ReturnType<typeof createServing>, "handle" | "stop">;
  certificates: Pick<ReturnType<typeof createCertificates>, "https">;
}

export function createLifecycle(deps: LifecycleDeps) {
  const { config, db, clock, logger, services, trustedClock, lineage, demo, calling } = deps;
  const { scheduler, hl7Port, alarms, figures, keptBackups, mailing, deliveries, serving, certificates } = deps;
  let server: HttpServer | undefined;
  let isStopping = false;
  let rehearsal: Promise<void> | null = null;

  return {
    /** Runs before the port answers, so no client sees calls in progress that are not; otherwise start() runs it. */
    recover: () => trustedClock.begin().then(lineage.recover),
    async start(): Promise<void> {
      await trustedClock.begin();
      await lineage.recover();
      warnOfRules(config, logger);
      if (demo && !(await demo.history.make())) return;
      await calling.start();
      finishErasures(services, logger, () => isStopping);
      for (const part of [scheduler, hl7Port, alarms]) part.start();
      figures.begin();
    },
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
      await stopAll([hl7Port, alarms, services.folders, scheduler, keptBackups]);
      await stopAll([mailing.loop, figures, calling, deliveries, services.sealing]);
      await stopAll([services.auditArchive, services.auditSealing, services.auditHeads, services.auditStream]);
      await services.keys.flushLastUsed();
      await lineage.stop();
      await db.close();
    },
  };
}

/** One after the other. */
async function stopAll(parts: readonly Stopping[]): Promise<void> {
  for (const part of parts) await part.stop();
}

function warnOfRules(config: ServiceDeps["config"], logger: Logger): void {
  const unenforced = unenforcedOverSip(config);
  if (unenforced !== null) logger.warn(unenforced);
}

/** Resumes erasures that an earlier run left unfinished. If it is stopped, it starts again at the next start. */
function finishErasures({ erasure }: Services, logger: Logger, isStopping: () => boolean): void {
  void erasure.resume().catch((error: unknown) => {
    if (!isStopping()) logger.error("The rest of an erasure was not finished.", { error: messageOf(error) });
  });
}
