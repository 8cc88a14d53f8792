// Rows for the pure rules: a call and an agent that differ only where a test says so.
import type { AgentRow, CallRow } from "../../src/db/tables.ts";

export function agentRow(change: Partial<AgentRow> = {}): AgentRow {
  return {
    id: "agt_1",
    organisation_id: "org_1",
    type: "outbound",
    name: "Asha",
    language: "en-IN",
    voice: "default",
    prompt: "",
    greeting: "",
    retry_attempts: 0,
    retry_minutes: 30,
    retry_outcomes: "",
    calling_hours: null,
    branch_id: null,
    appointment_type_id: null,
    created_at: 0,
    updated_at: 0,
    ...change,
  };
}

export function callRow(change: Partial<CallRow> = {}): CallRow {
  return {
    id: "call_1",
    organisation_id: "org_1",
    agent_id: "agt_1",
    phone_number_id: null,
    state: "scheduled",
    direction: "outbound",
    source: "api",
    contact_number: "+919810012345",
    contact_name: null,
    contact_email: null,
    preferred_language: null,
    additional_info: null,
    missing_placeholders: "[]",
    scheduled_at: 0,
    next_at: 0,
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
    follows_call_id: null,
    retry_count: 0,
    scheduled_call_id: null,
    event_sequence: 0,
    created_at: 0,
    updated_at: 0,
    ...change,
  };
}
