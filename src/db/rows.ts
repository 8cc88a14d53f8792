// The rows of every table. Written by ./scripts/schema from migrations/schema.sql, which says what the columns mean.
import type { Generated } from "kysely";

export interface Tables {
  agent_model_servers: {
    agent_id: string;
    role: "language" | "recognition" | "voice";
    server_id: string;
  };
  agent_prompts: {
    agent_id: string;
    kind: "greeting" | "menu" | "confirmed" | "change_requested" | "transfer" | "goodbye";
    file_name: string;
    seconds: number;
    digest: string;
    samples: Uint8Array;
    created_at: number;
    is_outdated: number;
  };
  agent_versions: {
    agent_id: string;
    version: number;
    at: number;
    actor_kind: string;
    actor_id: string | null;
    restored_from: number | null;
    changed: string;
    fields: string;
  };
  agents: {
    id: string;
    organisation_id: string;
    type: "outbound" | "inbound";
    name: string;
    language: string;
    voice: string;
    prompt: string;
    greeting: string;
    retry_attempts: number;
    retry_minutes: number;
    retry_outcomes: string;
    calling_hours: string | null;
    created_at: number;
    updated_at: number;
    branch_id: string | null;
    appointment_type_id: string | null;
    transfer_to: string | null;
    analysis_fields: string;
    archived_at: number | null;
    model_speech: "chosen" | "free";
    approved_answers: string;
    latest_minutes: number | null;
    open_announcements: number;
    purpose: "transactional" | "service" | "promotional";
    dlt_entity_id: string | null;
    dlt_template_id: string | null;
    recording_mode: "announce" | "ask" | "off" | null;
    asks_consent_for: "transactional" | "service" | "promotional" | null;
  };
  alarms: {
    id: string;
    fault:
      | "disk"
      | "database"
      | "database_slow"
      | "scheduler"
      | "line"
      | "trunk"
      | "endpoint"
      | "backup"
      | "clock"
      | "model_server"
      | "certificate";
    subject: string;
    audience: "all" | "organisation" | "operator";
    organisation_id: string | null;
    step: number;
    facts: string;
    opened_at: number;
    told_at: number | null;
    told_step: number;
    over_at: number | null;
    over_told_at: number | null;
  };
  api_keys: {
    id: string;
    organisation_id: string;
    name: string;
    secret_hash: string;
    scopes: string;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
    last_used_at: number | null;
    jwks: string | null;
  };
  appointment_types: {
    organisation_id: string;
    id: string;
    name: string | null;
    created_at: number;
    updated_at: number;
  };
  appointments: {
    id: string;
    organisation_id: string;
    window_id: string | null;
    branch_id: string;
    date: string;
    start_time: string;
    end_time: string;
    batch: string | null;
    appointment_type_id: string | null;
    status: "confirmed" | "completed" | "cancelled" | "no_show";
    contact_name: string | null;
    contact_number: string | null;
    contact_email: string | null;
    notes: string | null;
    source: "ai" | "api" | "dashboard" | "source";
    call_id: string | null;
    created_at: number;
    updated_at: number;
    cancelled_at: number | null;
    completed_at: number | null;
    contact_confirmed_at: number | null;
    change_requested_at: number | null;
    contact_forgotten_at: number | null;
    contact_moved_at: number | null;
    contact_cancelled_at: number | null;
    moved_by_hand_at: number | null;
    contact_identifiers: string | null;
    source_id: string | null;
    external_id: string | null;
    source_changed_at: number | null;
    contact_changed_at: number | null;
    practitioner_id: string | null;
    practitioner_name: string | null;
    wish: "cancel" | "move" | null;
    wished_at: number | null;
    wish_call_id: string | null;
    wish_text: string | null;
    wish_state: "open" | "agreed" | "declined" | null;
    contact_time_zone: string | null;
    contact_region: string | null;
  };
  audit_batches: {
    id: string;
    entries: number;
    notes: string;
  };
  audit_blocks: {
    sequence: Generated<number>;
    first_number: number;
    entry_count: number;
    sealed_at: number;
    newest_at: number;
    entry_ids: string;
    leaves: string;
    hash: string;
  };
  audit_entries: {
    id: string;
    organisation_id: string;
    at: number;
    actor_kind: string;
    actor_id: string | null;
    action: string;
    subject_id: string | null;
    detail: string;
    request_id: string | null;
    salt: string | null;
    commitment: string | null;
  };
  audit_exports: {
    id: string;
    file: string;
    first_block: number;
    last_block: number;
    last_hash: string;
    verified_at: number;
  };
  audit_heads: {
    sequence: Generated<number>;
    at: number;
    line: string;
  };
  audit_positions: {
    name: string;
    sequence: number;
    at: number;
  };
  audit_stubs: {
    sequence: Generated<number>;
    last_number: number;
    hash: string;
    at: number;
    line: string;
  };
  audit_unsealed: {
    id: string;
    entries: string;
  };
  branches: {
    organisation_id: string;
    id: string;
    name: string | null;
    time_zone: string | null;
    created_at: number;
    updated_at: number;
    archived_at: number | null;
  };
  break_glass: {
    organisation_id: string;
    person_id: string;
    sealed_at: number | null;
    used_at: number | null;
    used_from: string | null;
    acknowledged_at: number | null;
    acknowledged_by: string | null;
    reason: string | null;
  };
  calendar_feeds: {
    id: string;
    organisation_id: string;
    branch_id: string;
    token_hash: string;
    people: "none" | "initials" | "names";
    created_at: number;
  };
  call_legs: {
    call_id: string;
    leg: string;
    kept_at: number;
  };
  call_lines: {
    call_id: string;
    trunk_id: string | null;
    trace: string;
    media: string | null;
    capture_file: string | null;
  };
  call_questions: {
    organisation_id: string;
    url: string;
    fails: "open" | "closed";
    sealed_secret: string;
    sealed_previous_secret: string | null;
    previous_secret_until: number | null;
    created_at: number;
    updated_at: number;
  };
  call_results: {
    call_id: string;
    transcript: string | null;
    analytics: string | null;
    extracted_details: string | null;
    turn_times: string | null;
    analysis_source: string | null;
    notices: string | null;
    recording: string | null;
    recording_expired_at: number | null;
  };
  call_shares: {
    call_id: string;
    organisation_id: string;
    token: string;
    created_at: number;
    expires_at: number | null;
  };
  calls: {
    id: string;
    organisation_id: string;
    agent_id: string;
    phone_number_id: string | null;
    state:
      | "scheduled"
      | "queued"
      | "initiated"
      | "ringing"
      | "in_progress"
      | "completed"
      | "failed"
      | "cancelled"
      | "disallowed";
    direction: "outbound" | "inbound";
    source: "api" | "hook" | "dashboard" | "retry" | "callback" | "carrier" | "campaign" | "reminder" | "waiting_list";
    contact_number: string;
    contact_name: string | null;
    contact_email: string | null;
    preferred_language: string | null;
    additional_info: string | null;
    missing_placeholders: string;
    scheduled_at: number;
    next_at: number;
    hold_reason: string | null;
    triggered_at: number | null;
    ringing_at: number | null;
    answered_at: number | null;
    completed_at: number | null;
    cancelled_at: number | null;
    finished_at: number | null;
    duration_seconds: number | null;
    credits_consumed: number | null;
    error_code:
      | "insufficient_credits"
      | "do_not_disturb"
      | "invalid_number"
      | "no_consent"
      | "registry_refused"
      | "dropped_by_hospital"
      | "busy"
      | "no_answer"
      | "rejected"
      | "carrier_error"
      | "infrastructure_error"
      | "interrupted"
      | null;
    error_message: string | null;
    recording_file: string | null;
    follows_call_id: string | null;
    retry_count: number;
    scheduled_call_id: string | null;
    event_sequence: number;
    created_at: number;
    updated_at: number;
    appointment_id: string | null;
    campaign_id: string | null;
    campaign_retries: string | null;
    calling_hours: string | null;
    outcome: string | null;
    simulated: number;
    blocked_since: number | null;
    released_at: number | null;
    contact_time_zone: string | null;
    contact_region: string | null;
    user_identifiers: string | null;
    branch_id: string | null;
    about_appointment_id: string | null;
  };
  campaign_rows: {
    campaign_id: string;
    row_number: number;
    state: "waiting" | "calling" | "done" | "cancelled";
    outcome: string | null;
    attempts: number;
    due_at: number;
    call_id: string | null;
    contact_number: string | null;
    contact_name: string | null;
    contact_email: string | null;
    preferred_language: string | null;
    additional_info: string | null;
    contact_time_zone: string | null;
    contact_region: string | null;
    user_identifiers: string | null;
  };
  campaigns: {
    id: string;
    organisation_id: string;
    agent_id: string;
    name: string;
    state: "preparing" | "ready" | "running" | "paused" | "stopped" | "finished";
    row_count: number;
    start_at: number;
    calls_per_minute: number;
    calling_hours: string | null;
    retry: string;
    next_call_at: number;
    look_at: number | null;
    created_at: number;
    updated_at: number;
    finished_at: number | null;
    forgotten_at: number | null;
    list_hash: string | null;
    closure_id: string | null;
  };
  changes: {
    sequence: Generated<number>;
    organisation_id: string;
    kind: "call" | "appointment" | "campaign" | "window" | "worklist" | "waiting" | "account";
    subject_id: string;
  };
  closure_branches: {
    closure_id: string;
    branch_id: string;
  };
  closure_dates: {
    closure_id: string;
    window_id: string;
    date: string;
    status_before: "OPEN" | "CLOSED" | null;
  };
  closure_people: {
    closure_id: string;
    appointment_id: string;
    window_id: string;
    date: string;
    choice: "move" | "call" | "leave";
    to_window_id: string | null;
    to_date: string | null;
    state: "waiting" | "done" | "refused" | "gone";
  };
  closures: {
    id: string;
    organisation_id: string;
    name: string | null;
    from_date: string;
    to_date: string;
    window_id: string | null;
    state: "closing" | "moving" | "calling" | "closed" | "reopening" | "reopened";
    otherwise: "move" | "call" | "leave";
    agent_id: string | null;
    campaign_id: string | null;
    actor_kind: "key" | "person" | "hook" | "signed_link" | "share_link" | "cli" | "system";
    actor_id: string | null;
    created_at: number;
    updated_at: number;
  };
  consent_changes: {
    id: string;
    consent_id: string;
    change: "granted" | "withdrawn";
    at: number;
    basis: "written" | "electronic" | "verbal" | "treatment" | "consent_manager" | null;
    source: "api" | "dashboard" | "list" | "call" | "cli";
    call_id: string | null;
    reference: string | null;
    granted_at: number | null;
    until: number | null;
    actor_kind: "key" | "person" | "hook" | "signed_link" | "share_link" | "cli" | "system";
    actor_id: string | null;
  };
  consents: {
    id: string;
    organisation_id: string;
    contact_number: string;
    purpose: "transactional" | "service" | "promotional";
    basis: "written" | "electronic" | "verbal" | "treatment" | "consent_manager" | null;
    source: "api" | "dashboard" | "list" | "call" | "cli";
    call_id: string | null;
    reference: string | null;
    granted_at: number | null;
    actor_kind: "key" | "person" | "hook" | "signed_link" | "share_link" | "cli" | "system";
    actor_id: string | null;
    until: number | null;
    withdrawn_at: number | null;
    created_at: number;
    updated_at: number;
  };
  contact_identifiers: {
    subject_id: string;
    organisation_id: string;
    system: string;
    value: string;
    value_key: string;
    number: string;
    name: string;
    updated_at: number;
  };
  contact_notes: {
    id: string;
    organisation_id: string;
    contact_number: string;
    text: string;
    person_id: string;
    created_at: number;
  };
  contacts: {
    id: Generated<number>;
    organisation_id: string;
    contact_number: string;
    contact_name: string;
  };
  credit_entries: {
    id: string;
    organisation_id: string;
    at: number;
    amount: number;
    reason: string;
    call_id: string | null;
  };
  deliveries: {
    id: string;
    organisation_id: string;
    event_id: string;
    endpoint_id: string;
    order_key: string;
    state: "pending" | "delivered" | "exhausted" | "held";
    attempts: number;
    next_at: number;
    created_at: number;
    updated_at: number;
    is_head: number;
  };
  delivery_attempts: {
    id: Generated<number>;
    delivery_id: string;
    at: number;
    duration_ms: number;
    status: number | null;
    outcome: "delivered" | "refused" | "unreachable" | "timeout" | "blocked" | "our_fault";
    detail: string;
    response: string;
  };
  delivery_counts: {
    endpoint_id: string;
    state: "pending" | "delivered" | "exhausted" | "held";
    count: number;
  };
  demo_history: {
    organisation_id: string;
    begins_at: number;
    made_until: number;
    is_whole: number;
  };
  demo_received: {
    id: Generated<number>;
    organisation_id: string;
    event_id: string;
    received_at: number;
    headers: string;
    body: string;
    verdict: "verified" | "unsigned" | "wrong_signature" | "too_old";
  };
  dial_bases: {
    call_id: string;
    basis: string;
  };
  dialled_numbers: {
    organisation_id: string;
    number_hash: string;
    at: number;
  };
  directory_people: {
    person_id: string;
    directory: "oidc" | "ldap";
    issuer: string;
    subject: string;
    sealed_refresh_token: string | null;
    created_at: number;
    confirmed_at: number;
    tried_at: number;
    unreachable_since: number | null;
    refresh_sent_at: number | null;
  };
  do_not_disturb: {
    organisation_id: string;
    number: string;
    created_at: number;
    source: "api" | "dashboard" | "list" | "call" | "cli" | null;
    call_id: string | null;
  };
  do_not_disturb_changes: {
    id: string;
    organisation_id: string;
    number: string;
    change: "added" | "removed";
    at: number;
    source: "api" | "dashboard" | "list" | "call" | "cli";
    call_id: string | null;
    reference: string | null;
    actor_kind: "key" | "person" | "hook" | "signed_link" | "share_link" | "cli" | "system";
    actor_id: string | null;
  };
  erased_calls: {
    call_id: string;
    organisation_id: string;
    erased_at: number;
    actor_kind: string;
    actor_id: string | null;
  };
  erased_refusals: {
    organisation_id: string;
    number_hash: string;
    purpose: "transactional" | "service" | "promotional";
    at: number;
  };
  erasures_to_repeat: {
    kind: string;
    organisation_id: string;
    subject_key: string;
  };
  events: {
    id: string;
    organisation_id: string;
    type: string;
    call_id: string | null;
    appointment_id: string | null;
    has_recording: number;
    has_transcript: number;
    created_at: number;
    data: string;
    contact_number: string | null;
  };
  file_removals: {
    kind: "recording" | "capture";
    name: string;
  };
  heartbeats: {
    name: string;
    at: number;
  };
  hl7_messages: {
    id: string;
    organisation_id: string;
    source_id: string;
    control_id: string;
    digest: string;
    type: string;
    version: string;
    peer: string;
    outcome: "created" | "updated" | "unchanged" | "stale" | "merged" | "refused";
    code: "AA" | "AE" | "AR";
    reason: string | null;
    notes: string;
    appointment_id: string | null;
    answer: string;
    masked: string;
    sealed_message: string | null;
    contact_number: string | null;
    times_received: number;
    created_at: number;
    updated_at: number;
  };
  idempotency_keys: {
    scope_hash: string;
    organisation_id: string;
    request_hash: string;
    status: number;
    response: string;
    subject_id: string | null;
    expires_at: number;
  };
  inbound_hooks: {
    organisation_id: string;
    token_hash: string;
    sealed_signing_secret: string;
    signature_required: number;
    quota_date: string;
    quota_used: number;
    created_at: number;
    updated_at: number;
  };
  key_checks: {
    name: string;
    sealed: string;
  };
  known_devices: {
    token_hash: string;
    person_id: string;
    used_at: number;
  };
  lineage: {
    line: string;
    beat: number;
    beat_at: number;
    folder: string;
    is_stopped: number;
    behind_at: number | null;
    behind_since: number | null;
  };
  mails: {
    id: string;
    kind: "alarm" | "invitation" | "reset" | "test";
    sealed: string;
    attempts: number;
    next_at: number;
    expires_at: number;
    created_at: number;
  };
  model_servers: {
    id: string;
    organisation_id: string;
    name: string;
    role: "language" | "recognition" | "voice";
    base_url: string;
    sealed_key: string | null;
    model: string;
    voice: string;
    languages: string;
    ca_pem: string | null;
    first_ms: number;
    total_ms: number;
    is_default: number;
    created_at: number;
    updated_at: number;
  };
  organisations: {
    id: string;
    name: string;
    plan: "base" | "professional" | "enterprise";
    time_zone: string;
    created_at: number;
    updated_at: number;
    unlimited_credits: number;
    credit_balance: number;
    share_calls: number;
    share_expiry: "none" | "hour" | "day" | "week" | "month";
    idle_lock_minutes: number;
    callback_number: string | null;
    recording_mode: "announce" | "ask" | "off" | null;
    asks_before_calls: number;
    second_factor_roles: string;
  };
  passkeys: {
    id: string;
    person_id: string;
    credential_id: string;
    public_key: string;
    counter: number;
    transports: string;
    rp_id: string;
    name: string;
    created_at: number;
    last_used_at: number | null;
  };
  password_links: {
    token_hash: string;
    person_id: string;
    organisation_id: string;
    purpose: "invitation" | "reset";
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  pending_analyses: {
    call_id: string;
    deadline_at: number;
    rules: string;
  };
  people: {
    id: string;
    organisation_id: string;
    email: string;
    name: string;
    role: "owner" | "staff" | "viewer" | "doctor" | "auditor";
    password_hash: string;
    created_at: number;
    disabled_at: number | null;
    language: string | null;
    branches: string | null;
    practitioner_id: string | null;
  };
  person_key_stores: {
    id: string;
    revision: number;
  };
  person_keys: {
    id: string;
    organisation_id: string;
    contact_number: string;
    sealing_key: string;
  };
  phone_numbers: {
    id: string;
    organisation_id: string;
    number: string;
    agent_id: string | null;
    concurrent_calls: number;
    created_at: number;
    trunk_id: string | null;
    removed_at: number | null;
  };
  pronunciations: {
    organisation_id: string;
    word_key: string;
    word: string;
    said: string;
    updated_at: number;
  };
  proof_keys: {
    public_key: string;
    sealed_seed: string | null;
    created_at: number;
    retired_at: number | null;
  };
  proofs: {
    sequence: Generated<number>;
    organisation_id: string;
    own_sequence: number;
    call_id: string;
    sealed_at: number;
    hash: string;
    line: string;
  };
  recovery_codes: {
    code_hash: string;
    person_id: string;
    created_at: number;
    used_at: number | null;
  };
  registry_results: {
    organisation_id: string;
    number: string;
    registry: string;
    verdict: "allowed" | "refused";
    scrubbed_on: string;
    imported_at: number;
    actor_kind: "key" | "person" | "hook" | "signed_link" | "share_link" | "cli" | "system";
    actor_id: string | null;
  };
  reminder_rules: {
    id: string;
    organisation_id: string;
    branch_id: string | null;
    appointment_type_id: string | null;
    agent_id: string;
    timing: "day_before" | "hours_before";
    days_before: number;
    at_minute: number;
    hours_before: number;
    from_minute: number;
    to_minute: number;
    tries: number;
    retry_minutes: number;
    settle_hours: number;
    skip_confirmed: number;
    placeholders: string;
    enabled: number;
    revision: number;
    plan_after: string | null;
    created_at: number;
    updated_at: number;
    deleted_at: number | null;
  };
  reminders: {
    id: string;
    organisation_id: string;
    rule_id: string | null;
    rule_revision: number;
    agent_id: string;
    by_hand: number;
    appointment_id: string;
    date: string;
    start_time: string;
    starts_at: number;
    state: "pending" | "calling" | "done" | "cancelled";
    outcome: string | null;
    due_at: number;
    next_at: number | null;
    attempts: number;
    call_id: string | null;
    created_at: number;
    updated_at: number;
  };
  retention_holds: {
    id: string;
    organisation_id: string;
    subject: "call" | "person" | "organisation";
    subject_key: string;
    reason: string;
    created_at: number;
    actor_kind: "key" | "person" | "hook" | "signed_link" | "share_link" | "cli" | "system";
    actor_id: string | null;
    until_at: number | null;
    released_at: number | null;
    released_by_kind: "key" | "person" | "hook" | "signed_link" | "share_link" | "cli" | "system" | null;
    released_by_id: string | null;
    release_reason: string | null;
  };
  rule_changes: {
    organisation_id: string;
    revision: number;
    rule_id: string;
    value: string | null;
    is_looser: number;
    reason: string | null;
    book: string;
    is_current: number;
    at: number;
    actor_kind: "key" | "person" | "hook" | "signed_link" | "share_link" | "cli" | "system";
    actor_id: string | null;
  };
  saved_filters: {
    id: string;
    organisation_id: string;
    person_id: string;
    name: string;
    filters: string;
    created_at: number;
  };
  sessions: {
    token_hash: string;
    person_id: string;
    organisation_id: string;
    created_at: number;
    last_seen_at: number;
    expires_at: number;
    locked_at: number | null;
    method: "password" | "passkey" | "break_glass" | "setup" | "demo" | "oidc" | "ldap";
    factor: "code" | "recovery_code" | "passkey" | "new" | "directory" | null;
    user_agent: string | null;
    source: string | null;
    is_new_device: number;
    ends_at: number | null;
  };
  setup_codes: {
    code_hash: string;
    created_at: number;
    used_at: number | null;
  };
  single_shares: {
    call_id: string;
    organisation_id: string;
    token: string;
    created_at: number;
    expires_at: number;
  };
  slot_holds: {
    id: string;
    window_id: string;
    date: string;
    call_id: string;
    expires_at: number;
    held_by: string | null;
    appointment_type_id: string | null;
  };
  smart_assertions: {
    id_hash: string;
    expires_at: number;
  };
  source_file_faults: {
    file_id: string;
    row_number: number;
    message: string;
  };
  source_files: {
    id: string;
    organisation_id: string;
    source_id: string;
    name: string;
    hash: string;
    size: number;
    state: "waiting" | "asking" | "accepted" | "rejected" | "reading" | "done" | "faulty" | "repeated";
    reason: string | null;
    received_at: number;
    finished_at: number | null;
    last_row: number;
    row_count: number | null;
    created: number;
    updated: number;
    unchanged: number;
    faults: number;
    cancelled: number;
    absent: number | null;
    known: number | null;
    accepted: number | null;
    campaign_id: string | null;
    moved_to: string | null;
  };
  source_folders: {
    source_id: string;
    organisation_id: string;
    problem: "not_allowed" | "not_there" | "not_writable" | "disk_full" | "too_many" | "taken" | "failed";
    since: number;
  };
  sources: {
    id: string;
    organisation_id: string;
    name: string;
    kind: "api" | "folder" | "hl7" | "fhir";
    settings: string;
    owns: string;
    enabled: number;
    created_at: number;
    updated_at: number;
    last_heard_at: number | null;
    removed_at: number | null;
  };
  spent_proofs: {
    proof_hash: string;
    expires_at: number;
  };
  totp_secrets: {
    id: string;
    person_id: string;
    sealed_secret: string;
    created_at: number;
    confirmed_at: number | null;
  };
  trunk_states: {
    trunk_id: string;
    state: "up" | "down" | "unknown";
    is_registered: number | null;
    round_trip_ms: number | null;
    last_error: string | null;
    resting_until: number | null;
    active_calls: number;
    address: string | null;
    at: number;
  };
  trunks: {
    id: string;
    organisation_id: string;
    name: string;
    source: "settings" | "dashboard";
    enabled: number;
    host: string;
    port: number;
    transport: "udp" | "tcp" | "tls";
    ca_pem: string | null;
    username: string | null;
    sealed_secret: string | null;
    register: number;
    from_domain: string | null;
    caller_id: string | null;
    concurrent_calls: number;
    calls_per_second: number;
    options_seconds: number;
    allowed_prefixes: string;
    capture_until: number | null;
    created_at: number;
    updated_at: number;
    symmetric_rtp: number;
    from_user: string | null;
    identity_header: "auto" | "p_asserted_identity" | "remote_party_id" | "none";
    number_format: "e164" | "digits" | "national";
    dial_prefix: string;
    extensions: string;
    srtp: "off" | "preferred" | "required";
    codecs: string;
  };
  unsealed_proofs: {
    call_id: string;
    ended_at: number;
    facts: string;
  };
  waiting_list: {
    id: string;
    organisation_id: string;
    branch_id: string;
    appointment_type_id: string | null;
    agent_id: string | null;
    contact_name: string | null;
    contact_number: string;
    contact_email: string | null;
    from_date: string;
    to_date: string;
    sessions: string;
    notes: string | null;
    state: "waiting" | "offered" | "booked" | "left" | "removed" | "expired";
    source: "ai" | "api" | "dashboard";
    call_id: string | null;
    appointment_id: string | null;
    created_at: number;
    updated_at: number;
    contact_identifiers: string | null;
    contact_time_zone: string | null;
    contact_region: string | null;
  };
  waiting_offers: {
    id: string;
    organisation_id: string;
    entry_id: string;
    window_id: string;
    date: string;
    call_id: string;
    state: "calling" | "booked" | "declined" | "left" | "unanswered" | "undialled";
    offered_at: number;
    ended_at: number | null;
  };
  waiting_openings: {
    window_id: string;
    date: string;
    organisation_id: string;
    opened_at: number;
    next_at: number;
  };
  webhook_endpoints: {
    id: string;
    organisation_id: string;
    url: string;
    description: string;
    event_types: string;
    signing: number;
    sealed_secret: string;
    sealed_previous_secret: string | null;
    previous_secret_until: number | null;
    enabled: number;
    disabled_reason: string | null;
    consecutive_failures: number;
    created_at: number;
    updated_at: number;
    outage_since: number | null;
    outage_reason: string | null;
    outage_probes: number;
    next_probe_at: number | null;
    is_settling: number;
    kind: "webhook" | "hl7";
    source_id: string | null;
    fhir_criteria: string | null;
    fhir_payload: string | null;
    fhir_until: number | null;
  };
  window_dates: {
    window_id: string;
    date: string;
    max_slots: number | null;
    ai_slots: number | null;
    status: "OPEN" | "CLOSED" | null;
    filled: number;
    ai_filled: number;
    updated_at: number;
  };
  windows: {
    id: string;
    organisation_id: string;
    branch_id: string;
    day: "sunday" | "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday";
    session: "Morning" | "Afternoon" | "Evening";
    batch: string | null;
    start_time: string;
    end_time: string;
    appointment_type_id: string | null;
    max_slots: number;
    ai_slots: number;
    status: "OPEN" | "CLOSED";
    created_at: number;
    updated_at: number;
  };
  worklist_items: {
    id: string;
    organisation_id: string;
    kind: string;
    subject_id: string;
    detail: string | null;
    created_at: number;
    done_at: number | null;
    done_by: string | null;
  };
  write_probes: {
    id: string;
    at: number;
  };
}
