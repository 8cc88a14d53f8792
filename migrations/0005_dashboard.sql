-- Sessions of the dashboard, and the order in which things changed, for its live views.

CREATE TABLE sessions (
  token_hash TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id),
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_person ON sessions (person_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE INDEX calls_changed ON calls (organisation_id, updated_at, id);
CREATE INDEX appointments_changed ON appointments (organisation_id, updated_at, id);
