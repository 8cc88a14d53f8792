-- Holds: what must not be erased, and why. A hold ends at until_at or when it is released; the row is deleted with the person or the call.
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

CREATE INDEX retention_holds_in_force ON retention_holds (subject_key, organisation_id) WHERE released_at IS NULL;
CREATE INDEX retention_holds_by_time ON retention_holds (organisation_id, created_at, id);
CREATE INDEX retention_holds_by_subject ON retention_holds (subject_key, organisation_id);
