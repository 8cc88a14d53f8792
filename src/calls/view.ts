// A call as the API shows it: the union of the contract's two field sets.
import { toIso, toIsoOrNull, type Clock } from "../core/clock.ts";
import type { CallResult } from "./call/records.ts";
import { emergencyOutcomeIn } from "../payloads/emergency.ts";
import type { AnalysisSource, CallAnalytics, Utterance } from "../payloads/conversation.ts";
import { identifiersIn } from "../payloads/identifiers.ts";
import type { NoticeHeard, RecordingReport } from "../payloads/lawful.ts";
import { noticesView, recordingView } from "../payloads/lawful-schema.ts";
import type { MediaLinks } from "../media/links.ts";
import type { ViewedCall } from "./call-loader.ts";
import type { CallView } from "./model.ts";
import { additionalInfoOf } from "./call/new-call.ts";
import { CAMPAIGN_PAUSED, CLOCK_NOT_TRUSTED, PERSON_HOLDS, type HoldReason } from "./queue/policy.ts";
import { isFinal } from "./call/state.ts";

const WAITING_FOR_LINE: HoldReason = "waiting_for_line";

export function callView(
  call: ViewedCall,
  agentName: string,
  result: CallResult | undefined,
  links: MediaLinks,
): CallView {
  const outbound = call.direction === "outbound";
  const details = isFinal(call.state) ? parsed<Record<string, unknown>>(result?.extracted_details) : null;
  const waits = call.state === "scheduled" || call.state === "queued";
  return {
    call_id: call.id,
    status: call.state,
    call_direction: call.direction,
    call_to: outbound ? call.contact_number : null,
    call_from: outbound ? null : call.contact_number,
    call_duration_seconds: call.duration_seconds,
    agent_id: call.agent_id,
    agent_name: agentName,
    // During a call the file is still being written. A call that broke off may have a partial recording.
    call_recording: isFinal(call.state) && call.recording_file !== null ? links.sign(call.id, "recording.wav") : null,
    call_analytics: parsed<CallAnalytics>(result?.analytics),
    call_transcript: parsed<Utterance[]>(result?.transcript),
    call_triggered_at: toIsoOrNull(call.triggered_at),
    scheduled_at: toIso(call.scheduled_at),
    completed_at: toIsoOrNull(call.completed_at),
    error: call.error_code === null ? null : { code: call.error_code, message: call.error_message ?? "" },
    contact_number: call.contact_number,
    contact_name: call.contact_name,
    contact_email: call.contact_email,
    contact_preferred_language: call.preferred_language,
    contact_time_zone: call.contact_time_zone,
    contact_region: call.contact_region,
    contact_identifiers: identifiersIn(call.user_identifiers),
    additional_info: additionalInfoOf(call),
    created_at: toIso(call.created_at),
    updated_at: toIso(call.updated_at),
    cancelled_at: toIsoOrNull(call.cancelled_at),
    // Agreements are stored during the call; the outcome is known at its end.
    extracted_details: details,
    emergency_outcome: emergencyOutcomeIn(details),
    analysis_source: isFinal(call.state) ? parsed<AnalysisSource>(result?.analysis_source) : null,
    notices: noticesView(parsed<NoticeHeard[]>(result?.notices)),
    recording: recordingView(parsed<RecordingReport>(result?.recording)),
    recording_expired_at: toIsoOrNull(result?.recording_expired_at ?? null),
    credits_consumed: call.credits_consumed,
    hold_reason: call.hold_reason as HoldReason | null,
    next_attempt_at: waits && !hasNoNextLook(call) ? toIso(call.next_at) : null,
    missing_placeholders: [...call.missing_placeholders],
    scheduled_call_id: call.scheduled_call_id,
    follows_call_id: call.follows_call_id,
    campaign_id: call.campaign_id,
    simulated: call.simulated,
  };
}

/**
 * While the clock is not trusted, each call due by it, or by elapsed time, is shown as waiting for the clock. Nothing
 * is stored: the calls are unchanged when the clock is trusted again.
 */
export function heldByClock(clock: Clock): (view: CallView) => CallView {
  const shownMs = clock.doubtedMs?.() ?? null;
  if (shownMs === null) return (view) => view;
  const dueMs = Math.max(shownMs, clock.now());
  return (view) => (isDueAt(view, dueMs) ? { ...view, hold_reason: CLOCK_NOT_TRUSTED, next_attempt_at: null } : view);
}

function isDueAt({ status, hold_reason, next_attempt_at }: CallView, ms: number): boolean {
  if (status !== "scheduled" && status !== "queued") return false;
  return next_attempt_at === null ? hold_reason === WAITING_FOR_LINE : Date.parse(next_attempt_at) <= ms;
}

const WITHOUT_NEXT_LOOK: readonly string[] = [WAITING_FOR_LINE, CAMPAIGN_PAUSED, ...PERSON_HOLDS];

/** A free line or a person decides, not a time. */
const hasNoNextLook = ({ hold_reason }: ViewedCall): boolean => WITHOUT_NEXT_LOOK.includes(hold_reason ?? "");

function parsed<T>(json: string | null | undefined): T | null {
  return json === null || json === undefined ? null : (JSON.parse(json) as T);
}
