// Constructs every service and what they stand on. With app.ts, which brings them to life, the composition root.
import { readFileSync } from "node:fs";
import { createAudit } from "./accounts/audit.ts";
import { createClaims } from "./accounts/claims.ts";
import { createCredits } from "./accounts/credits.ts";
import { createKeyService } from "./accounts/key-service.ts";
import { createOrganisationService } from "./accounts/organisation-service.ts";
import { createPersonService } from "./accounts/person-service.ts";
import { createLoginThrottle } from "./accounts/login-throttle.ts";
import { createReadNotes } from "./accounts/read-notes.ts";
import { createSessionService } from "./accounts/session-service.ts";
import { createSetupService } from "./accounts/setup-service.ts";
import { createRecordedWordsService } from "./agents/recorded-words-service.ts";
import { createAgentService } from "./agents/service.ts";
import { createAppointmentRetention } from "./calendar/appointment-retention.ts";
import { createAppointmentService } from "./calendar/appointment-service.ts";
import { calendarEraser } from "./calendar/eraser.ts";
import { createDirectoryService } from "./calendar/directory-service.ts";
import { createSlotEvents } from "./calendar/slot-events.ts";
import { createTrackingService } from "./calendar/tracking-service.ts";
import { createWindowService } from "./calendar/window-service.ts";
import { createDialFacts } from "./calls/queue/dial-facts.ts";
import { createDoNotDisturbService } from "./calls/do-not-disturb.ts";
import { callsEraser } from "./calls/eraser.ts";
import { createErasure } from "./calls/life/erasure.ts";
import { createRetention } from "./calls/life/retention.ts";
import { createRestoredCalls } from "./calls/queue/restored-calls.ts";
import { releaseHeldByHours, releaseHeldByTrunks } from "./calls/queue/queue-store.ts";
import { createCallService } from "./calls/service.ts";
import { ConfigError } from "./config/load.ts";
import type { Config } from "./config/schema.ts";
import { SECOND_MS, type Clock } from "./core/clock.ts";
import { messageOf } from "./core/errors.ts";
import { createIds } from "./core/ids.ts";
import type { Logger } from "./core/logger.ts";
import { createSecretBox } from "./core/secret-box.ts";
import type { Database } from "./db/database.ts";
import type { Eraser } from "./db/eraser.ts";
import { createDeliveryService } from "./events/delivery-service.ts";
import { eventsEraser } from "./events/eraser.ts";
import { createEndpointService } from "./events/endpoint-service.ts";
import { createEventHistory } from "./events/history.ts";
import { createOutbox } from "./events/outbox.ts";
import { createSafePost, type SafePost } from "./events/safe-post/safe-post.ts";
import { createHookService } from "./hooks/service.ts";
import { responsesEraser } from "./http/eraser.ts";
import { createCaptures } from "./media/captures.ts";
import { sharesEraser } from "./media/eraser.ts";
import { createLinkReads } from "./media/link-reads.ts";
import { createMediaLinks } from "./media/links.ts";
import { createRecordings } from "./media/recordings.ts";
import { createShareService } from "./media/share-service.ts";
import type { Carrier } from "./telephony/port.ts";
import { createTrunkRefusal, type TrunkRefusal } from "./trunks/trunk-addresses.ts";
import { createTrunkService } from "./trunks/trunk-service.ts";

export interface ServiceDeps {
  config: Config;
  db: Database;
  clock: Clock;
  logger: Logger;
  /** Seals stored secrets and signs links; see db/root-key.ts. */
  rootKey: Uint8Array;
  /** How events leave this machine; the real sender unless a test brings its own. */
  safePost?: SafePost;
}

/** Who forgets what with a call. The calls come last: the others may look at them while they forget theirs. */
export const ERASERS: readonly Eraser[] = [responsesEraser, calendarEraser, eventsEraser, sharesEraser, callsEraser];

/** Where nobody dials, as on the command line. */
const OPEN_LINE: Pick<Carrier, "lines" | "trunkLines"> = {
  lines: Infinity,
  trunkLines: () => ({ kind: "open", lines: Infinity }),
};

