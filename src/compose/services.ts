// Constructs every service and its dependencies.
import { readFileSync } from "node:fs";
import { createAuditBatches } from "../accounts/audit-batches.ts";
import { createAudit } from "../accounts/audit.ts";
import { createClaims } from "../accounts/claims.ts";
import { createCredits } from "../accounts/credits.ts";
import { createKeyService } from "../accounts/key-service.ts";
import { createOrganisationService, type ZoneWatcher } from "../accounts/organisation-service.ts";
import { createPersonService } from "../accounts/person-service.ts";
import { createLoginThrottle } from "../accounts/login-throttle.ts";
import { createReadNotes } from "../accounts/read-notes.ts";
import { createSessionService } from "../accounts/session-service.ts";
import { createSetupService } from "../accounts/setup-service.ts";
import { createModelServerService } from "../agents/model-servers/model-server-service.ts";
import { createServerAddresses, modelAllowList } from "../agents/model-servers/server-addresses.ts";
import { createPronunciationService } from "../agents/pronunciation-service.ts";
import { createRecordedWordsService } from "../agents/recorded-words-service.ts";
import { createAgentService } from "../agents/service.ts";
import { callsOut } from "../agents/store.ts";
import { createAppointmentRetention } from "../calendar/appointment-retention.ts";
import type { AppointmentWatcher } from "../calendar/appointment-changes.ts";
import { createCalendar } from "../calendar/calendar.ts";
import type { ClosureWatcher } from "../calendar/closure-service.ts";
import { createCallAgain } from "../calls/call-again.ts";
import { createCallEdit } from "../calls/call-edit.ts";
import { createClosureCalls } from "../campaigns/closure-calls.ts";
import { hasOpenCampaign } from "../campaigns/campaign-store.ts";
import { createEndedCalls } from "../campaigns/ended-calls.ts";
import { createCampaignForgetting } from "../campaigns/forgetting.ts";
import { createPreparations } from "../campaigns/preparations.ts";
import { createCampaignService } from "../campaigns/service.ts";
import { createStoppedRows } from "../campaigns/stopped-rows.ts";
import { createListCheck } from "../lists/list-check.ts";
import { createReminders } from "../reminders/reminders.ts";
import { createContactNotes } from "../calls/people/contact-notes.ts";
import { waitingOpenings } from "../waiting-list/openings.ts";
import { ageingTogether, createWaitingRetention } from "../waiting-list/retention.ts";
import { createWaiting } from "../waiting-list/waiting.ts";
import { createDialFacts, type DialFactsDeps } from "../calls/queue/dial-facts.ts";
import { createContactIds } from "../calls/people/contact-ids.ts";
import { createDoNotDisturbService } from "../calls/people/do-not-disturb.ts";
import { createFinalCalls } from "../calls/call/final-calls.ts";
import { createErasure } from "../calls/life/erasure.ts";
import { createRetention } from "../calls/life/retention.ts";
import { createHeldCalls } from "../calls/held-calls.ts";
import { hasUnfinishedCalls } from "../calls/call/store.ts";
import { releaseHeldByHours, releaseHeldByTrunks } from "../calls/queue/queue-store.ts";
import { createCallService } from "../calls/service.ts";
import { createManyCalls } from "../calls/many-calls.ts";
import { createCallsWithin } from "../calls/within.ts";
import { ConfigError } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { SECOND_MS, type Clock } from "../core/clock.ts";
import { readHere, type Files } from "../core/file-job.ts";
import { messageOf } from "../core/errors.ts";
import { createIds } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import { createSecretBox } from "../core/secret-box.ts";
import { readServerUrl } from "../net/http-url.ts";
import type { Database } from "../db/database.ts";
import { createDeliveryService } from "../events/delivery-service.ts";
import { createEndpointService } from "../events/endpoint-service.ts";
import type { Lanes } from "../events/lane.ts";
import { createEventHistory } from "../events/history.ts";
import { createOutbox } from "../events/outbox.ts";
import type { SafePost } from "../events/safe-post/safe-post.ts";
import { createThreadPost } from "../events/safe-post/thread.ts";
import { createHookService } from "../hooks/service.ts";
import { deleteResponsesAbout } from "../http/idempotency-store.ts";
import { createFileRemovals } from "../media/file-removals.ts";
import { createCaptures } from "../media/captures.ts";
import { createLinkReads } from "../media/link-reads.ts";
import { createMediaLinks } from "../media/links.ts";
import { createRecordings } from "../media/recordings.ts";
import { createShareService } from "../media/share-service.ts";
import { OPEN_LINE, type Carrier } from "../telephony/port.ts";
import { createTrunkRefusal, type TrunkRefusal } from "../trunks/trunk-addresses.ts";
import { createTrunkService } from "../trunks/trunk-service.ts";
import { createWorklistView } from "../worklist/worklist-view.ts";
import { ERASERS } from "./erasers.ts";
import { startPostWorker } from "./threads/start.ts";
import { watch } from "./watchers.ts";
import { createWorklist } from "../worklist/worklist.ts";

