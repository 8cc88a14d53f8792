// Agreements and ends of calls. One transaction each: an agreement, or an end with its state, result, credits,
// follow-up call and event.
import { agentById } from "../../agents/store.ts";
import type { Audit } from "../../accounts/audit.ts";
import type { Credits } from "../../accounts/credits.ts";
import type { Config } from "../../config/schema.ts";
import { withoutNul } from "../../core/clean-text.ts";
import type { Clock } from "../../core/clock.ts";
import type { Ids } from "../../core/ids.ts";
import { isE164 } from "../../core/phone.ts";
import type { Agent } from "../../agents/records.ts";
import type { Call, CallResult } from "../call/records.ts";
import type { Tx } from "../../db/tables.ts";
import type { Subscriber } from "../../events/outbox-store.ts";
import type { Appointment } from "../../payloads/appointment.ts";
import { byRules } from "../../voice/analysis/analysis.ts";
import type { Agreed } from "../../voice/port.ts";
import type { Analyses } from "../analysis/analyses.ts";
import { captureNameOf } from "../talks/dial-plan.ts";
import type { BrokenCall, CallEnd, Conversation } from "../call/call-end.ts";
import type { CallEvents } from "../call/events.ts";
import type { FinalCalls, TellEnd } from "../call/final-calls.ts";
import { saveLine } from "./line-store.ts";
import { noteModelsUsed } from "./models-used.ts";
import { deleteLeg } from "./leg-store.ts";
import { followUpInput, newCallRow } from "../call/new-call.ts";
import { releaseHeldFor } from "../queue/queue-store.ts";
import { putBack, type PutBackVerdict } from "./put-back.ts";
import { callbackOf, followUpOf, type FollowUp } from "../call/retry.ts";
import { isFinal } from "../call/state.ts";
import { applyEventToRead, insertCall, keepResult, moveCall, resultOf, updateCall } from "../call/store.ts";

export interface CallCalendar {
  appointmentOf(tx: Tx, callId: string): Promise<Appointment | null>;
  releaseHolds(tx: Tx, callId: string): Promise<void>;
}

export interface CallEndingsDeps {
  clock: Clock;
  ids: Ids;
  config: Config;
  events: CallEvents;
  credits: Credits;
  audit: Audit;
  /** Reads the appointment that the agent booked in the call, and releases its reservations. */
  calendar: CallCalendar;
  /** Decides whether a language model analyses the call before its end is published. */
  analyses: Pick<Analyses, "postpone">;
  finalCalls: Pick<FinalCalls, "look">;
  /** Whether a call that never rang may wait for its trunk. */
  putBackVerdict: (tx: Tx, call: Call) => Promise<PutBackVerdict>;
  /** A call that is put back has not rung, and does not count against the limits per number. */
  forgetDialled: (tx: Tx, call: Call) => Promise<void>;
  /** The callee opts out of calls. Idempotent. */
  optOut: (tx: Tx, call: Call) => Promise<void>;
  /** The callee agrees to calls of a purpose, or refuses them. Idempotent. */
  answerConsent: (tx: Tx, call: Call, answer: NonNullable<Agreed["consent"]>) => Promise<void>;
}

/** Data needed to end a call. */
interface ReadEnd extends Pick<Ending<CallEnd>, "agent" | "agreed" | "appointment" | "subscribers"> {
  tellEnd: TellEnd;
}

/** A call that ends, with the data that each part of its end needs. */
interface Ending<End extends CallEnd> {
  call: Call;
  agent: Agent;
  end: End;
  /** Result stored during the call. */
  agreed: CallResult | undefined;
  /** The follow-up call, not yet created: a retry, or the requested callback. */
  next: Call | null;
  appointment: Appointment | null;
  subscribers: readonly Subscriber[];
  now: number;
}

export class CallEndings {
  readonly #deps: CallEndingsDeps;

  constructor(deps: CallEndingsDeps) {
    this.#deps = deps;
  }

  /** Stores an agreement during the call. Idempotent; a new callback time replaces the previous one. */
  async agree(tx: Tx, call: Call, agreed: Agreed): Promise<void> {
    if (isFinal(call.state)) return;
    const now = this.#deps.clock.now();
    const callback = call.direction === "inbound" ? null : callbackOf(agreed, now);
    await this.#keepWishes(tx, call, agreed);
    if (callback && call.scheduled_call_id !== null) await moveCall(tx, call.scheduled_call_id, callback.at, now);
    else if (callback) {
      const next = this.#followUp(call, await agentOf(tx, call), callback, now);
      await insertCall(tx, next);
      await updateCall(tx, call.id, { scheduled_call_id: next.id, updated_at: now });
    }
    if (agreed.optOut || callback) await keepResult(tx, agreedResult(call, agreed));
  }

