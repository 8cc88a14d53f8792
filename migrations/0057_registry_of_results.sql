-- One row for each number and registry: a number that one registry allows stays refused by another.
ALTER TABLE registry_results RENAME TO registry_results_of_numbers;

-- What a registry of numbers (India's customer preferences, a national do-not-call list) answered for a number, with the
-- date of the scrub: the newest scrub of each registry. Counts for promotional calls.
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

INSERT INTO registry_results
  (organisation_id, number, registry, verdict, scrubbed_on, imported_at, actor_kind, actor_id)
SELECT organisation_id, number, registry, verdict, scrubbed_on, imported_at, actor_kind, actor_id
FROM registry_results_of_numbers;

DROP TABLE registry_results_of_numbers;