export interface ServiceDeps {
  config: Config;
  db: Database;
  clock: Clock;
  logger: Logger;
  /** Encrypts stored secrets and signs links; see db/root-key.ts. */
  rootKey: Uint8Array;
  /** Sender of events; the real one unless a test supplies its own. */
  safePost?: SafePost;
  /** Parser of uploaded files; in this process unless the server supplies its own. */
  files?: Files;
  /** Wraps the sender: the demo's own receiver. */
  aroundPost?: (post: SafePost) => SafePost;
}

/** Business services only: no HTTP, no timers. The command line uses these. */
export function createServices(
  deps: ServiceDeps,
  wake: () => void = () => {},
  trunksChanged: () => void = () => {},
  carrier: () => Pick<Carrier, "lines" | "trunkLines"> = () => OPEN_LINE,
  hasEarsBeside: (calls: number) => boolean = () => true,
) {
  const ground = groundOf(deps, wake);
  const { ids, secrets, audit, auditBatches, readNotes, outbox, files } = ground;
  const media = mediaServices(ground);
  const calling = callServices(ground, media, { carrier, hasEarsBeside });
  const campaigning = campaignServices(ground, calling);
  const calendar = createCalendar({ ...ground, callsOut, openings: waitingOpenings });
  const services = {
    ids,
    secrets,
    audit,
    auditBatches,
    readNotes,
    outbox,
    files,
    ...accountServices(ground),
    ...agentServices(ground, trunksChanged),
    ...media,
    ...eventServices(ground, deps),
    ...calling,
    ...campaigning,
    ...createReminders({ ...ground, ...calling }),
    ...calendar,
    closureCalls: createClosureCalls({ ...ground, ...campaigning, ...calendar }),
    ...createWaiting({ ...ground, ...calling, ...calendar }),
    ...worklistServices(ground),
  };
  watch({ ...ground, ...calling }, services);
  return services;
}

/** Dependencies shared by nearly every service; each takes the ones it names. */
function groundOf({ config, db, clock, logger, rootKey, files = readHere }: ServiceDeps, wake: () => void) {
  // Ids order the deliveries, even if the clock was set back while nothing ran.
  const ids = createIds(clock, undefined, db.newestDeliveryId);
  const audit = createAudit(clock, ids);
  const auditBatches = createAuditBatches({ db, clock, ids, audit, logger });
  return {
    config,
    db,
    clock,
    logger,
    wake,
    files,
    ids,
    audit,
    auditBatches,
    forgetAnswers: deleteResponsesAbout,
    secrets: createSecretBox(rootKey),
    readNotes: createReadNotes({ clock, auditBatches }),
    claims: createClaims({ db, clock, audit }),
    outbox: createOutbox(clock, ids),
    /** Filled by watchers.ts, when every room is there. */
    appointmentWatchers: new Array<AppointmentWatcher>(),
    closureWatchers: new Array<ClosureWatcher>(),
    zoneWatchers: new Array<ZoneWatcher>(),
  };
}

type Ground = ReturnType<typeof groundOf>;

function accountServices(ground: Ground) {
  const { config, clock, logger } = ground;
  const organisations = createOrganisationService(ground);
  const people = createPersonService(ground);
  const throttle = createLoginThrottle(clock, logger, config.server.idle_timeout_seconds * SECOND_MS);
  return {
    organisations,
    people,
    keys: createKeyService(ground),
    setup: createSetupService({ ...ground, organisations, people }),
    sessions: createSessionService({ ...ground, throttle }),
    credits: createCredits(ground),
  };
}

/** Agents, numbers, trunks and the do-not-call list. */
function agentServices(ground: Ground, trunksChanged: () => void) {
  const { config } = ground;
  const agents = createAgentService({
    ...ground,
    waiting: {
      hoursChanged: releaseHeldByHours,
      trunkChanged: releaseHeldByTrunks,
      hasUnfinished: async (...agent) => (await hasUnfinishedCalls(...agent)) || hasOpenCampaign(...agent),
      hasCampaign: hasOpenCampaign,
    },
    trunkBySettings: (number) => Object.entries(config.trunks).find(([, { numbers }]) => numbers.includes(number))?.[0],
    allowedRanges: config.calls.allowed_ranges,
  });
  const trunks = createTrunkService({
    ...ground,
    refusal: trunkRefusalOf(config),
    placeNumber: (...number) => agents.placeOnTrunk(...number),
    changed: trunksChanged,
  });
  return {
    agents,
    trunks,
    recordedWords: createRecordedWordsService(ground),
    pronunciations: createPronunciationService(ground),
    modelServers: createModelServerService({ ...ground, ...modelGroundOf(ground) }),
    doNotDisturb: createDoNotDisturbService(ground),
  };
}