  /**
   * An opt-out withdraws every consent, and counts more than a consent in the same call. An inbound caller can only opt
   * out, because the number may be forged, and a withheld number has no entry on the list.
   */
  async #keepWishes(tx: Tx, call: Call, { optOut, consent }: Agreed): Promise<void> {
    const isOutbound = call.direction === "outbound";
    if (optOut && (isOutbound || isE164(call.contact_number))) await this.#deps.optOut(tx, call);
    else if (consent && !optOut && isOutbound) await this.#deps.answerConsent(tx, call, consent);
  }

  #followUp(call: Call, agent: Agent, followUp: FollowUp, now: number): Call {
    return newCallRow(this.#deps.ids, followUpInput(call, agent, followUp), now);
  }

  /**
   * `call` must be read in this transaction. Reads all data at once and returns the function that ends the call, so an
   * end costs few round trips on PostgreSQL. The function returns false if the call was not live. A requeued call has
   * ended on the line, and no event is published.
   */
  async read(tx: Tx, call: Call, end: CallEnd): Promise<() => Promise<boolean>> {
    if (end.kind !== "failed" || !end.putBack) return this.#readEnd(tx, call, end);
    return async () => (await this.#isPutBack(tx, call, end)) || (await this.#readEnd(tx, call, end))();
  }

  async #readEnd(tx: Tx, call: Call, end: CallEnd): Promise<() => Promise<boolean>> {
    const { calendar, events, finalCalls } = this.#deps;
    // A stored result means an agreement during the call: then no further follow-up is created.
    const [agent, agreed, appointment, subscribers, tellEnd] = await Promise.all([
      agentOf(tx, call),
      resultOf(tx, call.id),
      calendar.appointmentOf(tx, call.id),
      events.subscribersOf(tx, call),
      finalCalls.look(tx, call),
    ]);
    return () => this.#end(tx, call, end, { agent, agreed, appointment, subscribers, tellEnd });
  }

  async #end(tx: Tx, call: Call, end: CallEnd, read: ReadEnd): Promise<boolean> {
    const { clock, calendar, audit } = this.#deps;
    const { agent, agreed, appointment, subscribers, tellEnd } = read;
    const now = clock.now();
    const followUp = agreed ? null : followUpOf(call, agent, end, now);
    const next = followUp && this.#followUp(call, agent, followUp, now);
    const known = { call, agent, agreed, next, appointment, subscribers, now };
    const told: CallEnd = end.kind === "completed" ? end : { ...end, ...detailsOf(resultOfBroken(call, end, agreed)) };
    const ended = await (told.kind === "completed"
      ? this.#complete(tx, { ...known, end: told })
      : this.#fail(tx, { ...known, end: told }));
    if (!ended) return false;
    await noteModelsUsed(tx, audit, call, end.sent ?? []);
    await keepLine(tx, call, end);
    await deleteLeg(tx, call.id);
    await releaseHeldFor(tx, call, now);
    await calendar.releaseHolds(tx, call.id);
    await tellEnd(ended, told);
    return true;
  }

  async #isPutBack(tx: Tx, call: Call, end: CallEnd): Promise<boolean> {
    const { clock, putBackVerdict, forgetDialled } = this.#deps;
    if (!(await putBack(tx, call, await putBackVerdict(tx, call), clock.now()))) return false;
    await forgetDialled(tx, call);
    // The trunk's report stays readable while the call waits; the next attempt replaces it.
    await keepLine(tx, call, end.line ? { ...end, line: { ...end.line, captured: false } } : end);
    return true;
  }

  async #complete(tx: Tx, ending: Ending<Conversation>): Promise<Call | null> {
    const { call, agent, end, next, now } = ending;
    const { config, credits, events, analyses } = this.#deps;
    const creditsConsumed = Math.ceil(end.durationSeconds / 60) * config.calls.credits_per_minute;
    // A conversation implies an answer, even if the carrier never reported one. Otherwise its line would stay in use
    // for ever.
    const answered = await applyEventToRead(tx, call, "answer", { answered_at: now, updated_at: now });
    const completed = await applyEventToRead(tx, answered ?? call, "complete", {
      completed_at: now,
      finished_at: now,
      duration_seconds: end.durationSeconds,
      credits_consumed: creditsConsumed,
      recording_file: end.recorded ? call.recording_file : null,
      scheduled_call_id: next?.id ?? call.scheduled_call_id,
      // By rules; a language model may change it later.
      outcome: end.analytics?.disposition ?? null,
      event_sequence: call.event_sequence + 1,
      updated_at: now,
    });
    if (!completed) return null;
    if (next) await insertCall(tx, next);
    await this.#keepWishes(tx, call, end);
    // The model's analysis and the event come later; until then the call has no analysis.
    const isAwaited = await analyses.postpone(tx, completed, agent, end);
    const found = byRules(end, agent.analysis_fields);
    await keepResult(tx, {
      call_id: call.id,
      transcript: JSON.stringify(end.transcript),
      analytics: isAwaited || found.analytics === null ? null : JSON.stringify(found.analytics),
      extracted_details: isAwaited || found.extractedDetails === null ? null : JSON.stringify(found.extractedDetails),
      analysis_source: isAwaited || found.source === null ? null : JSON.stringify(found.source),
      turn_times: end.turns?.length ? JSON.stringify(end.turns) : null,
      notices: end.notices ? JSON.stringify(end.notices) : null,
      recording: end.recording ? JSON.stringify(end.recording) : null,
      recording_expired_at: null,
    });
    await credits.charge(tx, call.organisation_id, call.id, creditsConsumed);
    if (isAwaited) return completed;
    const told = { ...end, ...found };
    await events.publish(tx, completed, agent, "completed", told, ending.appointment, ending.subscribers);
    return completed;
  }

  async #fail(
    tx: Tx,
    { call, agent, end, agreed, next, appointment, subscribers, now }: Ending<BrokenCall>,
  ): Promise<Call | null> {
    const failed = await applyEventToRead(tx, call, "fail", {
      completed_at: now,
      finished_at: now,
      duration_seconds: end.durationSeconds ?? 0,
      error_code: end.code,
      error_message: withoutNul(end.message),
      outcome: end.code,
      recording_file: end.recorded ? call.recording_file : null,
      scheduled_call_id: next?.id ?? call.scheduled_call_id,
      event_sequence: call.event_sequence + 1,
      updated_at: now,
    });
    if (!failed) return null;
    if (next) await insertCall(tx, next);
    if (call.direction === "outbound") await this.#keepWishes(tx, call, end);
    const result = resultOfBroken(call, end, agreed);
    if (result) await keepResult(tx, result);
    await this.#deps.events.publish(tx, failed, agent, "failed", end, appointment, subscribers);
    return failed;
  }
}

