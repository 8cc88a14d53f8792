// Constructs every service and its dependencies.
import { readFileSync } from "node:fs";
import { createClientTokens } from "../accounts/client-tokens.ts";
import { createCredits } from "../accounts/credits.ts";
import { createKeyService } from "../accounts/key-service.ts";
import { createOrganisationService } from "../accounts/organisation-service.ts";
import { createPersonService } from "../accounts/person-service.ts";
import { createSetupService } from "../accounts/setup-service.ts";
import { createModelServerService } from "../agents/model-servers/model-server-service.ts";
import { createPronunciationService } from "../agents/pronunciation-service.ts";
import { createRecordedWordsService } from "../agents/recorded-words-service.ts";
import { createAgentService } from "../agents/service.ts";
import { callsOut } from "../agents/store.ts";
import { createAppointmentRetention } from "../calendar/appointment-retention.ts";
import { createCalendar } from "../calendar/calendar.ts";
import { createCallAgain } from "../calls/call-again.ts";
import { createCallEdit } from "../calls/call-edit.ts";
import { createClosureCalls } from "../campaigns/closure-calls.ts";
import { hasOpenCampaign } from "../campaigns/campaign-store.ts";
import { createEndedCalls } from "../campaigns/ended-calls.ts";
import { createAuditChain } from "./audit.ts";
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
import { consentServices } from "./consents.ts";
import { subscriptionWatcherOf } from "./fhir-watcher.ts";
import { createFinalCalls } from "../calls/call/final-calls.ts";
import { createErasure } from "../calls/life/erasure.ts";
import { createRetention } from "../calls/life/retention.ts";
import { createHeldCalls } from "../calls/held-calls.ts";
import { hasUnfinishedCalls } from "../calls/call/unfinished-store.ts";
import { releaseHeldByHours, releaseHeldByTrunks } from "../calls/queue/queue-store.ts";
import { createCallService } from "../calls/service.ts";
import { createManyCalls } from "../calls/many-calls.ts";
import { createTestCalls } from "../calls/test-call.ts";
import { createDialAhead } from "../calls/dial-ahead.ts";
import { createWouldBeHeld } from "../calls/would-be-held.ts";
import { createCallsWithin } from "../calls/within.ts";
import { ConfigError } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { messageOf } from "../core/errors.ts";
import { createDeliveryService } from "../events/delivery-service.ts";
import { createEndpointService } from "../events/endpoint-service.ts";
import type { Lanes } from "../events/lane.ts";
import { createEventHistory } from "../events/history.ts";
import { createMirror } from "../exchange/mirror/mirror-service.ts";
import { createSourceService } from "../exchange/sources/service.ts";
import type { SafePost } from "../events/safe-post/safe-post.ts";
import { createThreadPost } from "../events/safe-post/thread.ts";
import { createHookService } from "../hooks/service.ts";
import { createQuestionService } from "../rules/question/service.ts";
import { createFileRemovals } from "../media/file-removals.ts";
import { createCaptures } from "../media/captures.ts";
import { createLinkReads } from "../media/link-reads.ts";
import { createMediaLinks } from "../media/links.ts";
import { createRecordings } from "../media/recordings.ts";
import { createShareService } from "../media/share-service.ts";
import { OPEN_LINE, type Carrier } from "../telephony/port.ts";
import { modelGroundOf, trunkRefusalOf } from "./allow-lists.ts";
import { createTrunkService } from "../trunks/trunk-service.ts";
import { createWorklistView } from "../worklist/worklist-view.ts";
import { createErasers } from "./erasers.ts";
import { groundOf, type Ground, type ServiceDeps } from "./ground.ts";
import { createHl7Services } from "./hl7.ts";
import { createFolderServices } from "./folders.ts";
import { createReachingServices } from "./reaching.ts";
import { createRightsServices } from "./rights-services.ts";
import { createRuleServices } from "./rule-services.ts";
import { createSignInServices } from "./sign-in.ts";
import { startPostWorker } from "./threads/start.ts";
import { watch } from "./watchers.ts";
import { createWorklist } from "../worklist/worklist.ts";

