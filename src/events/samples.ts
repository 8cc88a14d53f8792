// Sample payloads, one per event type, for test events and the documentation.
import type { EventType } from "./catalogue.ts";
import type { AlarmEvent } from "../payloads/alarm-event.ts";
import type { Appointment } from "../payloads/appointment.ts";
import type { BreakGlassUse } from "../payloads/break-glass.ts";
import type { ConsentEvent } from "../payloads/consent-event.ts";
import type { ProofHeadEvent } from "../payloads/proof-head.ts";
import type { CallEventData } from "./model.ts";
import type { Slot } from "../payloads/slot.ts";

const BRANCH_ID = "0190a1b2-0000-7000-8000-000000000001";
const SERVICE_ID = "0190a1b2-0000-7000-8000-000000000002";
const CALENDAR_ID = "0190a1b2-0000-7000-8000-000000000003";

const call: CallEventData = {
  call_id: "call_00000000000000000000000000",
  sequence: 1,
  status: "initiated",
  call_direction: "outbound",
  call_to: "+15555550100",
  call_from: null,
  call_duration_seconds: 0,
  credits_consumed: null,
  agent_id: "agt_00000000000000000000000000",
  agent_name: "Sample agent",
  error: null,
  scheduled_call_id: null,
  simulated: false,
  call_triggered_at: "2026-01-01T09:00:00.000Z",
  scheduled_at: "2026-01-01T09:00:00.000Z",
  completed_at: null,
  contact_name: "Sample Contact",
  contact_email: null,
  contact_preferred_language: "en-IN",
  contact_identifiers: [{ system: "mrn", value: "SAMPLE-1" }],
  custom_data: { visit: "sample" },
  call_recording: null,
  call_transcript: null,
  call_details_url: null,
  share_token: null,
  call_analytics: null,
  extracted_details: null,
  emergency_outcome: null,
  analysis_source: null,
  notices: null,
  recording: null,
  appointment_details: null,
};

const ended = { sequence: 2, completed_at: "2026-01-01T09:01:05.000Z" };

const appointment: Appointment = {
  appointment_id: "apt_00000000000000000000000000",
  status: "confirmed",
  branch_id: BRANCH_ID,
  slot_id: `${CALENDAR_ID}||2026-01-05`,
  date: "2026-01-05",
  start_time: "09:00",
  end_time: "12:00",
  starts_at: "2026-01-05T14:00:00.000Z",
  ends_at: "2026-01-05T17:00:00.000Z",
  time_zone: "America/New_York",
  batch: "A",
  appointment_type_id: SERVICE_ID,
  appointment_type_name: "Sample service",
  contact_name: "Sample Contact",
  contact_number: "+15555550100",
  contact_email: null,
  contact_identifiers: [{ system: "mrn", value: "SAMPLE-1" }],
  notes: null,
  source: "api",
  source_id: null,
  external_id: null,
  practitioner: null,
  wish: null,
  call_id: null,
  created_at: "2026-01-01T09:00:00.000Z",
  updated_at: "2026-01-01T09:00:00.000Z",
  cancelled_at: null,
  completed_at: null,
  contact_confirmed_at: null,
  change_requested_at: null,
  contact_moved_at: null,
  contact_cancelled_at: null,
  contact_time_zone: null,
  contact_region: null,
};

const slot: Slot = {
  slot_id: CALENDAR_ID,
  calendar_id: CALENDAR_ID,
  parent_calendar_id: null,
  branch_id: BRANCH_ID,
  day: "monday",
  session: "Morning",
  batch: "A",
  start_time: "09:00",
  end_time: "12:00",
  appointment_type: SERVICE_ID,
  max_slots: 10,
  ai_slots: 4,
  filled_slots: null,
  available_slots: null,
  status: "OPEN",
  created_at: "2026-01-01T09:00:00.000Z",
  updated_at: "2026-01-01T09:00:00.000Z",
};

const consent: ConsentEvent = {
  consent_id: "cns_00000000000000000000000000",
  contact_number: "+15555550100",
  purpose: "promotional",
  basis: "written",
  source: "api",
  reference: "Sample form 7",
  call_id: null,
  at: "2026-01-01T09:00:00.000Z",
  until: null,
  everything: false,
};

const alarm: AlarmEvent = {
  alarm_id: "alm_00000000000000000000000000",
  fault: "trunk",
  severity: "critical",
  subject: "trk_00000000000000000000000000",
  message: "The trunk main does not answer or refuses the registration.",
  action: "Open Settings, Trunks: the trunk's page says what it answered.",
  opened_at: "2026-01-01T09:00:00.000Z",
  over_at: null,
  flaps: 0,
};

export const SAMPLE_DATA: Readonly<Record<EventType, object>> = {
  "call.initiated": call,
  "call.completed": {
    ...call,
    ...ended,
    status: "completed",
    call_duration_seconds: 42,
    credits_consumed: 1,
    call_analytics: {
      summary: "The contact confirmed the visit. No questions were left open.",
      sentiment: "positive",
      next_steps: "None.",
      disposition: "session_ended",
    },
    extracted_details: { confirmed: true },
    analysis_source: {
      summary: "model",
      sentiment: "model",
      next_steps: "rules",
      disposition: "rules",
      details: { confirmed: { source: "rules", utterance: null } },
    },
    notices: [
      { kind: "caller", heard_at: 2.1 },
      { kind: "automatic", heard_at: 3.4 },
      { kind: "recording", heard_at: 5.2 },
    ],
    recording: { mode: "announce", consent: null, from: 5.2, until: null },
  } satisfies CallEventData,
  "call.failed": { ...call, ...ended, status: "failed", error: "busy: The line is busy." } satisfies CallEventData,
  "call.disallowed": {
    ...call,
    sequence: 1,
    status: "disallowed",
    call_triggered_at: null,
    completed_at: "2026-01-01T09:00:00.000Z",
    error: "do_not_disturb: The number is on the do-not-disturb list.",
  } satisfies CallEventData,
  "appointment.created": appointment,
  "appointment.updated": { ...appointment, notes: "Sample note" } satisfies Appointment,
  "appointment.cancelled": {
    ...appointment,
    status: "cancelled",
    cancelled_at: "2026-01-02T09:00:00.000Z",
  } satisfies Appointment,
  "appointment.completed": {
    ...appointment,
    status: "completed",
    completed_at: "2026-01-05T10:00:00.000Z",
  } satisfies Appointment,
  "slot.updated": slot,
  "consent.granted": consent,
  "consent.withdrawn": { ...consent, basis: null, reference: null, everything: true } satisfies ConsentEvent,
  "appliance.alarm": alarm,
  "appliance.alarm_over": { ...alarm, over_at: "2026-01-01T09:20:00.000Z" } satisfies AlarmEvent,
  "proof.head": {
    sequence: 1,
    last: "0".repeat(64),
    at: "2026-01-01T00:04:00.000Z",
    line: '{"hash":"…","head":{…},"signature":"…"}',
  } satisfies ProofHeadEvent,
  "account.break_glass_used": {
    used_at: "2026-01-01T09:00:00.000Z",
    session_ends_at: "2026-01-01T13:00:00.000Z",
  } satisfies BreakGlassUse,
};