async function agentOf(tx: Tx, call: Call): Promise<Agent> {
  const agent = await agentById(tx, call.organisation_id, call.agent_id);
  if (!agent) throw new Error("A call has no agent.");
  return agent;
}

/** Result of a call that may still break off. */
const agreedResult = ({ id }: Call, agreed: Agreed): CallResult => ({
  call_id: id,
  transcript: null,
  analytics: null,
  extracted_details: hasAnswer(agreed) ? JSON.stringify({ answer: agreed.optOut ? "opted_out" : "call_later" }) : null,
  analysis_source: null,
  turn_times: null,
  notices: null,
  recording: null,
  recording_expired_at: null,
});

const hasAnswer = ({ optOut, callbackAt, callbackInMinutes }: Agreed): boolean =>
  optOut === true || callbackAt !== undefined || callbackInMinutes !== undefined;

/** Undefined if nothing is known of the talk. */
function resultOfBroken(call: Call, end: BrokenCall, agreed?: CallResult): CallResult | undefined {
  const { notices, recording } = end;
  if (!notices && !recording) return agreed;
  return {
    ...(agreed ?? agreedResult(call, end)),
    notices: notices ? JSON.stringify(notices) : null,
    recording: recording ? JSON.stringify(recording) : null,
  };
}

/** Agreements of a call that broke off. */
const detailsOf = (result: CallResult | undefined): Pick<BrokenCall, "extractedDetails"> =>
  result?.extracted_details
    ? { extractedDetails: JSON.parse(result.extracted_details) as Record<string, unknown> }
    : {};

async function keepLine(tx: Tx, call: Call, { line }: CallEnd): Promise<void> {
  if (!line) return;
  await saveLine(tx, {
    call_id: call.id,
    trunk_id: line.trunkId,
    trace: JSON.stringify(line.trace),
    media: line.media === null ? null : JSON.stringify(line.media),
    capture_file: line.captured && call.recording_file !== null ? captureNameOf(call.recording_file) : null,
  });
}