/** What the rules need and nothing else: no HTTP, no timers. The command line works with these. */
export function createServices(
  { config, db, clock, logger, rootKey, safePost: given }: ServiceDeps,
  wake: () => void = () => {},
  trunksChanged: () => void = () => {},
  carrier: () => Pick<Carrier, "lines" | "trunkLines"> = () => OPEN_LINE,
) {
  const secrets = createSecretBox(rootKey);
  const ids = createIds(clock);
  const audit = createAudit(clock, ids);
  const readNotes = createReadNotes({ db, clock, audit, logger });
  const claims = createClaims({ db, clock, audit });
  const organisations = createOrganisationService({ db, clock, ids, audit, config });
  const people = createPersonService({ db, clock, ids, audit, readNotes, claims });
  const keys = createKeyService({ db, clock, ids, audit, config });
  const setup = createSetupService({ db, clock, ids, organisations, people });
  const credits = createCredits({ db, clock, ids, audit });
  const throttle = createLoginThrottle(clock, logger, config.server.idle_timeout_seconds * SECOND_MS);
  const sessions = createSessionService({ db, clock, ids, audit, throttle });
  const trunkBySettings = (number: string) =>
    Object.entries(config.trunks).find(([, { numbers }]) => numbers.includes(number))?.[0];
  const waiting = { hoursChanged: releaseHeldByHours, trunkChanged: releaseHeldByTrunks };
  const agents = createAgentService({
    db,
    clock,
    ids,
    audit,
    claims,
    waiting,
    trunkBySettings,
    allowedRanges: config.calls.allowed_ranges,
  });
  const recordedWords = createRecordedWordsService({ db, clock, audit });
  const refusal = trunkRefusalOf(config);
  const trunks = createTrunkService({
    db,
    clock,
    ids,
    audit,
    secrets,
    logger,
    refusal,
    placeNumber: (...number) => agents.placeOnTrunk(...number),
    changed: trunksChanged,
  });
  const doNotDisturb = createDoNotDisturbService({ db, clock, audit, readNotes });
  const hooks = createHookService({ db, clock, ids, audit, config, secrets });
  const recordings = createRecordings(config.data.dir, ids);
  const captures = createCaptures(config.data.dir, ids);
  const links = createMediaLinks({ clock, key: secrets.deriveKey("media-links"), baseUrl: config.base_url });
  const shares = createShareService({ db, clock, ids, audit, links, baseUrl: config.base_url });
  const safePost = given ?? safePostOf(config);
  const endpoints = createEndpointService({
    db,
    clock,
    ids,
    audit,
    config,
    secrets,
    checkUrl: safePost.checkUrl,
    wake,
  });
  const deliveries = createDeliveryService({ db, clock, ids, audit, readNotes, wake });
  const eventHistory = createEventHistory({ db, logger, keepDays: config.webhooks.keep_days });
  const dialFacts = createDialFacts({ config, carrier });
  const calls = createCallService({ db, clock, ids, config, audit, readNotes, links, wake, dialFacts });
  const restoredCalls = createRestoredCalls({ db, clock, audit, calls, wake });
  const erasure = createErasure({
    db,
    clock,
    logger,
    audit,
    recordings,
    captures,
    erasers: ERASERS,
    appointments: createAppointmentRetention({ db, clock, audit }),
  });
  const outbox = createOutbox(clock, ids);
  const slotEvents = createSlotEvents(outbox);
  const directory = createDirectoryService({ db, clock, audit });
  const windows = createWindowService({ db, clock, ids, config, audit, slotEvents, wake });
  const tracking = createTrackingService({ db, clock, audit, slotEvents, wake });
  const appointments = createAppointmentService({ db, clock, ids, audit, readNotes, outbox, slotEvents, wake });
  return {
    ids,
    secrets,
    audit,
    outbox,
    safePost,
    recordings,
    captures,
    links,
    organisations,
    people,
    keys,
    setup,
    sessions,
    credits,
    agents,
    recordedWords,
    trunks,
    doNotDisturb,
    hooks,
    calls,
    restoredCalls,
    dialFacts,
    erasure,
    endpoints,
    deliveries,
    eventHistory,
    retention: createRetention({ erasure, logger, days: config.retention.days }),
    shares,
    directory,
    windows,
    tracking,
    appointments,
    readNotes,
    linkReads: createLinkReads({ readNotes, clock }),
  };
}

/** A bad entry in the settings is told like every other fault of them. */
function safePostOf({ webhooks }: Config): SafePost {
  try {
    return createSafePost({
      allow: webhooks.allow_private,
      caPem: webhooks.ca_file ? readFileSync(webhooks.ca_file, "utf8") : null,
      proxyUrl: webhooks.proxy_url || null,
    });
  } catch (error) {
    throw new ConfigError([`webhooks: ${messageOf(error)}`]);
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
