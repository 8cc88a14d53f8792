-- What a registry of numbers (India's customer preferences, a national do-not-call list) answered for a number, with the
-- date of the scrub. One row per number: the newest scrub. Counts for promotional calls.
CREATE TABLE registry_results (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  number TEXT NOT NULL,
  -- allowed, refused
  verdict TEXT NOT NULL,
  registry TEXT NOT NULL,
  -- YYYY-MM-DD
  scrubbed_on TEXT NOT NULL,
  imported_at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  PRIMARY KEY (organisation_id, number)
) STRICT;
