// Connects the telephone line with the calls: dialling, agents, and recording of the results.
import type { Certificate } from "./certificates.ts";
import { createPlaceDesk } from "../waiting-list/desk.ts";
import { createDesk } from "../calendar/desk.ts";
import { deleteHoldsOfCall } from "../calendar/window-store.ts";
import { createArrivals } from "../calls/life/arrivals.ts";
import { callMedia } from "../calls/life/call-media.ts";
import { createCallEvents, type CallEvents } from "../calls/call/events.ts";
import { legsKeptSince } from "../calls/life/leg-store.ts";
import { createLifecycle, type Lifecycle } from "../calls/life/lifecycle.ts";
import { putBackVerdict } from "../campaigns/put-back-calls.ts";
import { createLineService } from "../calls/life/line-service.ts";
import { recoverCalls } from "../calls/life/recovery.ts";
import { createSimulatedRecordings } from "../calls/life/simulated-recording.ts";
import { bookingScopeOf, deskCallOf } from "../calls/talks/booking-scope.ts";
import { branchNameOf, zoneOf } from "../calendar/directory-store.ts";
import { Analyses } from "../calls/analysis/analyses.ts";
import { createDialMeter } from "../calls/queue/dial-meter.ts";
import { createDialPlan, type CallRequest, type DialPlan } from "../calls/talks/dial-plan.ts";
import { createDispatcher } from "../calls/queue/dispatcher.ts";
import { createOverdue } from "../calls/queue/overdue.ts";
import { rehearse } from "../calls/life/rehearsal.ts";
import { Turns } from "../calls/queue/turns.ts";
import { releaseAskedCalls, releaseHeldByTrunks } from "../calls/queue/queue-store.ts";
import { updateCall } from "../calls/call/store.ts";
import { createTalks } from "../calls/talks/talks.ts";
import { createLedMeter } from "../calls/life/led-meter.ts";
import { createTurnMeter } from "../calls/life/turn-meter.ts";
import { Asker } from "../rules/question/asker.ts";
import { createSpeaking, type Speaking } from "./speech.ts";
import { createTelephony, mannersOf, type Telephony } from "./telephony.ts";
import { SYSTEM_ACTOR } from "../core/actor.ts";
import type { Logger } from "../core/logger.ts";
import { MINUTE_MS } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Tx } from "../db/tables.ts";
import type { ServiceDeps } from "./ground.ts";
import type { Services } from "./services.ts";
import type { CarrierFactory } from "../telephony/port.ts";
import type { TimeWish } from "../calendar/desk-port.ts";

export interface CallingDeps extends Pick<ServiceDeps, "config" | "db" | "clock" | "logger"> {
  services: Services;
  metrics: Metrics;
  /** Certificate of the listener for TLS trunks; absent if calls are simulated. */
  certificate?: Certificate;
  /** The carrier behind the trunk; the simulator unless a test supplies its own. */
  given: CarrierFactory | undefined;
  wake: () => void;
  /** Called when a call is dialled. */
  dialled?: () => void;
}

/** Matches no branch, so the organisation's time zone applies. */
const NO_BRANCH = "";

