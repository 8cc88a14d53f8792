-- Append-only history of the do-not-disturb list: when a number came onto it and was taken off, how and by whom. Entries
-- that are older than this table have no change for their addition.
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
CREATE INDEX do_not_disturb_changes_by_number ON do_not_disturb_changes (organisation_id, number, id);
