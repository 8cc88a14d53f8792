-- What all the migrations together make. Written by ./scripts/schema: change it by adding a migration.

CREATE TABLE organisations (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, unlimited_credits INTEGER NOT NULL DEFAULT 0, credit_balance REAL NOT NULL DEFAULT 0, share_calls INTEGER NOT NULL DEFAULT 0, share_expiry TEXT NOT NULL DEFAULT 'none', idle_lock_minutes INTEGER NOT NULL DEFAULT 15, callback_number TEXT, recording_mode TEXT, asks_before_calls INTEGER NOT NULL DEFAULT 0, second_factor_roles TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE people (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  disabled_at INTEGER
, language TEXT, branches TEXT, practitioner_id TEXT) STRICT;

CREATE TABLE setup_codes (
  code_hash TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  name TEXT NOT NULL,
  secret_hash TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
, jwks TEXT) STRICT;

CREATE TABLE audit_entries (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  action TEXT NOT NULL,
  subject_id TEXT,
  detail TEXT NOT NULL,
  request_id TEXT
, salt TEXT, commitment TEXT) STRICT;

CREATE TABLE idempotency_keys (
  scope_hash TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  request_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  response TEXT NOT NULL,
  subject_id TEXT,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE heartbeats (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE credit_entries (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  at INTEGER NOT NULL,
  amount REAL NOT NULL,
  reason TEXT NOT NULL,
  call_id TEXT
) STRICT;

CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  language TEXT NOT NULL,
  voice TEXT NOT NULL,
  prompt TEXT NOT NULL,
  greeting TEXT NOT NULL,
  retry_attempts INTEGER NOT NULL,
  retry_minutes INTEGER NOT NULL,
  retry_outcomes TEXT NOT NULL,
  calling_hours TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, branch_id TEXT, appointment_type_id TEXT, transfer_to TEXT, analysis_fields TEXT NOT NULL DEFAULT '[]', archived_at INTEGER, model_speech TEXT NOT NULL DEFAULT 'chosen', approved_answers TEXT NOT NULL DEFAULT '[]', latest_minutes INTEGER, open_announcements INTEGER NOT NULL DEFAULT 0, purpose TEXT NOT NULL DEFAULT 'service', dlt_entity_id TEXT, dlt_template_id TEXT, recording_mode TEXT, asks_consent_for TEXT) STRICT;

CREATE TABLE phone_numbers (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  number TEXT NOT NULL UNIQUE,
  agent_id TEXT REFERENCES agents (id),
  concurrent_calls INTEGER NOT NULL,
  created_at INTEGER NOT NULL
, trunk_id TEXT REFERENCES trunks (id), removed_at INTEGER) STRICT;

CREATE TABLE do_not_disturb (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  number TEXT NOT NULL,
  created_at INTEGER NOT NULL, source TEXT, call_id TEXT,
  PRIMARY KEY (organisation_id, number)
) STRICT;

CREATE TABLE calls (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  agent_id TEXT NOT NULL REFERENCES agents (id),
  phone_number_id TEXT REFERENCES phone_numbers (id),
  state TEXT NOT NULL,
  direction TEXT NOT NULL,
  -- api, hook, dashboard, retry, callback or carrier
  source TEXT NOT NULL,
  contact_number TEXT NOT NULL,
  contact_name TEXT,
  contact_email TEXT,
  preferred_language TEXT,
  additional_info TEXT,
  missing_placeholders TEXT NOT NULL,
  scheduled_at INTEGER NOT NULL,
  -- When the scheduler looks at the call again; only read while scheduled or queued.
  next_at INTEGER NOT NULL,
  hold_reason TEXT,
  triggered_at INTEGER,
  ringing_at INTEGER,
  answered_at INTEGER,
  completed_at INTEGER,
  cancelled_at INTEGER,
  finished_at INTEGER,
  duration_seconds REAL,
  credits_consumed REAL,
  error_code TEXT,
  error_message TEXT,
  recording_file TEXT,
  -- The call that this one follows, how many came before it, and the one that follows it.
  follows_call_id TEXT,
  retry_count INTEGER NOT NULL,
  scheduled_call_id TEXT,
  event_sequence INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, appointment_id TEXT, campaign_id TEXT, campaign_retries TEXT, calling_hours TEXT, outcome TEXT, simulated INTEGER NOT NULL DEFAULT 0, blocked_since INTEGER, released_at INTEGER, contact_time_zone TEXT, contact_region TEXT, user_identifiers TEXT, branch_id TEXT, about_appointment_id TEXT) STRICT;

CREATE TABLE call_results (
  call_id TEXT PRIMARY KEY REFERENCES calls (id),
  transcript TEXT,
  analytics TEXT,
  extracted_details TEXT
, turn_times TEXT, analysis_source TEXT, notices TEXT, recording TEXT, recording_expired_at INTEGER) STRICT;

CREATE TABLE erased_calls (
  call_id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  erased_at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT
) STRICT;

CREATE TABLE inbound_hooks (
  organisation_id TEXT PRIMARY KEY REFERENCES organisations (id),
  token_hash TEXT NOT NULL UNIQUE,
  sealed_signing_secret TEXT NOT NULL,
  signature_required INTEGER NOT NULL,
  quota_date TEXT NOT NULL,
  quota_used INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  event_types TEXT NOT NULL,
  signing INTEGER NOT NULL,
  sealed_secret TEXT NOT NULL,
  sealed_previous_secret TEXT,
  previous_secret_until INTEGER,
  enabled INTEGER NOT NULL,
  disabled_reason TEXT,
  consecutive_failures INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, outage_since INTEGER, outage_reason TEXT, outage_probes INTEGER NOT NULL DEFAULT 0, next_probe_at INTEGER, is_settling INTEGER NOT NULL DEFAULT 0, kind TEXT NOT NULL DEFAULT 'webhook', source_id TEXT REFERENCES sources (id), fhir_criteria TEXT, fhir_payload TEXT, fhir_until INTEGER) STRICT;

CREATE TABLE events (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  type TEXT NOT NULL,
  -- The call, where the event is about one: erased with it.
  call_id TEXT,
  appointment_id TEXT,
  has_recording INTEGER NOT NULL,
  has_transcript INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  data TEXT NOT NULL
, contact_number TEXT) STRICT;

CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  event_id TEXT NOT NULL REFERENCES events (id),
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id),
  -- Deliveries of one endpoint with the same key go out one after the other.
  order_key TEXT NOT NULL,
  -- pending, delivered, exhausted or held
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, is_head INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE delivery_attempts (
  id INTEGER PRIMARY KEY,
  delivery_id TEXT NOT NULL REFERENCES deliveries (id),
  at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  status INTEGER,
  -- delivered, refused (by its answer), unreachable, timeout, blocked (by our own rules) or our_fault
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL,
  response TEXT NOT NULL
) STRICT;

CREATE TABLE call_shares (
  call_id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  token TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT;

CREATE TABLE branches (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  id TEXT NOT NULL,
  name TEXT,
  time_zone TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, archived_at INTEGER,
  PRIMARY KEY (organisation_id, id)
) STRICT;

CREATE TABLE appointment_types (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  id TEXT NOT NULL,
  name TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, id)
) STRICT;

CREATE TABLE windows (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  branch_id TEXT NOT NULL,
  day TEXT NOT NULL,
  session TEXT NOT NULL,
  batch TEXT,
  start_time TEXT NOT NULL,
  end_time TEXT NOT NULL,
  appointment_type_id TEXT,
  max_slots INTEGER NOT NULL,
  ai_slots INTEGER NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branches (organisation_id, id)
) STRICT;

CREATE TABLE window_dates (
  window_id TEXT NOT NULL REFERENCES windows (id),
  date TEXT NOT NULL,
  max_slots INTEGER,
  ai_slots INTEGER,
  status TEXT,
  filled INTEGER NOT NULL,
  ai_filled INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (window_id, date)
) STRICT;

CREATE TABLE appointments (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  window_id TEXT REFERENCES windows (id),
  branch_id TEXT NOT NULL,
  date TEXT NOT NULL,
  start_time TEXT NOT NULL,
  end_time TEXT NOT NULL,
  batch TEXT,
  appointment_type_id TEXT,
  status TEXT NOT NULL,
  contact_name TEXT,
  contact_number TEXT,
  contact_email TEXT,
  notes TEXT,
  source TEXT NOT NULL,
  call_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  cancelled_at INTEGER,
  completed_at INTEGER
, contact_confirmed_at INTEGER, change_requested_at INTEGER, contact_forgotten_at INTEGER, contact_moved_at INTEGER, contact_cancelled_at INTEGER, moved_by_hand_at INTEGER, contact_identifiers TEXT, source_id TEXT REFERENCES sources (id), external_id TEXT, source_changed_at INTEGER, contact_changed_at INTEGER, practitioner_id TEXT, practitioner_name TEXT, wish TEXT, wished_at INTEGER, wish_call_id TEXT, wish_text TEXT, wish_state TEXT, contact_time_zone TEXT, contact_region TEXT) STRICT;

CREATE TABLE slot_holds (
  id TEXT PRIMARY KEY,
  window_id TEXT NOT NULL REFERENCES windows (id),
  date TEXT NOT NULL,
  call_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL
, held_by TEXT, appointment_type_id TEXT) STRICT;

CREATE TABLE sessions (
  token_hash TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id),
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
, locked_at INTEGER, method TEXT NOT NULL DEFAULT 'password', factor TEXT, user_agent TEXT, source TEXT, is_new_device INTEGER NOT NULL DEFAULT 0, ends_at INTEGER) STRICT;

