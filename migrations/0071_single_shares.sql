-- Links by which the staff share one call. They end by themselves, can be revoked, and do not depend on the setting that
-- shares every call.
CREATE TABLE single_shares (
  call_id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  token TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
