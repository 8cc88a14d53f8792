// A new call, and the follow-up of a call: same agent and contact, linked both ways.
import type { CallingHours } from "../../agents/calling-hours.ts";
import type { KnownAgent } from "../../agents/store.ts";
import type { CalleePlace } from "../../core/callee-zone.ts";
import { isUuid, type Ids } from "../../core/ids.ts";
import { identifiersIn, storedIdentifiers, type Identifier } from "../../payloads/identifiers.ts";
import { missingWords } from "./agent-words.ts";
import type { Call, CallSource } from "./records.ts";

export interface NewCall {
  organisationId: string;
  agent: KnownAgent;
  source: CallSource;
  contactNumber: string;
  contactName: string | null;
  contactEmail: string | null;
  preferredLanguage: string | null;
  /** Unknown unless given. */
  place?: CalleePlace;
  /** None unless given. */
  identifiers?: readonly Identifier[];
  additionalInfo: Record<string, unknown> | null;
  scheduledAt: number;
  followsCallId?: string;
  retryCount?: number;
  /** Set if a campaign creates the call. */
  campaign?: {
    id: string;
    /** Outcomes after which the campaign calls again. */
    retries: readonly string[];
    /** The campaign's calling hours, within the agent's. */
    callingHours: CallingHours | null;
  };
}

/** A new call in state scheduled. */
export function newCallRow(ids: Ids, input: NewCall, now: number): Call {
  const { agent } = input;
  return {
    id: ids.next("call"),
    organisation_id: input.organisationId,
    agent_id: agent.id,
    phone_number_id: null,
    state: "scheduled",
    direction: "outbound",
    source: input.source,
    contact_number: input.contactNumber,
    contact_name: input.contactName,
    contact_email: input.contactEmail,
    preferred_language: input.preferredLanguage,
    contact_time_zone: input.place?.timeZone ?? null,
    contact_region: input.place?.region ?? null,
    additional_info: input.additionalInfo === null ? null : JSON.stringify(input.additionalInfo),
    missing_placeholders: missingWords(agent, input),
    scheduled_at: input.scheduledAt,
    next_at: input.scheduledAt,
    hold_reason: null,
    triggered_at: null,
    ringing_at: null,
    answered_at: null,
    completed_at: null,
    cancelled_at: null,
    finished_at: null,
    duration_seconds: null,
    credits_consumed: null,
    error_code: null,
    error_message: null,
    recording_file: null,
    follows_call_id: input.followsCallId ?? null,
    retry_count: input.retryCount ?? 0,
    scheduled_call_id: null,
    event_sequence: 0,
    created_at: now,
    updated_at: now,
    appointment_id: null,
    outcome: null,
    campaign_id: input.campaign?.id ?? null,
    campaign_retries: input.campaign?.retries ?? null,
    calling_hours: input.campaign?.callingHours ?? null,
    simulated: false,
    blocked_since: null,
    released_at: null,
    user_identifiers: storedIdentifiers(input.identifiers ?? []),
    ...belongingOf(input.additionalInfo, agent),
  };
}

/** The branch of a call, empty for none, and the appointment that it is about. Both decide who may see it. */
export function belongingOf(
  additionalInfo: Readonly<Record<string, unknown>> | null,
  agent: Pick<KnownAgent, "branch_id">,
): Pick<Call, "branch_id" | "about_appointment_id"> {
  const about = additionalInfo?.["appointment_id"];
  return {
    branch_id: uuidIn(additionalInfo, "branch_id") ?? agent.branch_id ?? "",
    about_appointment_id: typeof about === "string" && about !== "" ? about : null,
  };
}

export function uuidIn(info: Readonly<Record<string, unknown>> | null, key: string): string | null {
  const value = info?.[key];
  return typeof value === "string" && isUuid(value) ? value.toLowerCase() : null;
}

/** Where the callee is, as given with the call or the row of a list. */
export const placeOf = (given: Pick<Call, "contact_time_zone" | "contact_region">): CalleePlace => ({
  timeZone: given.contact_time_zone,
  region: given.contact_region,
});

/** The follow-up of `call`, at another time and for another reason. */
export function followUpInput(
  call: Call,
  agent: KnownAgent,
  followUp: { source: CallSource; at: number; retryCount: number },
): NewCall {
  return {
    organisationId: call.organisation_id,
    agent,
    source: followUp.source,
    contactNumber: call.contact_number,
    contactName: call.contact_name,
    contactEmail: call.contact_email,
    preferredLanguage: call.preferred_language,
    place: placeOf(call),
    identifiers: identifiersIn(call.user_identifiers),
    additionalInfo: additionalInfoOf(call),
    scheduledAt: followUp.at,
    followsCallId: call.id,
    retryCount: followUp.retryCount,
  };
}

export function additionalInfoOf(call: Pick<Call, "additional_info">): Record<string, unknown> | null {
  return call.additional_info === null ? null : (JSON.parse(call.additional_info) as Record<string, unknown>);
}
