-- SIP trunks, the prompts that agents play, what the line of a call was like, and what contacts said to a reminder.

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
  updated_at INTEGER NOT NULL,
  UNIQUE (organisation_id, name)
) STRICT;

-- How each trunk was when the appliance last looked, for commands beside the server.
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

ALTER TABLE phone_numbers ADD COLUMN trunk_id TEXT REFERENCES trunks (id);
CREATE INDEX phone_numbers_by_trunk ON phone_numbers (trunk_id);

-- Where key 3 leads: a number or a SIP address; null where nobody can be reached.
ALTER TABLE agents ADD COLUMN transfer_to TEXT;

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
  created_at INTEGER NOT NULL,
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

-- The appointment that a call was about, where it was not made in the call.
ALTER TABLE calls ADD COLUMN appointment_id TEXT;
-- The contact said that they will come, or asked for another time.
ALTER TABLE appointments ADD COLUMN contact_confirmed_at INTEGER;
ALTER TABLE appointments ADD COLUMN change_requested_at INTEGER;
-- A reminder finds the appointment by the number that it calls.
CREATE INDEX appointments_by_contact ON appointments (organisation_id, contact_number, date) WHERE contact_number IS NOT NULL;
