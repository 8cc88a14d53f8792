-- Who agreed to which calls. A number has one row per purpose, with its current state; each change of it is kept.
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
CREATE UNIQUE INDEX consents_by_number ON consents (organisation_id, contact_number, purpose);
CREATE INDEX consents_by_time ON consents (organisation_id, created_at, id);

-- Append-only. Goes with its consent, when the person is erased.
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
CREATE INDEX consent_changes_by_consent ON consent_changes (consent_id, id);

-- How a number came onto the list, and in which call. Null in rows that are older than the columns.
ALTER TABLE do_not_disturb ADD COLUMN source TEXT;
ALTER TABLE do_not_disturb ADD COLUMN call_id TEXT;
