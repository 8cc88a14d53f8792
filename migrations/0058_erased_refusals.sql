-- Refusals of people who were erased: without them, somebody who refused would be called again once their number is sent again. The
-- number is a keyed hash. A newer consent for the purpose deletes its row.
CREATE TABLE erased_refusals (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  number_hash TEXT NOT NULL,
  -- transactional, service, promotional
  purpose TEXT NOT NULL,
  -- When they refused or withdrew.
  at INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, number_hash, purpose)
) STRICT, WITHOUT ROWID;