function mediaServices(ground: Ground) {
  const { config, clock, ids, secrets } = ground;
  const links = createMediaLinks({ clock, key: secrets.deriveKey("media-links"), baseUrl: config.base_url });
  return {
    recordings: createRecordings(config.data.dir, ids),
    captures: createCaptures(config.data.dir, ids),
    links,
    shares: createShareService({ ...ground, links, baseUrl: config.base_url }),
    linkReads: createLinkReads(ground),
  };
}

/** Inbound hooks and outbound events. */
function eventServices(ground: Ground, deps: Pick<ServiceDeps, "safePost" | "aroundPost">) {
  const { config, db, logger } = ground;
  const around = deps.aroundPost ?? ((post) => post);
  const safePost = around(deps.safePost ?? safePostOf(config));
  const lanes: Lanes = new Map();
  return {
    safePost,
    /** In-memory delivery state of each endpoint. */
    lanes,
    hooks: createHookService(ground),
    endpoints: createEndpointService({ ...ground, lanes, checkUrl: safePost.checkUrl }),
    deliveries: createDeliveryService(ground),
    eventHistory: createEventHistory({ db, logger, keepDays: config.webhooks.keep_days }),
  };
}

function callServices(
  ground: Ground,
  { links, recordings, captures }: ReturnType<typeof mediaServices>,
  line: Pick<DialFactsDeps, "carrier" | "hasEarsBeside">,
) {
  const { config, clock, logger, secrets } = ground;
  const dialFacts = createDialFacts({ config, clock, ...line });
  const finalCalls = createFinalCalls();
  const calls = createCallService({ ...ground, links, dialFacts, finalCalls });
  const appointments = ageingTogether(createAppointmentRetention(ground), createWaitingRetention(ground));
  const campaigns = createCampaignForgetting(ground);
  const contactIds = createContactIds(secrets.deriveKey("contact-ids"));
  const fileRemovals = createFileRemovals({ ...ground, recordings, captures });
  const erasure = createErasure({ ...ground, fileRemovals, contactIds, erasers: ERASERS, appointments, campaigns });
  return {
    contactIds,
    dialFacts,
    finalCalls,
    calls,
    manyCalls: createManyCalls({ ...ground, finalCalls }),
    callAgain: createCallAgain(ground),
    callEdit: createCallEdit(ground),
    callsWithin: createCallsWithin({ ...ground, finalCalls }),
    contactNotes: createContactNotes(ground),
    heldCalls: createHeldCalls({ ...ground, calls }),
    erasure,
    retention: createRetention({ erasure, logger, days: config.retention.days }),
  };
}

/** Campaigns: lists of people, called one after the other. */
function campaignServices(ground: Ground, { calls, erasure }: ReturnType<typeof callServices>) {
  const preparations = createPreparations(ground);
  const stoppedRows = createStoppedRows(ground);
  const forgetting = createCampaignForgetting(ground);
  return {
    campaignWatchers: { finalCall: createEndedCalls(ground) },
    preparations,
    stoppedRows,
    listCheck: createListCheck(ground),
    campaigns: createCampaignService({
      ...ground,
      calls,
      preparations,
      stoppedRows,
      forgetting,
      wipe: erasure.wipe,
    }),
  };
}

/** The worklist: cases that need a person. */
function worklistServices(ground: Ground) {
  const worklist = createWorklist({ ...ground, usesTrunks: ground.config.telephony.carrier === "sip" });
  return { worklist, worklistView: createWorklistView(ground) };
}

/** The real sender. A bad entry in the settings is reported like every other configuration error. */
export function safePostOf({ webhooks }: Config): SafePost {
  try {
    const caPem = webhooks.ca_file ? readFileSync(webhooks.ca_file, "utf8") : null;
    const options = { allow: webhooks.allow_private, caPem, proxyUrl: webhooks.proxy_url || null };
    return createThreadPost(options, startPostWorker);
  } catch (error) {
    throw new ConfigError([`webhooks: ${messageOf(error)}`]);
  }
}

/** Servers of the configuration are allowed at their own host. */
function modelGroundOf({ config: { models }, clock }: Pick<Ground, "config" | "clock">) {
  const own = Object.values(models.servers).flatMap(({ base_url }) =>
    base_url === "" ? [] : [readServerUrl(base_url).host],
  );
  try {
    return {
      commonCa: models.ca_file ? readFileSync(models.ca_file, "utf8") : null,
      addresses: createServerAddresses({ clock, allow: modelAllowList([...models.allow, ...own]) }),
    };
  } catch (error) {
    throw new ConfigError([`models: ${messageOf(error)}`]);
  }
}

function trunkRefusalOf({ telephony }: Config): TrunkRefusal {
  try {
    return createTrunkRefusal(telephony.sip.allow_local);
  } catch (error) {
    throw new ConfigError([`telephony.sip.allow_local: ${messageOf(error)}`]);
  }
}

export type Services = ReturnType<typeof createServices>;
