// Every column of every table, classified by the person it describes. A new table or column must be listed here; a
// column about a patient needs an eraser (src/compose/services.ts), which test/db/personal-data.test.ts checks.
import type { Tables } from "../../src/db/tables.ts";

interface Columns {
  /** Data about a callee, caller or patient: removed by erasure and retention. */
  patient?: string;
  /** The same, and stays on purpose; see KEPT. */
  kept?: string;
  /** Data about a staff account, or a person whose recorded voice an agent uses. */
  staff?: string;
  /** Ids, times, states, settings, and what an organisation says of itself. */
  nobody: string;
}

/** Personal data that no erasure of a call touches, and why. */
export const KEPT: Readonly<Record<string, string>> = {
  do_not_disturb: "It is a wish and has no date: erasing it would have the person called again.",
  do_not_disturb_changes:
    "How a number came onto the list stays with its entry; everything else goes when the person is erased.",
  consents: "A consent is the person's word and no part of a call. It goes when the person is erased.",
  registry_results: "A registry's answer is about the number and no part of a call. It goes when the person is erased.",
  consent_changes: "The history of a consent goes with it, when the person is erased.",
};

export const COLUMNS: Readonly<Record<keyof Tables, Columns>> = {
  organisations: {
    nobody:
      "id name plan time_zone created_at updated_at unlimited_credits credit_balance share_calls share_expiry " +
      "idle_lock_minutes callback_number recording_mode asks_before_calls second_factor_roles",
  },
  hl7_messages: {
    patient: "sealed_message contact_number",
    nobody:
      "id organisation_id source_id control_id digest type version peer outcome code reason notes appointment_id answer " +
      "masked times_received created_at updated_at",
  },
  people: {
    staff: "email name password_hash",
    nobody: "id organisation_id role created_at disabled_at language branches practitioner_id",
  },
  alarms: {
    nobody: "id fault subject audience organisation_id step facts opened_at told_at told_step over_at over_told_at",
  },
  mails: { staff: "sealed", nobody: "id kind attempts next_at expires_at created_at" },
  password_links: { staff: "person_id", nobody: "token_hash organisation_id purpose created_at expires_at used_at" },
  directory_people: {
    staff: "person_id subject sealed_refresh_token",
    nobody: "directory issuer created_at confirmed_at tried_at unreachable_since refresh_sent_at",
  },
  setup_codes: { nobody: "code_hash created_at used_at" },
  api_keys: {
    nobody: "id organisation_id name secret_hash scopes created_at expires_at revoked_at last_used_at jwks",
  },
  smart_assertions: { nobody: "id_hash expires_at" },
  audit_entries: {
    staff: "actor_id",
    nobody: "id organisation_id at actor_kind action subject_id salt commitment detail request_id",
  },
  audit_unsealed: { nobody: "id entries" },
  audit_blocks: { nobody: "sequence first_number entry_count sealed_at newest_at entry_ids leaves hash" },
  audit_heads: { nobody: "sequence at line" },
  audit_exports: { nobody: "id file first_block last_block last_hash verified_at" },
  audit_stubs: { nobody: "sequence last_number hash at line" },
  audit_positions: { nobody: "name sequence at" },
  audit_batches: { staff: "notes", nobody: "id entries" },
  idempotency_keys: {
    patient: "response",
    nobody: "scope_hash organisation_id request_hash status subject_id expires_at",
  },
  heartbeats: { nobody: "name at" },
  write_probes: { nobody: "id at" },
  key_checks: { nobody: "name sealed" },
  lineage: { nobody: "line beat beat_at folder is_stopped behind_at behind_since" },
  credit_entries: { nobody: "id organisation_id at amount reason call_id" },
  agents: {
    nobody:
      "id organisation_id type name language voice prompt greeting retry_attempts retry_minutes retry_outcomes " +
      "calling_hours created_at updated_at branch_id appointment_type_id transfer_to analysis_fields archived_at " +
      "model_speech approved_answers latest_minutes open_announcements purpose dlt_entity_id dlt_template_id recording_mode " +
      "asks_consent_for",
  },
  agent_versions: { staff: "actor_id", nobody: "agent_id version at actor_kind restored_from changed fields" },
  phone_numbers: { nobody: "id organisation_id number agent_id concurrent_calls created_at trunk_id removed_at" },
  pronunciations: { nobody: "organisation_id word_key word said updated_at" },
  model_servers: {
    nobody:
      "id organisation_id name role base_url sealed_key model voice languages ca_pem first_ms total_ms is_default " +
      "created_at updated_at",
  },
  agent_model_servers: { nobody: "agent_id role server_id" },
  dialled_numbers: { nobody: "organisation_id number_hash at" },
  // The number as a keyed hash.
  erased_refusals: { nobody: "organisation_id number_hash purpose at" },
  do_not_disturb: { kept: "number", nobody: "organisation_id created_at source call_id" },
  do_not_disturb_changes: {
    kept: "number reference",
    staff: "actor_id",
    nobody: "id organisation_id change at source call_id actor_kind",
  },
  consents: {
    kept: "contact_number reference",
    staff: "actor_id",
    nobody:
      "id organisation_id purpose basis source call_id granted_at actor_kind until withdrawn_at created_at updated_at",
  },
  call_questions: {
    nobody:
      "organisation_id url fails sealed_secret sealed_previous_secret previous_secret_until created_at updated_at",
  },
  registry_results: {
    kept: "number",
    staff: "actor_id",
    nobody: "organisation_id verdict registry scrubbed_on imported_at actor_kind",
  },
  consent_changes: {
    kept: "reference",
    staff: "actor_id",
    nobody: "id consent_id change at basis source call_id granted_at until actor_kind",
  },
  rule_changes: {
    staff: "actor_id",
    nobody: "organisation_id revision rule_id value is_looser reason book is_current at actor_kind",
  },
  calls: {
    patient:
      "contact_number contact_name contact_email preferred_language contact_time_zone contact_region additional_info " +
      "user_identifiers error_message recording_file",
    nobody:
      "id organisation_id agent_id phone_number_id state direction source missing_placeholders scheduled_at next_at " +
      "hold_reason triggered_at ringing_at answered_at completed_at cancelled_at finished_at duration_seconds " +
      "credits_consumed error_code follows_call_id retry_count scheduled_call_id event_sequence created_at updated_at " +
      "appointment_id outcome campaign_id campaign_retries calling_hours simulated blocked_since released_at " +
      "branch_id about_appointment_id",
  },
  contact_identifiers: {
    patient: "value value_key number name",
    nobody: "subject_id organisation_id system updated_at",
  },
  contacts: { patient: "contact_number contact_name", nobody: "id organisation_id" },
  call_results: {
    patient: "transcript analytics extracted_details",
    nobody: "call_id turn_times analysis_source notices recording recording_expired_at",
  },
  dial_bases: { nobody: "call_id basis" },
  pending_analyses: { patient: "rules", nobody: "call_id deadline_at" },
  file_removals: { nobody: "kind name" },
  erased_calls: { staff: "actor_id", nobody: "call_id organisation_id erased_at actor_kind" },
  proof_keys: { nobody: "public_key sealed_seed created_at retired_at" },
  unsealed_proofs: { nobody: "call_id ended_at facts" },
  proofs: { nobody: "sequence organisation_id own_sequence call_id sealed_at hash line" },
  inbound_hooks: {
    nobody:
      "organisation_id token_hash sealed_signing_secret signature_required quota_date quota_used created_at updated_at",
  },
  webhook_endpoints: {
    nobody:
      "id organisation_id url description event_types signing sealed_secret sealed_previous_secret " +
      "previous_secret_until enabled disabled_reason consecutive_failures outage_since outage_reason outage_probes " +
      "next_probe_at is_settling kind source_id created_at updated_at fhir_criteria fhir_payload fhir_until",
  },
  events: {
    patient: "data contact_number",
    nobody: "id organisation_id type call_id appointment_id has_recording has_transcript created_at",
  },
  deliveries: {
    nobody: "id organisation_id event_id endpoint_id order_key state attempts next_at is_head created_at updated_at",
  },
  // What a receiver answered may repeat what it was sent.
  delivery_attempts: { patient: "detail response", nobody: "id delivery_id at duration_ms status outcome" },
  delivery_counts: { nobody: "endpoint_id state count" },
  // Whoever has the token hears the call.
  call_shares: { patient: "token", nobody: "call_id organisation_id created_at expires_at" },
  single_shares: { patient: "token", nobody: "call_id organisation_id created_at expires_at" },
  branches: { nobody: "organisation_id id name time_zone created_at updated_at archived_at" },
  appointment_types: { nobody: "organisation_id id name created_at updated_at" },
  windows: {
    nobody:
      "id organisation_id branch_id day session batch start_time end_time appointment_type_id max_slots ai_slots status " +
      "created_at updated_at",
  },
  window_dates: { nobody: "window_id date max_slots ai_slots status filled ai_filled updated_at" },
  appointments: {
    patient:
      "contact_name contact_number contact_email contact_identifiers notes wish_text contact_time_zone contact_region",
    nobody:
      "id organisation_id window_id branch_id date start_time end_time batch appointment_type_id status source call_id " +
      "created_at updated_at cancelled_at completed_at contact_confirmed_at change_requested_at contact_forgotten_at " +
      "moved_by_hand_at contact_moved_at contact_cancelled_at source_id external_id source_changed_at contact_changed_at " +
      "practitioner_id practitioner_name wish wished_at wish_call_id wish_state",
  },
  sources: {
    nobody: "id organisation_id name kind settings owns enabled created_at updated_at last_heard_at removed_at",
  },
  source_files: {
    nobody:
      "id organisation_id source_id name hash size state reason received_at finished_at last_row row_count created " +
      "updated unchanged faults cancelled absent known accepted campaign_id moved_to",
  },
  source_file_faults: { nobody: "file_id row_number message" },
  source_folders: { nobody: "source_id organisation_id problem since" },
  reminder_rules: {
    nobody:
      "id organisation_id branch_id appointment_type_id agent_id timing days_before at_minute hours_before from_minute " +
      "to_minute tries retry_minutes settle_hours skip_confirmed placeholders enabled revision plan_after created_at " +
      "updated_at deleted_at",
  },
  reminders: {
    nobody:
      "id organisation_id rule_id rule_revision agent_id by_hand appointment_id date start_time starts_at state outcome " +
      "due_at next_at attempts call_id created_at updated_at",
  },
  closures: {
    staff: "actor_id",
    nobody:
      "id organisation_id name from_date to_date window_id state otherwise agent_id campaign_id actor_kind created_at " +
      "updated_at",
  },
  closure_branches: { nobody: "closure_id branch_id" },
  closure_dates: { nobody: "closure_id window_id date status_before" },
  closure_people: { nobody: "closure_id appointment_id window_id date choice to_window_id to_date state" },
  calendar_feeds: { nobody: "id organisation_id branch_id token_hash people created_at" },
  slot_holds: { nobody: "id window_id date call_id expires_at held_by appointment_type_id" },
  sessions: {
    staff: "token_hash user_agent source",
    nobody:
      "person_id organisation_id created_at last_seen_at expires_at locked_at method factor is_new_device ends_at",
  },
  totp_secrets: { staff: "sealed_secret", nobody: "id person_id created_at confirmed_at" },
  recovery_codes: { staff: "code_hash", nobody: "person_id created_at used_at" },
  passkeys: {
    staff: "credential_id public_key name",
    nobody: "id person_id counter transports rp_id created_at last_used_at",
  },
  spent_proofs: { nobody: "proof_hash expires_at" },
  break_glass: {
    staff: "used_from acknowledged_by reason",
    nobody: "organisation_id person_id sealed_at used_at acknowledged_at",
  },
  known_devices: { staff: "token_hash", nobody: "person_id used_at" },
  trunks: {
    nobody:
      "id organisation_id name source enabled host port transport ca_pem username sealed_secret register from_domain " +
      "from_user identity_header number_format dial_prefix extensions caller_id concurrent_calls calls_per_second " +
      "options_seconds symmetric_rtp srtp codecs allowed_prefixes capture_until created_at updated_at",
  },
  trunk_states: {
    nobody: "trunk_id state is_registered round_trip_ms last_error resting_until active_calls address at",
  },
  agent_prompts: { staff: "samples", nobody: "agent_id kind file_name seconds digest created_at is_outdated" },
  // Both are full of the number that was called.
  call_legs: { patient: "leg", nobody: "call_id kept_at" },
  call_lines: { patient: "trace media capture_file", nobody: "call_id trunk_id" },
  // What is searched for is not saved.
  saved_filters: { staff: "name", nobody: "id organisation_id person_id filters created_at" },
  // Who it is about stands in the call alone; what became of their call stands here too.
  worklist_items: {
    patient: "detail",
    staff: "done_by",
    nobody: "id organisation_id kind subject_id created_at done_at",
  },
  contact_notes: { patient: "contact_number text", staff: "person_id", nobody: "id organisation_id created_at" },
  campaigns: {
    nobody:
      "id organisation_id agent_id name state row_count start_at calls_per_minute calling_hours retry next_call_at look_at " +
      "created_at updated_at finished_at forgotten_at list_hash closure_id",
  },
  campaign_rows: {
    patient:
      "contact_number contact_name contact_email preferred_language additional_info contact_time_zone contact_region " +
      "user_identifiers",
    nobody: "campaign_id row_number state outcome attempts due_at call_id",
  },
  waiting_list: {
    patient: "contact_name contact_number contact_email contact_identifiers notes contact_time_zone contact_region",
    nobody:
      "id organisation_id branch_id appointment_type_id agent_id from_date to_date sessions state source call_id " +
      "appointment_id created_at updated_at",
  },
  waiting_offers: {
    nobody: "id organisation_id entry_id window_id date call_id state offered_at ended_at",
  },
  waiting_openings: { nobody: "window_id date organisation_id opened_at next_at" },
  // A reason may name the person it is about.
  retention_holds: {
    patient: "subject_key reason release_reason",
    staff: "actor_id released_by_id",
    nobody: "id organisation_id subject created_at actor_kind until_at released_at released_by_kind",
  },
  demo_history: { nobody: "organisation_id begins_at made_until is_whole" },
  demo_received: { patient: "headers body", nobody: "id organisation_id event_id received_at verdict" },
  person_keys: { patient: "contact_number sealing_key", nobody: "id organisation_id" },
  person_key_stores: { nobody: "id revision" },
  // A number stands here as the id of a key that is gone.
  erasures_to_repeat: { nobody: "kind organisation_id subject_key" },
  changes: { nobody: "sequence organisation_id kind subject_id" },
};

export const wordsOf = (list: string | undefined): string[] => (list === undefined ? [] : list.split(" "));

/** The tables that tell of patients, each with the columns that do. */
export const PATIENT_COLUMNS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(COLUMNS)
    .filter(([, { patient }]) => patient !== undefined)
    .map(([table, { patient }]) => [table, wordsOf(patient)]),
);
