-- Keys that seal what backups hold of a person: a backup holds their ciphertext, never the keys. Erasing the person
-- deletes the key, so older backups show nothing of them.

-- contact_number: empty for rows of the organisation that name no number.
CREATE TABLE person_keys (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL,
  contact_number TEXT NOT NULL,
  sealing_key TEXT NOT NULL
) STRICT;
CREATE INDEX person_keys_by_number ON person_keys (organisation_id, contact_number);

-- One row. Backups name the id; revision grows with every change of the keys and every erasure.
CREATE TABLE person_key_stores (
  id TEXT PRIMARY KEY,
  revision INTEGER NOT NULL
) STRICT;

-- Written by a restore: people and calls erased since the backup. Their rows are already blank; this ends the erasure.
CREATE TABLE erasures_to_repeat (
  kind TEXT NOT NULL CHECK (kind IN ('person', 'call')),
  organisation_id TEXT NOT NULL,
  subject_key TEXT NOT NULL,
  PRIMARY KEY (kind, organisation_id, subject_key)
) STRICT;
