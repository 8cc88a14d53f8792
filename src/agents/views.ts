// Public views of agents and phone numbers.
import { toIso, toIsoOrNull } from "../core/clock.ts";
import type { AgentInput } from "./checked-agent.ts";
import type { Agent, PhoneNumber } from "./records.ts";

export type AgentView = AgentInput & {
  agent_id: string;
  /** Null while it is in use. */
  archived_at: string | null;
  created_at: string;
  updated_at: string;
};

export function agentView(row: Agent): AgentView {
  return {
    agent_id: row.id,
    ...agentFields(row),
    archived_at: toIsoOrNull(row.archived_at),
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}

/** Editable fields. */
export function agentFields(row: Agent): AgentInput {
  return {
    type: row.type,
    name: row.name,
    language: row.language,
    voice: row.voice,
    prompt: row.prompt,
    greeting: row.greeting,
    retry_attempts: row.retry_attempts,
    retry_minutes: row.retry_minutes,
    retry_outcomes: row.retry_outcomes,
    calling_hours: row.calling_hours,
    branch_id: row.branch_id,
    appointment_type_id: row.appointment_type_id,
    transfer_to: row.transfer_to,
    analysis_fields: row.analysis_fields,
    model_speech: row.model_speech,
    approved_answers: row.approved_answers,
    open_announcements: row.open_announcements,
    recording_mode: row.recording_mode,
    purpose: row.purpose,
    asks_consent_for: row.asks_consent_for,
    dlt_entity_id: row.dlt_entity_id,
    dlt_template_id: row.dlt_template_id,
    latest_minutes: row.latest_minutes,
  };
}

export type NumberView = ReturnType<typeof numberView>;

export function numberView(row: PhoneNumber) {
  return {
    phone_number_id: row.id,
    number: row.number,
    agent_id: row.agent_id,
    concurrent_calls: row.concurrent_calls,
    trunk_id: row.trunk_id,
    created_at: toIso(row.created_at),
  };
}

/** Summary of an archived agent. */
export const archivedView = ({ id, name, branch_id, archived_at }: Agent) => ({
  agent_id: id,
  name,
  branch_id,
  archived_at: new Date(archived_at ?? 0).toISOString(),
});
