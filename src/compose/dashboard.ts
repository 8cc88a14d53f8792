// Server side of the dashboard: the dependencies of its routes, by name.
import type { ConfigurationReads } from "../calendar/configuration-reads.ts";
import { dashboardApi } from "../dashboard/api.ts";
import { copyInOwnProcess } from "../dashboard/backup-process.ts";
import { createBackups } from "../dashboard/backups.ts";
import { createChangeFeed } from "../dashboard/change-feed.ts";
import { createPositions } from "../dashboard/change-position.ts";
import { createChangeLog } from "../dashboard/change-store.ts";
import { createOverview } from "../dashboard/overview.ts";
import type { DemoRouteDeps } from "../dashboard/routes/demo-routes.ts";
import { createSavedFilters } from "../dashboard/saved-filters.ts";
import { createSessionGuard } from "../dashboard/session-guard.ts";
import type { Readiness } from "../http/health.ts";
import type { Idempotency } from "../http/idempotency.ts";
import type { InFlight } from "../http/in-flight.ts";
import { createSourceOf } from "../http/source.ts";
import type { Calling } from "./calls.ts";
import type { ServiceDeps, Services } from "./services.ts";

export interface DashboardDeps extends Pick<ServiceDeps, "config" | "db" | "clock" | "logger"> {
  services: Services;
  calling: Calling;
  idempotency: Idempotency;
  demoEmail: string | null;
  demo: DemoRouteDeps["demo"];
  readiness: () => Promise<Readiness>;
  reads: ConfigurationReads;
  inFlight: InFlight;
  requestTimeoutMs: number;
}

export function createDashboard(deps: DashboardDeps) {
  const { config, db, clock, logger, services, calling, idempotency, demoEmail, demo, reads, readiness } = deps;
  const feed = createChangeFeed({
    log: createChangeLog(db.reader),
    clock,
    logger,
    positions: createPositions(services.secrets.deriveKey("change-positions")),
    liveAmong: (fingerprints) => services.sessions.liveAmong(fingerprints),
  });
  const backups = createBackups({
    db,
    clock,
    audit: services.audit,
    dataDir: config.data.dir,
    copy: (target, signal) => copyInOwnProcess(config.data.dir, target, signal),
  });
  const isSecure = config.dashboard_url.startsWith("https://");
  const guard = createSessionGuard({
    inFlight: deps.inFlight,
    sessionService: services.sessions,
    clock,
    requestTimeoutMs: deps.requestTimeoutMs,
    ownOrigin: new URL(config.dashboard_url).origin,
    isSecure,
  });
  const routes = dashboardApi({
    ...servicesOfPages(services),
    db,
    config,
    clock,
    feed,
    savedFilters: createSavedFilters({ db, clock, ids: services.ids }),
    idempotency,
    guard,
    overview: createOverview(db, clock, () => demo?.history.isMaking() ?? false),
    reads,
    readiness,
    backups,
    lines: calling.lines,
    hangUp: (callId) => calling.telephony.carrier.hangUp(callId),
    telephony: calling.telephony,
    isSecure,
    demoEmail,
    demo,
    ownUrls: [config.base_url, config.dashboard_url],
    sourceOf: createSourceOf({ clock, logger, addressHeader: config.server.client_address_header }),
  });
  return {
    routes,
    note: feed.note,
    /** Stops live updates and lets a running backup finish. */
    async stop(): Promise<void> {
      feed.stop();
      await backups.stop();
    },
  };
}

/** The services that the pages call. */
function servicesOfPages(services: Services) {
  return {
    // people and their rights
    audit: services.audit,
    auditBatches: services.auditBatches,
    credits: services.credits,
    files: services.files,
    keys: services.keys,
    organisations: services.organisations,
    people: services.people,
    plans: services.plans,
    readNotes: services.readNotes,
    sessions: services.sessions,
    setup: services.setup,
    // agents and lines
    agents: services.agents,
    modelServers: services.modelServers,
    pronunciations: services.pronunciations,
    recordedWords: services.recordedWords,
    trunks: services.trunks,
    // calls
    callAgain: services.callAgain,
    callEdit: services.callEdit,
    calls: services.calls,
    contactIds: services.contactIds,
    contactNotes: services.contactNotes,
    doNotDisturb: services.doNotDisturb,
    erasure: services.erasure,
    heldCalls: services.heldCalls,
    links: services.links,
    manyCalls: services.manyCalls,
    shares: services.shares,
    // calendar
    appointments: services.appointments,
    closures: services.closures,
    directory: services.directory,
    feeds: services.feeds,
    tracking: services.tracking,
    windows: services.windows,
    // campaigns
    campaigns: services.campaigns,
    listCheck: services.listCheck,
    reminderRules: services.reminderRules,
    reminders: services.reminders,
    waitingList: services.waitingList,
    worklist: services.worklist,
    worklistView: services.worklistView,
    // webhooks
    deliveries: services.deliveries,
    endpoints: services.endpoints,
    hooks: services.hooks,
  };
}