CREATE TABLE trunks (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  name TEXT NOT NULL,
  -- `settings` follows the configuration file at each start; `dashboard` belongs to people.
  source TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  host TEXT NOT NULL,
  -- 0 asks DNS for SRV records.
  port INTEGER NOT NULL,
  transport TEXT NOT NULL,
  ca_pem TEXT,
  username TEXT,
  sealed_secret TEXT,
  register INTEGER NOT NULL,
  from_domain TEXT,
  caller_id TEXT,
  concurrent_calls INTEGER NOT NULL,
  calls_per_second REAL NOT NULL,
  options_seconds INTEGER NOT NULL,
  -- Space-separated; empty allows every number.
  allowed_prefixes TEXT NOT NULL,
  -- Calls that begin before this time are captured packet by packet.
  capture_until INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, symmetric_rtp INTEGER NOT NULL DEFAULT 0, from_user TEXT, identity_header TEXT NOT NULL DEFAULT 'auto', number_format TEXT NOT NULL DEFAULT 'e164', dial_prefix TEXT NOT NULL DEFAULT '', extensions TEXT NOT NULL DEFAULT '', srtp TEXT NOT NULL DEFAULT 'preferred' CHECK (srtp IN ('off', 'preferred', 'required')), codecs TEXT NOT NULL DEFAULT '',
  UNIQUE (organisation_id, name)
) STRICT;

CREATE TABLE trunk_states (
  trunk_id TEXT PRIMARY KEY REFERENCES trunks (id),
  state TEXT NOT NULL,
  is_registered INTEGER,
  round_trip_ms REAL,
  last_error TEXT,
  resting_until INTEGER,
  active_calls INTEGER NOT NULL,
  address TEXT,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE agent_prompts (
  agent_id TEXT NOT NULL REFERENCES agents (id),
  -- greeting, menu, confirmed, change_requested, transfer or goodbye
  kind TEXT NOT NULL,
  -- What the file said; for people.
  file_name TEXT NOT NULL,
  seconds REAL NOT NULL,
  -- SHA-256 of the audio.
  digest TEXT NOT NULL,
  -- 16-bit samples at 8 kHz, little-endian.
  samples BLOB NOT NULL,
  created_at INTEGER NOT NULL, is_outdated INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (agent_id, kind)
) STRICT;

CREATE TABLE call_lines (
  call_id TEXT PRIMARY KEY REFERENCES calls (id),
  trunk_id TEXT,
  -- JSON: the messages in their order, without secrets.
  trace TEXT NOT NULL,
  -- JSON: loss, jitter and the like; null where no audio was exchanged.
  media TEXT,
  capture_file TEXT
) STRICT;

CREATE TABLE changes (
  sequence INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL,
  -- call or appointment
  kind TEXT NOT NULL,
  subject_id TEXT NOT NULL
) STRICT;

CREATE TABLE known_devices (
  token_hash TEXT NOT NULL,
  person_id TEXT NOT NULL REFERENCES people (id),
  used_at INTEGER NOT NULL,
  PRIMARY KEY (token_hash, person_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE delivery_counts (
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (endpoint_id, state)
) STRICT, WITHOUT ROWID;

CREATE TABLE call_legs (
  call_id TEXT PRIMARY KEY REFERENCES calls (id),
  -- The carrier's own words; JSON.
  leg TEXT NOT NULL,
  kept_at INTEGER NOT NULL
) STRICT;

CREATE TABLE pronunciations (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  -- The word in small letters: it is found whatever its capitals.
  word_key TEXT NOT NULL,
  word TEXT NOT NULL,
  said TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, word_key)
) STRICT;

CREATE TABLE model_servers (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('language', 'recognition', 'voice')),
  base_url TEXT NOT NULL,
  sealed_key TEXT,
  model TEXT NOT NULL,
  voice TEXT NOT NULL,
  -- Space-separated; empty: every language.
  languages TEXT NOT NULL,
  ca_pem TEXT,
  first_ms INTEGER NOT NULL,
  total_ms INTEGER NOT NULL,
  is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (organisation_id, name)
) STRICT;

CREATE TABLE agent_model_servers (
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('language', 'recognition', 'voice')),
  -- A model server's id, "settings:NAME" of one in the configuration, or "builtin".
  server_id TEXT NOT NULL,
  PRIMARY KEY (agent_id, role)
) STRICT;

