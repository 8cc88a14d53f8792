// Server side of the dashboard: the dependencies of its routes, by name.
import type { ConfigurationReads } from "../calendar/configuration-reads.ts";
import { dashboardApi } from "../dashboard/api.ts";
import { createBackups } from "../dashboard/backups.ts";
import { createChangeFeed } from "../dashboard/change-feed.ts";
import { createPositions } from "../dashboard/change-position.ts";
import { createChangeLog } from "../dashboard/change-store.ts";
import { createFirstView, type FirstViewDeps } from "../dashboard/first-view.ts";
import { createNow } from "../dashboard/now.ts";
import { createOverview } from "../dashboard/overview.ts";
import type { DemoRouteDeps } from "../dashboard/routes/demo-routes.ts";
import { createReachSubjects } from "../dashboard/reach-subject-store.ts";
import { createSavedFilters } from "../dashboard/saved-filters.ts";
import { createSessionGuard } from "../dashboard/session-guard.ts";
import { backUpInOwnProcess } from "../db/kept-backups/backup-process.ts";
import type { KeptBackups } from "../db/kept-backups/kept-backups.ts";
import type { Readiness } from "../http/health.ts";
import type { Idempotency } from "../http/idempotency.ts";
import type { InFlight } from "../http/in-flight.ts";
import { createSourceOf } from "../http/source.ts";
import type { Calling } from "./calls.ts";
import type { ServiceDeps } from "./ground.ts";
import type { Services } from "./services.ts";

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
  keptBackups: Pick<KeptBackups, "view">;
  /** The appliance's own handler. */
  ask: FirstViewDeps["ask"];
}

export function createDashboard(deps: DashboardDeps) {
  const { config, db, clock, logger, services, calling, idempotency, demoEmail, demo, reads, readiness } = deps;
  const subjects = createReachSubjects(db, services.contactIds);
  const feed = createChangeFeed({
    changesWithin: subjects.changesWithin,
    log: createChangeLog(db.reader),
    clock,
    logger,
    positions: createPositions(services.secrets.deriveKey("change-positions")),
    liveAmong: (fingerprints) => services.sessions.liveAmong(fingerprints),
  });
  const ofFolder = { dataDir: config.data.dir, security: config.security };
  const backups = createBackups({
    db,
    clock,
    audit: services.audit,
    dataDir: config.data.dir,
    copy: (target, signal) => backUpInOwnProcess({ kind: "copy", target, now: clock.now(), ...ofFolder }, signal),
  });
  const isSecure = config.dashboard_url.startsWith("https://");
  const guard = createSessionGuard({
    inFlight: deps.inFlight,
    sessionService: services.sessions,
    clock,
    requestTimeoutMs: deps.requestTimeoutMs,
    ownOrigin: new URL(config.dashboard_url).origin,
    isSecure,
    subjects,
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
    now: createNow({ db, clock, readNotes: services.readNotes }),
    firstView: createFirstView(deps),
    overview: createOverview(db, clock, () => demo?.history.isMaking() ?? false),
    reads,
    readiness,
    backups,
    keptBackups: deps.keptBackups,
    lines: calling.lines,
    hangUp: (callId) => calling.telephony.carrier.hangUp(callId),
    telephony: calling.telephony,
    isSecure,
    demoEmail,
    demo,
    ownUrls: [config.dashboard_url, config.base_url],
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
    alarmList: services.alarmList,
    audit: services.audit,
    auditBatches: services.auditBatches,
    auditedSubjects: services.auditedSubjects,
    credits: services.credits,
    files: services.files,
    keys: services.keys,
    namedSubjects: services.namedSubjects,
    organisations: services.organisations,
    passwordLinks: services.passwordLinks,
    people: services.people,
    plans: services.plans,
    readNotes: services.readNotes,
    sessions: services.sessions,
    signIn: services.signIn,
    directories: services.directories,
    factors: services.factors,
    passkeys: services.passkeys,
    tickets: services.tickets,
    breakGlass: services.breakGlass,
    sessionList: services.sessionList,
    setup: services.setup,
    holds: services.holds,
    wouldBeHeld: services.wouldBeHeld,
    personFile: services.personFile,
    renaming: services.renaming,
    breachReport: services.breachReport,
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
    contacts: services.contacts,
    contactNotes: services.contactNotes,
    doNotDisturb: services.doNotDisturb,
    consents: services.consents,
    dialAhead: services.dialAhead,
    erasure: services.erasure,
    heldCalls: services.heldCalls,
    links: services.links,
    manyCalls: services.manyCalls,
    proofs: services.proofs,
    ruleChanges: services.ruleChanges,
    shares: services.shares,
    // calendar
    appointments: services.appointments,
    closures: services.closures,
    directory: services.directory,
    feeds: services.feeds,
    tracking: services.tracking,
    windows: services.windows,
    sources: services.sources,
    hl7Log: services.hl7Log,
    hl7Preview: services.hl7Preview,
    sourceFiles: services.sourceFiles,
    // campaigns
    campaigns: services.campaigns,
    listCheck: services.listCheck,
    reminderRules: services.reminderRules,
    reminders: services.reminders,
    waitingList: services.waitingList,
    awaitedPlaces: services.awaitedPlaces,
    worklist: services.worklist,
    worklistView: services.worklistView,
    // webhooks
    deliveries: services.deliveries,
    endpoints: services.endpoints,
    question: services.question,
    registry: services.registry,
    hooks: services.hooks,
  };
}