/** Business services only: no HTTP, no timers. The command line uses these. */
export function createServices(
  deps: ServiceDeps,
  wake: () => void = () => {},
  trunksChanged: () => void = () => {},
  carrier: () => Pick<Carrier, "lines" | "trunkLines"> = () => OPEN_LINE,
  hasEarsBeside: (calls: number) => boolean = () => true,
) {
  const ground = groundOf(deps, wake);
  const { ids, secrets, audit, auditBatches, readNotes, outbox, mails, files } = ground;
  const media = mediaServices(ground);
  const calling = callServices(ground, media, { carrier, hasEarsBeside });
  const campaigning = campaignServices(ground, calling);
  const calendar = createCalendar({ ...ground, callsOut, openings: waitingOpenings });
  const mirror = createMirror({ ...ground, ...calendar });
  const agents = agentServices(ground, trunksChanged);
  const rules = createRuleServices(ground);
  const services = {
    ids,
    secrets,
    audit,
    auditBatches,
    readNotes,
    outbox,
    mails,
    files,
    ...accountServices(ground),
    ...createReachingServices(ground),
    ...agents,
    ...media,
    ...eventServices(ground, deps),
    ...calling,
    ...campaigning,
    ...createReminders({ ...ground, ...calling }),
    ...calendar,
    closureCalls: createClosureCalls({ ...ground, ...campaigning, ...calendar }),
    ...createWaiting({ ...ground, ...calling, ...calendar }),
    ...worklistServices(ground),
    sources: createSourceService(ground),
    mirror,
    ...createHl7Services(ground, mirror),
    subscriptionWatcher: subscriptionWatcherOf({ ...ground, ...calling, ...calendar }),
    ...createFolderServices({ ...ground, ...campaigning, mirror }),
    ...rules,
    ...createAuditChain({ ...ground, ...rules }),
    ...createRightsServices({ ...ground, ...media, ...calling, ...calendar, ...agents, ...rules }),
  };
  watch({ ...ground, ...calling }, services);
  return services;
}

function accountServices(ground: Ground) {
  const organisations = createOrganisationService(ground);
  const people = createPersonService(ground);
  return {
    organisations,
    people,
    ...createSignInServices({ ...ground, people }),
    keys: createKeyService(ground),
    clientTokens: createClientTokens(ground),
    setup: createSetupService({ ...ground, organisations, people }),
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
    ...consentServices(ground),
  };
}

function mediaServices(ground: Ground) {
  const { config, clock, ids, secrets, dataKeys } = ground;
  const links = createMediaLinks({ clock, key: secrets.deriveKey("media-links"), baseUrl: config.base_url });
  return {
    recordings: createRecordings(config.data.dir, ids, dataKeys),
    captures: createCaptures(config.data.dir, ids, dataKeys),
    links,
    shares: createShareService({ ...ground, links, baseUrl: config.base_url }),
    linkReads: createLinkReads(ground),
  };
}

/** Inbound hooks and outbound events. */
function eventServices(ground: Ground, deps: Pick<ServiceDeps, "safePost" | "aroundPost">) {
  const { config, keeping } = ground;
  const around = deps.aroundPost ?? ((post) => post);
  const safePost = around(deps.safePost ?? safePostOf(config));
  const lanes: Lanes = new Map();
  return {
    safePost,
    /** In-memory delivery state of each endpoint. */
    lanes,
    hooks: createHookService(ground),
    endpoints: createEndpointService({ ...ground, lanes, checkUrl: safePost.checkUrl }),
    question: createQuestionService({ ...ground, safePost }),
    deliveries: createDeliveryService(ground),
    eventHistory: createEventHistory({ ...ground, ...keeping, keepDays: keeping.daysOf(config.webhooks.keep_days) }),
  };
}

function callServices(
  ground: Ground,
  { links, recordings, captures }: ReturnType<typeof mediaServices>,
  line: Pick<DialFactsDeps, "carrier" | "hasEarsBeside">,
) {
  const { secrets } = ground;
  const dialFacts = createDialFacts({ ...ground, ...line });
  const finalCalls = createFinalCalls();
  const calls = createCallService({ ...ground, links, dialFacts, finalCalls });
  const appointments = ageingTogether(createAppointmentRetention(ground), createWaitingRetention(ground));
  const campaigns = createCampaignForgetting(ground);
  const contactIds = createContactIds(secrets.deriveKey("contact-ids"));
  const fileRemovals = createFileRemovals({ ...ground, recordings, captures });
  const erasers = createErasers(secrets);
  const erasure = createErasure({ ...ground, fileRemovals, contactIds, erasers, appointments, campaigns });
  return {
    contactIds,
    dialFacts,
    finalCalls,
    calls,
    manyCalls: createManyCalls({ ...ground, finalCalls }),
    callAgain: createCallAgain(ground),
    callEdit: createCallEdit(ground),
    wouldBeHeld: createWouldBeHeld({ ...ground, dialFacts }),
    dialAhead: createDialAhead({ ...ground, dialFacts }),
    testCalls: createTestCalls({ ...ground, dialFacts }),
    callsWithin: createCallsWithin({ ...ground, finalCalls }),
    contactNotes: createContactNotes(ground),
    heldCalls: createHeldCalls({ ...ground, calls }),
    erasure,
    retention: createRetention({ ...ground, erasure, fileRemovals }),
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

export type Services = ReturnType<typeof createServices>;