CREATE TABLE agent_versions (
  agent_id TEXT NOT NULL REFERENCES agents (id),
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  -- The version that was brought back.
  restored_from INTEGER,
  changed TEXT NOT NULL,
  fields TEXT NOT NULL,
  PRIMARY KEY (agent_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE pending_analyses (
  call_id TEXT PRIMARY KEY REFERENCES calls (id),
  deadline_at INTEGER NOT NULL,
  -- JSON: analytics and details by the rules.
  rules TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE campaigns (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  agent_id TEXT NOT NULL REFERENCES agents (id),
  name TEXT NOT NULL,
  -- preparing, ready, running, paused, stopped or finished
  state TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  start_at INTEGER NOT NULL,
  calls_per_minute INTEGER NOT NULL,
  -- JSON: narrower than the agent's own.
  calling_hours TEXT,
  -- JSON: outcome, how many more calls, after how many minutes.
  retry TEXT NOT NULL,
  -- The pace: no call of it goes out earlier.
  next_call_at INTEGER NOT NULL,
  -- When the feeder looks at it again; null where only a person or the end of a call brings work.
  look_at INTEGER,
  created_at INTEGER NOT NULL,
  -- Of its state, not of its progress.
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- When the people on it were forgotten.
  forgotten_at INTEGER
, list_hash TEXT, closure_id TEXT) STRICT;

CREATE TABLE campaign_rows (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  -- As the person who brought the list counts, from 1.
  row_number INTEGER NOT NULL,
  -- waiting, calling, done or cancelled
  state TEXT NOT NULL,
  outcome TEXT,
  -- How many calls were made of it.
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  -- The newest of them.
  call_id TEXT,
  contact_number TEXT,
  contact_name TEXT,
  contact_email TEXT,
  preferred_language TEXT,
  additional_info TEXT, contact_time_zone TEXT, contact_region TEXT, user_identifiers TEXT,
  PRIMARY KEY (campaign_id, row_number)
) STRICT, WITHOUT ROWID;

CREATE TABLE reminder_rules (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  -- Null: every branch, every service.
  branch_id TEXT,
  appointment_type_id TEXT,
  agent_id TEXT NOT NULL REFERENCES agents (id),
  -- day_before (days_before, at_minute) or hours_before (hours_before)
  timing TEXT NOT NULL,
  days_before INTEGER NOT NULL,
  at_minute INTEGER NOT NULL,
  hours_before INTEGER NOT NULL,
  -- Minutes of the branch's day between which people are called.
  from_minute INTEGER NOT NULL,
  to_minute INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  retry_minutes INTEGER NOT NULL,
  -- Whoever booked less than this before the reminder's time is not called.
  settle_hours INTEGER NOT NULL,
  skip_confirmed INTEGER NOT NULL,
  -- JSON (campaigns/reminders/placeholder-sources.ts).
  placeholders TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  -- Grows with every change: a reminder that was planned by an older one is planned anew.
  revision INTEGER NOT NULL,
  -- How far the appointments have been gone through since the last change; null when all have.
  plan_after TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;

CREATE TABLE reminders (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  -- Null where somebody asked for it by hand and no rule says how.
  rule_id TEXT REFERENCES reminder_rules (id),
  rule_revision INTEGER NOT NULL,
  agent_id TEXT NOT NULL,
  by_hand INTEGER NOT NULL,
  appointment_id TEXT NOT NULL REFERENCES appointments (id),
  -- The time that it reminds of.
  date TEXT NOT NULL,
  start_time TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  -- pending, calling, done or cancelled
  state TEXT NOT NULL,
  -- What came of it, or why it was not made.
  outcome TEXT,
  due_at INTEGER NOT NULL,
  -- When the scheduler looks at it again.
  next_at INTEGER,
  -- Calls that have ended.
  attempts INTEGER NOT NULL,
  call_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE waiting_list (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  branch_id TEXT NOT NULL,
  -- Null: any service of the branch.
  appointment_type_id TEXT,
  -- Who calls. Null: nobody yet, because the organisation had no agent that could.
  agent_id TEXT REFERENCES agents (id),
  contact_name TEXT,
  contact_number TEXT NOT NULL,
  contact_email TEXT,
  from_date TEXT NOT NULL,
  to_date TEXT NOT NULL,
  -- Names of sessions with a space in between; empty: any.
  sessions TEXT NOT NULL,
  notes TEXT,
  -- waiting, offered (is being called), booked, left (they), removed (we), expired
  state TEXT NOT NULL,
  -- ai, api, dashboard: whose places count, and as whose booking it is made.
  source TEXT NOT NULL,
  -- The call in which they were put on the list.
  call_id TEXT,
  appointment_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, contact_identifiers TEXT, contact_time_zone TEXT, contact_region TEXT) STRICT;

CREATE TABLE waiting_offers (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  entry_id TEXT NOT NULL REFERENCES waiting_list (id),
  window_id TEXT NOT NULL REFERENCES windows (id),
  date TEXT NOT NULL,
  call_id TEXT NOT NULL,
  -- calling, booked, declined, left, unanswered, undialled
  state TEXT NOT NULL,
  offered_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

CREATE TABLE waiting_openings (
  window_id TEXT NOT NULL REFERENCES windows (id),
  -- Empty: the window as a whole, on each of its dates.
  date TEXT NOT NULL,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  opened_at INTEGER NOT NULL,
  -- When to look at it next.
  next_at INTEGER NOT NULL,
  PRIMARY KEY (window_id, date)
) STRICT;

CREATE TABLE saved_filters (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  person_id TEXT NOT NULL REFERENCES people (id),
  name TEXT NOT NULL,
  -- JSON object.
  filters TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE worklist_items (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  -- See worklist/kinds.ts.
  kind TEXT NOT NULL,
  -- A call, trunk, endpoint or campaign.
  subject_id TEXT NOT NULL,
  -- One word that tells more, such as the code of a failed call.
  detail TEXT,
  created_at INTEGER NOT NULL,
  done_at INTEGER,
  done_by TEXT REFERENCES people (id)
) STRICT;

CREATE TABLE contact_notes (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  contact_number TEXT NOT NULL,
  text TEXT NOT NULL,
  -- Who wrote it.
  person_id TEXT NOT NULL REFERENCES people (id),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE closures (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  name TEXT,
  from_date TEXT NOT NULL,
  to_date TEXT NOT NULL,
  -- Only this window of its branch; all of the branches' where null.
  window_id TEXT REFERENCES windows (id),
  -- closing, moving, calling, closed, reopening, reopened
  state TEXT NOT NULL,
  -- move, call or leave: for whoever is booked there and was not chosen for.
  otherwise TEXT NOT NULL,
  -- Who calls, and the calls that came of it.
  agent_id TEXT,
  campaign_id TEXT,
  -- Who ordered it: what is done later is done in their name.
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE closure_branches (
  closure_id TEXT NOT NULL REFERENCES closures (id),
  branch_id TEXT NOT NULL,
  PRIMARY KEY (closure_id, branch_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE closure_dates (
  closure_id TEXT NOT NULL REFERENCES closures (id),
  window_id TEXT NOT NULL REFERENCES windows (id),
  date TEXT NOT NULL,
  status_before TEXT,
  PRIMARY KEY (closure_id, window_id, date)
) STRICT, WITHOUT ROWID;

CREATE TABLE closure_people (
  closure_id TEXT NOT NULL REFERENCES closures (id),
  appointment_id TEXT NOT NULL REFERENCES appointments (id),
  -- Where they were booked.
  window_id TEXT NOT NULL,
  date TEXT NOT NULL,
  -- move, call or leave
  choice TEXT NOT NULL,
  -- The place that was shown to whoever chose; the next free one where null.
  to_window_id TEXT,
  to_date TEXT,
  -- waiting, done, refused (the place was taken meanwhile, or there is none), gone (moved or cancelled meanwhile)
  state TEXT NOT NULL,
  PRIMARY KEY (closure_id, appointment_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE calendar_feeds (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  branch_id TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  -- none, initials or names: what it tells of people.
  people TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branches (organisation_id, id)
) STRICT;

CREATE TABLE demo_history (
  organisation_id TEXT PRIMARY KEY REFERENCES organisations (id) ON DELETE CASCADE,
  begins_at INTEGER NOT NULL,
  made_until INTEGER NOT NULL,
  -- 1: it reaches the present, and nothing is added any more.
  is_whole INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE demo_received (
  id INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  received_at INTEGER NOT NULL,
  -- JSON: name and value, in the order in which they were sent.
  headers TEXT NOT NULL,
  body TEXT NOT NULL,
  verdict TEXT NOT NULL
) STRICT;

CREATE TABLE file_removals (
  -- recording or capture
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE lineage (
  -- Random, made once: which database this is, copies and dumps included.
  line TEXT PRIMARY KEY,
  beat INTEGER NOT NULL,
  beat_at INTEGER NOT NULL,
  -- The data folder that served it last, and 1 where that server stopped in order.
  folder TEXT NOT NULL,
  is_stopped INTEGER NOT NULL DEFAULT 0,
  -- When it was found to be older than the appliance, and its last sign of life at that moment; null once all is decided.
  behind_at INTEGER,
  behind_since INTEGER
) STRICT;

CREATE TABLE contacts (
  id INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL,
  contact_number TEXT NOT NULL,
  -- Empty where no name is known.
  contact_name TEXT NOT NULL,
  UNIQUE (organisation_id, contact_number, contact_name)
) STRICT;

CREATE VIRTUAL TABLE contact_search USING fts5 (
  contact_name, contact_number, content = 'contacts', content_rowid = 'id', tokenize = 'trigram', detail = 'none'
);

CREATE TABLE write_probes (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE key_checks (
  name TEXT PRIMARY KEY,
  sealed TEXT NOT NULL
) STRICT;

CREATE TABLE audit_batches (
  id TEXT PRIMARY KEY,
  entries INTEGER NOT NULL,
  -- JSON, without personal data.
  notes TEXT NOT NULL
) STRICT;

CREATE TABLE consents (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  contact_number TEXT NOT NULL,
  -- transactional, service, promotional
  purpose TEXT NOT NULL,
  -- written, electronic, verbal, treatment, consent_manager. Null, as granted_at: they refused without having agreed.
  basis TEXT,
  -- api, dashboard, list, call, cli: where the consent was recorded.
  source TEXT NOT NULL,
  -- The call in which they agreed.
  call_id TEXT,
  -- A form's number, or the id of a consent artefact.
  reference TEXT,
  -- When the person agreed, which may be long before it was recorded.
  granted_at INTEGER,
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  -- Null: until it is withdrawn.
  until INTEGER,
  withdrawn_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE consent_changes (
  id TEXT PRIMARY KEY,
  consent_id TEXT NOT NULL REFERENCES consents (id),
  -- granted, withdrawn
  change TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Of a grant.
  basis TEXT,
  source TEXT NOT NULL,
  call_id TEXT,
  reference TEXT,
  granted_at INTEGER,
  until INTEGER,
  actor_kind TEXT NOT NULL,
  actor_id TEXT
) STRICT;

CREATE TABLE proof_keys (
  -- Ed25519, in hex.
  public_key TEXT PRIMARY KEY,
  sealed_seed TEXT,
  created_at INTEGER NOT NULL,
  retired_at INTEGER
) STRICT;

CREATE TABLE unsealed_proofs (
  call_id TEXT PRIMARY KEY,
  ended_at INTEGER NOT NULL,
  -- JSON; see rules/proof/record.ts.
  facts TEXT NOT NULL
) STRICT;

CREATE TABLE proofs (
  sequence INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  own_sequence INTEGER NOT NULL,
  call_id TEXT NOT NULL,
  sealed_at INTEGER NOT NULL,
  hash TEXT NOT NULL,
  -- The whole proof, as it is downloaded.
  line TEXT NOT NULL
) STRICT;

CREATE TABLE rule_changes (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  -- Counts the organisation's changes from 1.
  revision INTEGER NOT NULL,
  rule_id TEXT NOT NULL,
  -- JSON. Null: back to the value of the book.
  value TEXT,
  -- Whether the value is looser than the one of the book at that time. Then there is a reason.
  is_looser INTEGER NOT NULL,
  reason TEXT,
  -- Version of the book at that time.
  book TEXT NOT NULL,
  -- Whether it is the newest change of its rule.
  is_current INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  PRIMARY KEY (organisation_id, revision)
) STRICT;

CREATE TABLE retention_holds (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  subject TEXT NOT NULL,
  -- The call's id, the person's number, or empty for the whole organisation.
  subject_key TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  until_at INTEGER,
  released_at INTEGER,
  released_by_kind TEXT,
  released_by_id TEXT,
  release_reason TEXT
) STRICT;

CREATE TABLE call_questions (
  organisation_id TEXT PRIMARY KEY REFERENCES organisations (id),
  url TEXT NOT NULL,
  -- open: without an answer the call goes out. closed: it waits.
  fails TEXT NOT NULL,
  sealed_secret TEXT NOT NULL,
  sealed_previous_secret TEXT,
  previous_secret_until INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE dial_bases (
  call_id TEXT PRIMARY KEY REFERENCES calls (id) ON DELETE CASCADE,
  basis TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE dialled_numbers (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  number_hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, number_hash, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE do_not_disturb_changes (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  number TEXT NOT NULL,
  -- added, removed
  change TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- api, dashboard, list, call, cli
  source TEXT NOT NULL,
  -- The call in which the callee asked for it.
  call_id TEXT,
  -- For example a letter.
  reference TEXT,
  actor_kind TEXT NOT NULL,
  actor_id TEXT
) STRICT;

CREATE TABLE registry_results (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  number TEXT NOT NULL,
  registry TEXT NOT NULL,
  -- allowed, refused
  verdict TEXT NOT NULL,
  -- YYYY-MM-DD
  scrubbed_on TEXT NOT NULL,
  imported_at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  PRIMARY KEY (organisation_id, number, registry)
) STRICT;

CREATE TABLE erased_refusals (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  number_hash TEXT NOT NULL,
  -- transactional, service, promotional
  purpose TEXT NOT NULL,
  -- When they refused or withdrew.
  at INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, number_hash, purpose)
) STRICT, WITHOUT ROWID;

CREATE TABLE contact_identifiers (
  -- The call or appointment that has it.
  subject_id TEXT NOT NULL,
  organisation_id TEXT NOT NULL,
  system TEXT NOT NULL,
  value TEXT NOT NULL,
  -- The value without case, spaces and hyphens.
  value_key TEXT NOT NULL,
  -- Empty where unknown.
  number TEXT NOT NULL,
  name TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (subject_id, system, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE sources (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  name TEXT NOT NULL,
  -- api, folder, hl7, fhir
  kind TEXT NOT NULL,
  -- JSON, by kind.
  settings TEXT NOT NULL,
  -- Fields of its appointments that only the source changes, separated by spaces: time status service branch contact
  -- practitioner
  owns TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_heard_at INTEGER,
  -- Removed sources own nothing; their past appointments still name them.
  removed_at INTEGER
) STRICT;

CREATE TABLE hl7_messages (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  source_id TEXT NOT NULL REFERENCES sources (id),
  -- MSH-10, and a keyed hash of all of the message: together they tell a repetition from a control id that is used again.
  control_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  -- SIU^S12
  type TEXT NOT NULL,
  version TEXT NOT NULL,
  peer TEXT NOT NULL,
  -- created, updated, unchanged, stale, merged or refused
  outcome TEXT NOT NULL,
  -- AA, AE, AR
  code TEXT NOT NULL,
  reason TEXT,
  -- What had to be guessed: JSON.
  notes TEXT NOT NULL,
  appointment_id TEXT,
  -- Sent again to a repetition.
  answer TEXT NOT NULL,
  -- The message without the patient's data.
  masked TEXT NOT NULL,
  -- Encrypted, of refused messages alone: for another try after its cause was removed.
  sealed_message TEXT,
  -- Of refused messages, for erasure.
  contact_number TEXT,
  times_received INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE source_files (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  source_id TEXT NOT NULL REFERENCES sources (id),
  name TEXT NOT NULL,
  -- Keyed hash of the content: the same content is not read twice.
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  -- waiting, asking, accepted, rejected, reading, done, faulty, repeated
  state TEXT NOT NULL,
  -- Why it waits or is at fault.
  reason TEXT,
  received_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- Number of the last row that is applied, as in the spreadsheet.
  last_row INTEGER NOT NULL,
  row_count INTEGER,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  faults INTEGER NOT NULL,
  cancelled INTEGER NOT NULL,
  -- Appointments that a complete list lacks, of how many that are known.
  absent INTEGER,
  known INTEGER,
  -- The most cancellations that a person has accepted.
  accepted INTEGER,
  campaign_id TEXT,
  -- Where it is now, below the folder of the source.
  moved_to TEXT
) STRICT;

CREATE TABLE source_file_faults (
  file_id TEXT NOT NULL REFERENCES source_files (id),
  row_number INTEGER NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (file_id, row_number)
) STRICT;

CREATE TABLE source_folders (
  source_id TEXT PRIMARY KEY REFERENCES sources (id),
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  -- not_allowed, not_there, not_writable, disk_full, too_many, taken, failed
  problem TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT;

CREATE TABLE smart_assertions (
  id_hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE totp_secrets (
  id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id),
  sealed_secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER
) STRICT;

CREATE TABLE recovery_codes (
  code_hash TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id),
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id),
  credential_id TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  rp_id TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;

CREATE TABLE spent_proofs (
  proof_hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE break_glass (
  organisation_id TEXT PRIMARY KEY REFERENCES organisations (id),
  person_id TEXT NOT NULL UNIQUE REFERENCES people (id),
  sealed_at INTEGER,
  used_at INTEGER,
  used_from TEXT,
  acknowledged_at INTEGER,
  acknowledged_by TEXT,
  reason TEXT
) STRICT;

CREATE TABLE audit_blocks (
  sequence INTEGER PRIMARY KEY,
  -- Number of its first entry, counted from 1.
  first_number INTEGER NOT NULL,
  entry_count INTEGER NOT NULL,
  sealed_at INTEGER NOT NULL,
  -- Time of its newest entry.
  newest_at INTEGER NOT NULL,
  -- Separated by spaces, in the order of the chain.
  entry_ids TEXT NOT NULL,
  -- Their hashes in hex, in the same order, without separators.
  leaves TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TABLE audit_unsealed (
  id TEXT PRIMARY KEY,
  -- Ids of the entries, separated by spaces; empty: the entry with this id.
  entries TEXT NOT NULL
) STRICT;

CREATE TABLE audit_heads (
  -- Of the last block.
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  line TEXT NOT NULL
) STRICT;

CREATE TABLE audit_exports (
  id TEXT PRIMARY KEY,
  file TEXT NOT NULL,
  first_block INTEGER NOT NULL,
  last_block INTEGER NOT NULL,
  -- Of the last block.
  last_hash TEXT NOT NULL,
  verified_at INTEGER NOT NULL
) STRICT;

CREATE TABLE audit_stubs (
  -- Of the last pruned block.
  sequence INTEGER PRIMARY KEY,
  -- Number of the last pruned entry.
  last_number INTEGER NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  line TEXT NOT NULL
) STRICT;

CREATE TABLE audit_positions (
  name TEXT PRIMARY KEY,
  -- Of the last block that was delivered.
  sequence INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE alarms (
  id TEXT PRIMARY KEY,
  fault TEXT NOT NULL,
  -- The trunk, endpoint or certificate; empty: the appliance.
  subject TEXT NOT NULL,
  -- all: every organisation; organisation: only its own; operator: only the administrator of the appliance.
  audience TEXT NOT NULL,
  organisation_id TEXT REFERENCES organisations (id),
  -- How grave it is now: 1 is the lowest.
  step INTEGER NOT NULL,
  -- Numbers and names for the message, as JSON.
  facts TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  -- When people were told, and the gravest step that they were told.
  told_at INTEGER,
  told_step INTEGER NOT NULL,
  over_at INTEGER,
  over_told_at INTEGER
) STRICT;

CREATE TABLE mails (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  -- Recipient, subject and text: they may hold a link that opens an account.
  sealed TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE password_links (
  token_hash TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id),
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  purpose TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

CREATE TABLE directory_people (
  person_id TEXT PRIMARY KEY REFERENCES people (id),
  directory TEXT NOT NULL,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  sealed_refresh_token TEXT,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER NOT NULL,
  tried_at INTEGER NOT NULL,
  unreachable_since INTEGER
, refresh_sent_at INTEGER) STRICT;

CREATE TABLE person_keys (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL,
  contact_number TEXT NOT NULL,
  sealing_key TEXT NOT NULL
) STRICT;

CREATE TABLE person_key_stores (
  id TEXT PRIMARY KEY,
  revision INTEGER NOT NULL
) STRICT;

CREATE TABLE erasures_to_repeat (
  kind TEXT NOT NULL CHECK (kind IN ('person', 'call')),
  organisation_id TEXT NOT NULL,
  subject_key TEXT NOT NULL,
  PRIMARY KEY (kind, organisation_id, subject_key)
) STRICT;

CREATE TABLE single_shares (
  call_id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  token TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX people_by_organisation ON people (organisation_id, created_at);

CREATE INDEX api_keys_by_organisation ON api_keys (organisation_id, created_at);

CREATE INDEX audit_entries_by_time ON audit_entries (organisation_id, at, id);

CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);

CREATE INDEX idempotency_keys_by_subject ON idempotency_keys (subject_id);

CREATE INDEX credit_entries_by_time ON credit_entries (organisation_id, at, id);

CREATE INDEX agents_by_organisation ON agents (organisation_id, created_at, id);

CREATE INDEX phone_numbers_by_agent ON phone_numbers (agent_id);

CREATE INDEX phone_numbers_by_organisation ON phone_numbers (organisation_id, created_at, id);

CREATE INDEX calls_scheduled ON calls (next_at, id) WHERE state = 'scheduled';

CREATE INDEX calls_queued ON calls (organisation_id, next_at, id) WHERE state = 'queued';

CREATE INDEX calls_live ON calls (organisation_id, phone_number_id, contact_number) WHERE state IN ('initiated', 'ringing', 'in_progress');

CREATE INDEX calls_newest ON calls (organisation_id, created_at, id);

CREATE INDEX calls_by_contact ON calls (organisation_id, contact_number, created_at, id);

CREATE INDEX calls_by_agent ON calls (agent_id, created_at, id);

CREATE INDEX calls_finished ON calls (finished_at, id) WHERE finished_at IS NOT NULL;

CREATE INDEX erased_calls_by_time ON erased_calls (organisation_id, erased_at);

CREATE INDEX webhook_endpoints_by_organisation ON webhook_endpoints (organisation_id, created_at, id);

CREATE INDEX events_by_call ON events (call_id) WHERE call_id IS NOT NULL;

CREATE INDEX events_by_appointment ON events (appointment_id) WHERE appointment_id IS NOT NULL;

CREATE INDEX events_by_time ON events (created_at, id);

CREATE INDEX deliveries_in_order ON deliveries (endpoint_id, order_key, id) WHERE state = 'pending';

CREATE INDEX deliveries_by_event ON deliveries (event_id);

CREATE INDEX deliveries_newest ON deliveries (endpoint_id, created_at, id);

CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery_id, id);

CREATE INDEX windows_by_branch ON windows (organisation_id, branch_id, day, start_time, id);

CREATE INDEX appointments_newest ON appointments (organisation_id, created_at, id);

CREATE INDEX appointments_by_date ON appointments (organisation_id, branch_id, date, start_time, id);

CREATE INDEX appointments_by_window ON appointments (window_id, date);

CREATE INDEX appointments_by_call ON appointments (call_id) WHERE call_id IS NOT NULL;

CREATE INDEX slot_holds_by_window ON slot_holds (window_id, date, expires_at);

CREATE INDEX slot_holds_by_call ON slot_holds (call_id);

CREATE INDEX slot_holds_by_expiry ON slot_holds (expires_at);

CREATE INDEX sessions_by_person ON sessions (person_id);

CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE INDEX calls_changed ON calls (organisation_id, updated_at, id);

CREATE INDEX appointments_changed ON appointments (organisation_id, updated_at, id);

CREATE INDEX phone_numbers_by_trunk ON phone_numbers (trunk_id);

CREATE INDEX appointments_by_contact ON appointments (organisation_id, contact_number, date) WHERE contact_number IS NOT NULL;

CREATE INDEX known_devices_by_person ON known_devices (person_id, used_at);

CREATE INDEX known_devices_by_use ON known_devices (used_at);

CREATE INDEX deliveries_held_in_order ON deliveries (endpoint_id, order_key, id) WHERE state = 'held';

CREATE INDEX deliveries_heads ON deliveries (endpoint_id, next_at, id) WHERE is_head = 1;

CREATE INDEX appointments_to_forget ON appointments (date, id) WHERE contact_forgotten_at IS NULL;

CREATE INDEX appointments_forgotten ON appointments (contact_forgotten_at) WHERE contact_forgotten_at IS NOT NULL;

CREATE INDEX deliveries_newest_pending ON deliveries (endpoint_id, created_at, id) WHERE state = 'pending';

CREATE INDEX deliveries_newest_by_state ON deliveries (endpoint_id, state, created_at, id) WHERE state <> 'pending';

CREATE INDEX pending_analyses_by_deadline ON pending_analyses (deadline_at);

CREATE INDEX campaigns_newest ON campaigns (organisation_id, created_at, id);

CREATE INDEX campaigns_due ON campaigns (look_at, id) WHERE look_at IS NOT NULL;

CREATE INDEX campaign_rows_waiting ON campaign_rows (campaign_id, due_at, row_number) WHERE state = 'waiting';

CREATE INDEX campaign_rows_counted ON campaign_rows (campaign_id, state, outcome);

CREATE INDEX campaign_rows_by_call ON campaign_rows (call_id) WHERE call_id IS NOT NULL;

CREATE INDEX calls_by_campaign ON calls (campaign_id, created_at, id) WHERE campaign_id IS NOT NULL;

CREATE INDEX calls_not_begun ON calls (campaign_id) WHERE campaign_id IS NOT NULL AND state IN ('scheduled', 'queued');

CREATE INDEX reminder_rules_of ON reminder_rules (organisation_id, created_at, id) WHERE deleted_at IS NULL;

CREATE INDEX reminder_rules_to_plan ON reminder_rules (id) WHERE plan_after IS NOT NULL;

CREATE UNIQUE INDEX reminders_once ON reminders (rule_id, appointment_id, date, start_time) WHERE by_hand = 0;

CREATE UNIQUE INDEX reminders_once_by_hand ON reminders (appointment_id) WHERE by_hand = 1 AND state IN ('pending', 'calling');

CREATE INDEX reminders_next ON reminders (next_at, id) WHERE next_at IS NOT NULL;

CREATE INDEX reminders_by_call ON reminders (call_id) WHERE call_id IS NOT NULL;

CREATE INDEX reminders_by_appointment ON reminders (appointment_id);

CREATE INDEX reminders_open ON reminders (organisation_id, due_at, id) WHERE state IN ('pending', 'calling');

CREATE INDEX reminders_closed ON reminders (organisation_id, updated_at, id) WHERE state IN ('done', 'cancelled');

CREATE INDEX reminders_by_rule ON reminders (rule_id) WHERE state IN ('pending', 'calling');

CREATE INDEX reminders_by_start ON reminders (starts_at);

CREATE INDEX waiting_list_by_turn ON waiting_list (organisation_id, state, branch_id, created_at, id);

CREATE INDEX waiting_list_by_call ON waiting_list (call_id) WHERE call_id IS NOT NULL;

CREATE INDEX waiting_list_by_end ON waiting_list (state, to_date);

CREATE INDEX waiting_list_by_age ON waiting_list (state, updated_at);

CREATE UNIQUE INDEX waiting_offers_by_call ON waiting_offers (call_id);

CREATE INDEX waiting_offers_by_entry ON waiting_offers (entry_id, offered_at);

CREATE INDEX waiting_offers_by_place ON waiting_offers (window_id, date, offered_at);

CREATE INDEX waiting_offers_under_way ON waiting_offers (state, offered_at);

CREATE INDEX waiting_openings_due ON waiting_openings (next_at);

CREATE INDEX calls_by_outcome ON calls (organisation_id, outcome, created_at, id) WHERE outcome IS NOT NULL;

CREATE INDEX calls_by_plan ON calls (organisation_id, scheduled_at, id);

CREATE INDEX saved_filters_by_person ON saved_filters (person_id, created_at, id);

CREATE UNIQUE INDEX worklist_items_by_subject ON worklist_items (subject_id, kind);

CREATE INDEX worklist_items_open ON worklist_items (organisation_id, created_at, id) WHERE done_at IS NULL;

CREATE INDEX worklist_items_by_kind ON worklist_items (kind, organisation_id);

CREATE INDEX worklist_items_done ON worklist_items (organisation_id, done_at, id) WHERE done_at IS NOT NULL;

CREATE INDEX contact_notes_by_number ON contact_notes (organisation_id, contact_number, created_at, id);

CREATE INDEX closures_by_day ON closures (organisation_id, to_date, id);

CREATE INDEX closures_at_work ON closures (state, id) WHERE state IN ('closing', 'moving', 'calling', 'reopening');

CREATE INDEX closure_dates_by_window ON closure_dates (window_id, date);

CREATE INDEX closure_people_waiting ON closure_people (closure_id, choice) WHERE state = 'waiting';

CREATE INDEX calendar_feeds_by_organisation ON calendar_feeds (organisation_id, created_at);

CREATE INDEX campaign_rows_by_contact ON campaign_rows (contact_number) WHERE contact_number IS NOT NULL;

CREATE INDEX waiting_list_by_contact ON waiting_list (organisation_id, contact_number);

CREATE INDEX campaigns_by_closure ON campaigns (closure_id) WHERE closure_id IS NOT NULL;

CREATE INDEX demo_received_by_organisation ON demo_received (organisation_id, id);

CREATE INDEX demo_received_by_event ON demo_received (event_id);

CREATE INDEX deliveries_retries ON deliveries (endpoint_id, is_head, next_at, id) WHERE is_head = 1 AND attempts > 0;

CREATE INDEX audit_entries_of_contacts ON audit_entries (subject_id) WHERE action = 'contact.read';

CREATE INDEX audit_entries_by_actor ON audit_entries (organisation_id, actor_id, at, id) WHERE actor_id IS NOT NULL;

CREATE INDEX audit_entries_by_subject ON audit_entries (organisation_id, subject_id, at, id) WHERE subject_id IS NOT NULL;

CREATE INDEX audit_entries_by_action ON audit_entries (organisation_id, action, at, id);

CREATE INDEX appointments_on_day ON appointments (organisation_id, date, created_at, id);

CREATE INDEX contacts_of_two_letters ON contacts (lower(contact_name)) WHERE length(contact_name) = 2;

CREATE UNIQUE INDEX consents_by_number ON consents (organisation_id, contact_number, purpose);

CREATE INDEX consents_by_time ON consents (organisation_id, created_at, id);

CREATE INDEX consent_changes_by_consent ON consent_changes (consent_id, id);

CREATE UNIQUE INDEX proofs_by_call ON proofs (call_id);

CREATE UNIQUE INDEX proofs_of_organisation ON proofs (organisation_id, own_sequence);

CREATE INDEX proofs_by_time ON proofs (organisation_id, sealed_at, own_sequence);

CREATE UNIQUE INDEX rule_changes_current ON rule_changes (organisation_id, rule_id) WHERE is_current = 1;

CREATE INDEX retention_holds_in_force ON retention_holds (subject_key, organisation_id) WHERE released_at IS NULL;

CREATE INDEX retention_holds_by_time ON retention_holds (organisation_id, created_at, id);

CREATE INDEX retention_holds_by_subject ON retention_holds (subject_key, organisation_id);

CREATE INDEX calls_recorded ON calls (finished_at, id) WHERE recording_file IS NOT NULL AND finished_at IS NOT NULL;

CREATE INDEX events_by_contact ON events (organisation_id, contact_number) WHERE contact_number IS NOT NULL;

CREATE INDEX dialled_numbers_by_time ON dialled_numbers (at);

CREATE INDEX do_not_disturb_changes_by_number ON do_not_disturb_changes (organisation_id, number, id);

CREATE INDEX contact_identifiers_by_value ON contact_identifiers (organisation_id, value_key);

CREATE INDEX contact_identifiers_by_number ON contact_identifiers (organisation_id, number);

CREATE UNIQUE INDEX sources_by_name ON sources (organisation_id, name) WHERE removed_at IS NULL;

CREATE UNIQUE INDEX appointments_by_external_id ON appointments (source_id, external_id) WHERE external_id IS NOT NULL;

CREATE INDEX appointments_wished ON appointments (organisation_id, wished_at, id) WHERE wish_state = 'open';

CREATE INDEX appointments_of_source ON appointments (source_id, date) WHERE source_id IS NOT NULL;

CREATE INDEX appointments_by_wish_call ON appointments (wish_call_id) WHERE wish_call_id IS NOT NULL;

CREATE UNIQUE INDEX hl7_messages_by_content ON hl7_messages (source_id, control_id, digest);

CREATE INDEX hl7_messages_by_time ON hl7_messages (organisation_id, created_at, id);

CREATE INDEX hl7_messages_by_source ON hl7_messages (source_id, created_at, id);

CREATE INDEX hl7_messages_kept_whole ON hl7_messages (source_id, created_at, id) WHERE sealed_message IS NOT NULL;

CREATE INDEX hl7_messages_by_age ON hl7_messages (created_at);

CREATE INDEX hl7_messages_by_contact ON hl7_messages (organisation_id, contact_number) WHERE contact_number IS NOT NULL;

CREATE UNIQUE INDEX webhook_endpoints_by_source ON webhook_endpoints (source_id) WHERE source_id IS NOT NULL;

CREATE UNIQUE INDEX source_files_open ON source_files (source_id) WHERE finished_at IS NULL;

CREATE INDEX source_files_by_source ON source_files (source_id, received_at, id);

CREATE INDEX source_files_by_hash ON source_files (source_id, hash);

CREATE INDEX source_files_finished ON source_files (finished_at, id) WHERE finished_at IS NOT NULL;

CREATE INDEX source_files_by_state ON source_files (state) WHERE state IN ('waiting', 'asking', 'faulty');

CREATE INDEX smart_assertions_by_expiry ON smart_assertions (expires_at);

CREATE INDEX totp_secrets_by_person ON totp_secrets (person_id);

CREATE INDEX recovery_codes_by_person ON recovery_codes (person_id);

CREATE INDEX passkeys_by_person ON passkeys (person_id);

CREATE INDEX spent_proofs_by_expiry ON spent_proofs (expires_at);

CREATE UNIQUE INDEX alarms_open ON alarms (fault, subject) WHERE over_at IS NULL;

CREATE INDEX alarms_by_subject ON alarms (fault, subject, opened_at);

CREATE INDEX alarms_over ON alarms (over_at, id) WHERE over_at IS NOT NULL;

CREATE INDEX mails_due ON mails (next_at, id);

CREATE INDEX password_links_by_person ON password_links (person_id, created_at);

CREATE INDEX password_links_by_expiry ON password_links (expires_at);

CREATE INDEX appointments_by_practitioner ON appointments (organisation_id, practitioner_id, date, start_time, id)
  WHERE practitioner_id IS NOT NULL;

CREATE UNIQUE INDEX directory_people_by_subject ON directory_people (directory, issuer, subject);

CREATE INDEX person_keys_by_number ON person_keys (organisation_id, contact_number);

CREATE TRIGGER calls_altered AFTER UPDATE OF updated_at ON calls BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'call', NEW.id);
END;

CREATE TRIGGER appointments_made AFTER INSERT ON appointments BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'appointment', NEW.id);
END;

CREATE TRIGGER appointments_altered AFTER UPDATE OF updated_at ON appointments BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'appointment', NEW.id);
END;

CREATE TRIGGER changes_kept AFTER INSERT ON changes WHEN NEW.sequence % 500 = 0 BEGIN
  DELETE FROM changes WHERE sequence <= NEW.sequence - 5000;
END;

CREATE TRIGGER deliveries_made AFTER INSERT ON deliveries BEGIN
  INSERT INTO delivery_counts (endpoint_id, state, count) VALUES (NEW.endpoint_id, NEW.state, 1)
  ON CONFLICT (endpoint_id, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER deliveries_moved AFTER UPDATE OF state ON deliveries WHEN NEW.state <> OLD.state BEGIN
  UPDATE delivery_counts SET count = count - 1 WHERE endpoint_id = OLD.endpoint_id AND state = OLD.state;
  INSERT INTO delivery_counts (endpoint_id, state, count) VALUES (NEW.endpoint_id, NEW.state, 1)
  ON CONFLICT (endpoint_id, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER deliveries_gone AFTER DELETE ON deliveries BEGIN
  UPDATE delivery_counts SET count = count - 1 WHERE endpoint_id = OLD.endpoint_id AND state = OLD.state;
END;

CREATE TRIGGER campaigns_made AFTER INSERT ON campaigns BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'campaign', NEW.id);
END;

CREATE TRIGGER campaigns_altered AFTER UPDATE OF updated_at ON campaigns BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'campaign', NEW.id);
END;

CREATE TRIGGER waiting_list_made AFTER INSERT ON waiting_list BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'waiting', NEW.id);
END;

CREATE TRIGGER waiting_list_altered AFTER UPDATE OF updated_at ON waiting_list BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'waiting', NEW.id);
END;

CREATE TRIGGER worklist_items_made AFTER INSERT ON worklist_items BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'worklist', NEW.id);
END;

CREATE TRIGGER worklist_items_altered AFTER UPDATE ON worklist_items BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'worklist', NEW.id);
END;

CREATE TRIGGER worklist_items_gone AFTER DELETE ON worklist_items BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (OLD.organisation_id, 'worklist', OLD.id);
END;

CREATE TRIGGER windows_made AFTER INSERT ON windows BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'window', NEW.id);
END;

CREATE TRIGGER windows_altered AFTER UPDATE OF updated_at ON windows BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'window', NEW.id);
END;

CREATE TRIGGER window_dates_altered AFTER UPDATE OF max_slots, ai_slots, status ON window_dates BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id)
  SELECT organisation_id, 'window', id FROM windows WHERE id = NEW.window_id;
END;

CREATE TRIGGER contacts_unlisted AFTER DELETE ON contacts WHEN EXISTS (SELECT 1 FROM contact_search_docsize WHERE id = OLD.id) BEGIN
  INSERT INTO contact_search (contact_search, rowid, contact_name, contact_number)
    VALUES ('delete', OLD.id, OLD.contact_name, OLD.contact_number);
END;

CREATE TRIGGER calls_unnamed AFTER DELETE ON calls BEGIN
  DELETE FROM contacts WHERE organisation_id = OLD.organisation_id AND contact_number = OLD.contact_number
    AND contact_name = coalesce(OLD.contact_name, '')
    AND NOT EXISTS (SELECT 1 FROM calls WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''))
    AND NOT EXISTS (SELECT 1 FROM appointments WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''));
END;

CREATE TRIGGER calls_renamed AFTER UPDATE OF contact_name, contact_number ON calls WHEN coalesce(NEW.contact_name, '') <> coalesce(OLD.contact_name, '') OR NEW.contact_number <> OLD.contact_number BEGIN
  DELETE FROM contacts WHERE organisation_id = OLD.organisation_id AND contact_number = OLD.contact_number
    AND contact_name = coalesce(OLD.contact_name, '')
    AND NOT EXISTS (SELECT 1 FROM calls WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''))
    AND NOT EXISTS (SELECT 1 FROM appointments WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''));
  INSERT INTO contacts (organisation_id, contact_number, contact_name)
    VALUES (NEW.organisation_id, NEW.contact_number, coalesce(NEW.contact_name, '')) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER appointments_named AFTER INSERT ON appointments WHEN NEW.contact_number IS NOT NULL BEGIN
  INSERT INTO contacts (organisation_id, contact_number, contact_name)
    VALUES (NEW.organisation_id, NEW.contact_number, coalesce(NEW.contact_name, '')) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER appointments_unnamed AFTER DELETE ON appointments WHEN OLD.contact_number IS NOT NULL BEGIN
  DELETE FROM contacts WHERE organisation_id = OLD.organisation_id AND contact_number = OLD.contact_number
    AND contact_name = coalesce(OLD.contact_name, '')
    AND NOT EXISTS (SELECT 1 FROM calls WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''))
    AND NOT EXISTS (SELECT 1 FROM appointments WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''));
END;

CREATE TRIGGER appointments_renamed AFTER UPDATE OF contact_name, contact_number ON appointments WHEN coalesce(NEW.contact_name, '') <> coalesce(OLD.contact_name, '') OR coalesce(NEW.contact_number, '') <> coalesce(OLD.contact_number, '') BEGIN
  DELETE FROM contacts WHERE organisation_id = OLD.organisation_id AND contact_number = OLD.contact_number
    AND contact_name = coalesce(OLD.contact_name, '')
    AND NOT EXISTS (SELECT 1 FROM calls WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''))
    AND NOT EXISTS (SELECT 1 FROM appointments WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''));
  INSERT INTO contacts (organisation_id, contact_number, contact_name)
    SELECT NEW.organisation_id, NEW.contact_number, coalesce(NEW.contact_name, '') WHERE NEW.contact_number IS NOT NULL
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER calls_unidentified AFTER DELETE ON calls WHEN OLD.user_identifiers IS NOT NULL BEGIN
  DELETE FROM contact_identifiers WHERE subject_id = OLD.id;
END;

CREATE TRIGGER calls_identified_anew AFTER UPDATE OF contact_name, contact_number ON calls WHEN NEW.user_identifiers IS NOT NULL BEGIN
  UPDATE contact_identifiers SET number = NEW.contact_number, name = coalesce(NEW.contact_name, '') WHERE subject_id = NEW.id;
END;

CREATE TRIGGER appointments_unidentified AFTER DELETE ON appointments WHEN OLD.contact_identifiers IS NOT NULL BEGIN
  DELETE FROM contact_identifiers WHERE subject_id = OLD.id;
END;

CREATE TRIGGER appointments_no_longer_identified AFTER UPDATE OF contact_identifiers ON appointments WHEN NEW.contact_identifiers IS NULL AND OLD.contact_identifiers IS NOT NULL BEGIN
  DELETE FROM contact_identifiers WHERE subject_id = OLD.id;
END;

CREATE TRIGGER appointments_identified_anew AFTER UPDATE OF contact_name, contact_number ON appointments WHEN NEW.contact_identifiers IS NOT NULL BEGIN
  UPDATE contact_identifiers SET number = coalesce(NEW.contact_number, ''), name = coalesce(NEW.contact_name, '') WHERE subject_id = NEW.id;
END;
