// Default fields of a new agent.
import { DEFAULT_HOURS } from "../payloads/default-hours.ts";
import type { AgentInput } from "./checked-agent.ts";

export const AGENT_DEFAULTS: AgentInput = {
  type: "outbound",
  name: "",
  language: "en-IN",
  voice: "default",
  prompt: "",
  greeting: "",
  retry_attempts: 0,
  retry_minutes: 30,
  retry_outcomes: [],
  calling_hours: DEFAULT_HOURS,
  branch_id: null,
  appointment_type_id: null,
  transfer_to: null,
  analysis_fields: [],
  latest_minutes: null,
  open_announcements: false,
  recording_mode: null,
  purpose: "service",
  asks_consent_for: null,
  dlt_entity_id: null,
  dlt_template_id: null,
  model_speech: "chosen",
  approved_answers: [],
};