export function createCalling(deps: CallingDeps) {
  const { config, db, clock, logger, services, metrics, given } = deps;
  const { recordings, captures, trunks, recordedWords } = services;

  const events = createCallEvents(services.outbox);
  const speaking = speakingWith(deps);
  const simulatedRecordings = createSimulatedRecordings({ clock, recordings, speak: speaking.speak });
  const dialPlan = dialPlanWith(deps, newRecording);
  const analyses = analysesWith(deps, events, dialPlan);
  const lifecycle = lifecycleWith(deps, events, dialPlan, analyses);
  const talks = createTalks({
    clock,
    logger,
    listener: lifecycle,
    carrier: () => telephony.carrier,
    measured: createTurnMeter(metrics),
    led: createLedMeter(metrics),
    ...mannersOf(config, given),
    speaks: speaking.speaks,
  });
  const telephony = createTelephony({
    config,
    clock,
    logger,
    metrics,
    trunks,
    recordedWords,
    ...(deps.certificate && { certificate: deps.certificate }),
    listener: talks.listener,
    released: () => void releaseHeld(deps),
    given,
    serveLine: speaking.serveLine,
  });
  const claims = { ...claimsWith(deps), events, dialPlan, ...telephonyOf(() => telephony) };
  const dispatcher = createDispatcher({
    ...claims,
    dial: tellingOf(deps, talks.dial),
    ended: lifecycle.ended,
    measured: createDialMeter(metrics),
  });
  const recover = recoveryWith(deps, lifecycle);

  function newRecording(): string {
    const name = recordings.newName();
    return telephony.isSimulated ? simulatedRecordings.nameFor(name) : name;
  }

  return {
    telephony,
    speaking,
    dispatcher,
    analyses,
    jobs: telephony.jobs,
    lines: createLineService({ db, readNotes: services.readNotes, captures, live: telephony.traceOf }),
    mediaOf: (callId: string) => callMedia(db.reader, callId, recordings, simulatedRecordings),
    refreshTrunks: () => refreshQuietly(telephony, logger),
    /** Runs in small pieces between other work, and must never fail the caller. */
    async rehearse(isWanted: () => boolean): Promise<void> {
      await rehearse({ ...claims, ids: services.ids, lifecycle }, isWanted).catch((error: unknown) => {
        logger.debug("The first calls could not be rehearsed.", { error: messageOf(error) });
      });
    },
    recover,
    async start(): Promise<void> {
      // Failed lookups are retried later, and no call waits for them.
      void services.modelServers.refresh().catch(() => {});
      const legs = await recover();
      await telephony.start();
      // The server already answers and no call is due yet, so loading for seconds blocks nothing.
      speaking.start();
      telephony.endLeft(legs);
    },
    async stop(): Promise<void> {
      await claims.questions.stop();
      await telephony.stop();
      await speaking.stop();
      await analyses.stop();
    },
  };
}

export type Calling = ReturnType<typeof createCalling>;

async function refreshQuietly(telephony: Telephony, logger: Logger): Promise<void> {
  try {
    await telephony.refreshTrunks();
  } catch (error) {
    logger.error("The carrier could not be told of a changed trunk; it hears of it within 15 seconds.", {
      error: messageOf(error),
    });
  }
}

function speakingWith(deps: CallingDeps): Speaking {
  const isSilent = deps.given !== undefined || deps.config.telephony.carrier !== "sip";
  return createSpeaking({ ...deps, isSilent, released: () => void releaseHeld(deps) });
}

function claimsWith(deps: CallingDeps) {
  const { config, db, clock, logger, services } = deps;
  const { dialFacts, finalCalls } = services;
  const questions = questionsWith(deps);
  const overdue = createOverdue({ db, clock, config, logger });
  return { db, clock, dialFacts, finalCalls, questions, overdue, turns: new Turns(config.calls.released_per_minute) };
}

function questionsWith({ db, clock, logger, services, wake }: CallingDeps): Asker {
  const { ids, secrets, safePost } = services;
  return new Asker({
    clock,
    ids,
    secrets,
    safePost,
    logger,
    reader: db.reader,
    async answered(calls) {
      const asked = calls.map(({ dueAt, data }) => ({ id: data.call_id, dueAt }));
      await db.write((tx) => releaseAskedCalls(tx, asked, clock.now()));
      wake();
    },
  });
}

const telephonyOf = (telephony: () => Pick<Telephony, "carrier" | "isSimulated">) => ({
  carrier: () => telephony().carrier,
  isSimulated: () => telephony().isSimulated,
});

const tellingOf =
  ({ dialled }: CallingDeps, dial: (request: CallRequest) => void) =>
  (request: CallRequest): void => {
    dialled?.();
    dial(request);
  };

/**
 * Settles calls that were in progress when the process last ended, once, before new work begins. Returns the legs that
 * the carrier has to end.
 */
function recoveryWith({ config, db, clock, logger, services }: CallingDeps, lifecycle: Lifecycle) {
  const { recordings, captures } = services;
  const keptMs = config.telephony.sip.longest_call_minutes * MINUTE_MS;
  let recovered: ReturnType<typeof legsKeptSince> | undefined;
  async function recover() {
    const legs = await legsKeptSince(db.reader, clock.now() - keptMs);
    await recoverCalls({ db, logger, lifecycle, recordings, captures });
    return legs;
  }
  return () => (recovered ??= recover());
}

