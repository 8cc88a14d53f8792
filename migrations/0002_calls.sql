-- Agents, the numbers they call from, calls with their results, and what may hold a call back.

ALTER TABLE organisations ADD COLUMN unlimited_credits INTEGER NOT NULL DEFAULT 0;
-- The sum of credit_entries, kept beside it because every dial asks for it.
ALTER TABLE organisations ADD COLUMN credit_balance REAL NOT NULL DEFAULT 0;

CREATE TABLE credit_entries (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  at INTEGER NOT NULL,
  amount REAL NOT NULL,
  reason TEXT NOT NULL,
  call_id TEXT
) STRICT;
CREATE INDEX credit_entries_by_time ON credit_entries (organisation_id, at, id);

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
) STRICT;
CREATE INDEX agents_by_organisation ON agents (organisation_id, created_at, id);

CREATE TABLE phone_numbers (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  number TEXT NOT NULL UNIQUE,
  agent_id TEXT REFERENCES agents (id),
  concurrent_calls INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX phone_numbers_by_agent ON phone_numbers (agent_id);
CREATE INDEX phone_numbers_by_organisation ON phone_numbers (organisation_id, created_at, id);

CREATE TABLE do_not_disturb (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  number TEXT NOT NULL,
  created_at INTEGER NOT NULL,
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
) STRICT;

-- Each index holds only the rows that its question is about: a million finished calls do not slow a claim.
CREATE INDEX calls_scheduled ON calls (next_at, id) WHERE state = 'scheduled';
CREATE INDEX calls_queued ON calls (organisation_id, next_at, id) WHERE state = 'queued';
CREATE INDEX calls_live ON calls (organisation_id, phone_number_id, contact_number) WHERE state IN ('initiated', 'ringing', 'in_progress');
CREATE INDEX calls_newest ON calls (organisation_id, created_at, id);
CREATE INDEX calls_by_contact ON calls (organisation_id, contact_number, created_at, id);
CREATE INDEX calls_by_agent ON calls (agent_id, created_at, id);
CREATE INDEX calls_finished ON calls (finished_at, id) WHERE finished_at IS NOT NULL;

CREATE TABLE call_results (
  call_id TEXT PRIMARY KEY REFERENCES calls (id),
  transcript TEXT,
  analytics TEXT,
  extracted_details TEXT
) STRICT;

-- What remains of an erased call.
CREATE TABLE erased_calls (
  call_id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  erased_at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT
) STRICT;

CREATE INDEX erased_calls_by_time ON erased_calls (organisation_id, erased_at);

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
