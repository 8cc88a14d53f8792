-- Faults of the appliance, and whether people were told: a restart tells nothing twice and forgets nothing.
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
CREATE UNIQUE INDEX alarms_open ON alarms (fault, subject) WHERE over_at IS NULL;
CREATE INDEX alarms_by_subject ON alarms (fault, subject, opened_at);
CREATE INDEX alarms_over ON alarms (over_at, id) WHERE over_at IS NOT NULL;

-- E-mails until the server has taken them.
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
CREATE INDEX mails_due ON mails (next_at, id);

-- Links by which a person sets a password. Each works once.
CREATE TABLE password_links (
  token_hash TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id),
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  purpose TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX password_links_by_person ON password_links (person_id, created_at);
CREATE INDEX password_links_by_expiry ON password_links (expires_at);