function dialPlanWith({ config, db, clock, services, wake }: CallingDeps, newRecording: () => string): DialPlan {
  const { ids, recordings, captures, appointments, tracking, trunks, recordedWords } = services;
  return createDialPlan({
    config,
    recordings: { newName: newRecording, pathOf: recordings.pathOf },
    captures,
    deskFor(call, agent) {
      const isAbout = (tx: Tx, callId: string, appointmentId: string) =>
        updateCall(tx, callId, { appointment_id: appointmentId, updated_at: clock.now() });
      const deskCall = deskCallOf(call, agent);
      if (call.source === "waiting_list") {
        return createPlaceDesk({ db, clock, appointments, offers: services.waitingOffers, wake }, deskCall);
      }
      const caller = { ...deskCall, agentId: agent.id };
      const wait = (wish: TimeWish | null, name: string | null) =>
        services.waitingList.join({ ...caller, contactName: caller.contactName ?? name }, wish);
      const unwait = () => services.waitingList.unjoin(caller);
      return createDesk({ db, clock, ids, tracking, appointments, isAbout, wake, wait, unwait }, deskCall);
    },
    recordedWordsOf: recordedWords.refsOf,
    pronunciationsOf: services.pronunciations.of,
    serversOf: (executor, organisationId, agentId) => services.modelServers.forCall(executor, organisationId, agentId),
    timeZoneOf: (executor, call, agent) =>
      zoneOf(executor, call.organisation_id, bookingScopeOf(call, agent)?.branchId ?? NO_BRANCH),
    async branchNameOf(executor, call, agent) {
      const scope = bookingScopeOf(call, agent);
      return scope && branchNameOf(executor, call.organisation_id, scope.branchId);
    },
    isCaptured: (executor, trunkId) => trunks.isCaptured(executor, trunkId),
  });
}

function analysesWith(deps: CallingDeps, events: CallEvents, dialPlan: DialPlan): Analyses {
  const { config, db, clock, logger, services, wake } = deps;
  return new Analyses({
    db,
    clock,
    logger,
    audit: services.audit,
    events,
    appointmentOf: (tx, callId) => services.appointments.ofCall(tx, callId),
    serversOf: dialPlan.serversOf,
    timeZoneOf: dialPlan.timeZoneOf,
    seconds: config.models.analysis_seconds,
    wake,
  });
}

function lifecycleWith(deps: CallingDeps, events: CallEvents, dialPlan: DialPlan, analyses: Analyses): Lifecycle {
  const { config, db, clock, logger, services, wake } = deps;
  const { ids, audit, recordings, captures, credits, appointments, dialFacts, finalCalls } = services;
  const { doNotDisturb, consentChanges } = services;
  return createLifecycle({
    db,
    clock,
    ids,
    config,
    logger,
    events,
    analyses,
    credits,
    audit,
    recordings,
    captures,
    finalCalls,
    arrivals: createArrivals({ clock, ids, dialPlan, dialFacts, events, isEnforced: config.rules.enforce }),
    optOut: async (tx, { organisation_id, contact_number, id }) => {
      const person = { organisationId: organisation_id, number: contact_number };
      await doNotDisturb.addWithin(tx, person, { source: "call", actor: SYSTEM_ACTOR, callId: id, reference: null });
    },
    answerConsent: (tx, { organisation_id, contact_number, id }, answer) =>
      consentChanges.answer(tx, { organisationId: organisation_id, number: contact_number, callId: id }, answer),
    calendar: { appointmentOf: (tx, callId) => appointments.ofCall(tx, callId), releaseHolds: deleteHoldsOfCall },
    putBackVerdict,
    forgetDialled: dialFacts.forgetDialled,
    wake,
  });
}

/** A trunk accepts calls again: releases the calls held for it. */
async function releaseHeld({ db, clock, logger, wake }: CallingDeps): Promise<void> {
  await db
    .write((tx) => releaseHeldByTrunks(tx, clock.now()))
    .catch((error: unknown) => {
      logger.error("Calls that wait for a trunk could not be released; they are looked at within a minute.", {
        error: messageOf(error),
      });
    });
  wake();
}
