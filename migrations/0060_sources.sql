-- Systems of the hospital that own appointments.
CREATE TABLE sources (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  name TEXT NOT NULL,
  -- api, folder, hl7, fhir
  kind TEXT NOT NULL,
  -- JSON, by kind.
  settings TEXT NOT NULL,
  -- Fields of its appointments that only the source changes, separated by spaces: time status service branch contact
  -- practitioner
  owns TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_heard_at INTEGER,
  -- Removed sources own nothing; their past appointments still name them.
  removed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX sources_by_name ON sources (organisation_id, name) WHERE removed_at IS NULL;

-- Mirrored appointments live in a source and have no window.
ALTER TABLE appointments ALTER COLUMN window_id DROP NOT NULL;
ALTER TABLE appointments ADD COLUMN source_id TEXT REFERENCES sources (id);
-- Names the appointment in its source.
ALTER TABLE appointments ADD COLUMN external_id TEXT;
-- The source's own time of its newest message.
ALTER TABLE appointments ADD COLUMN source_changed_at INTEGER;
-- The same about the patient, where it sends changes of patients alone.
ALTER TABLE appointments ADD COLUMN contact_changed_at INTEGER;
ALTER TABLE appointments ADD COLUMN practitioner_id TEXT;
ALTER TABLE appointments ADD COLUMN practitioner_name TEXT;
-- A change that only the source can make, asked for here: cancel, move.
ALTER TABLE appointments ADD COLUMN wish TEXT;
ALTER TABLE appointments ADD COLUMN wished_at INTEGER;
-- The call in which the contact asked for it.
ALTER TABLE appointments ADD COLUMN wish_call_id TEXT;
-- The time that was asked for, in words.
ALTER TABLE appointments ADD COLUMN wish_text TEXT;
-- open, agreed, declined
ALTER TABLE appointments ADD COLUMN wish_state TEXT;
CREATE UNIQUE INDEX appointments_by_external_id ON appointments (source_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX appointments_wished ON appointments (organisation_id, wished_at, id) WHERE wish_state = 'open';
CREATE INDEX appointments_of_source ON appointments (source_id, date) WHERE source_id IS NOT NULL;
CREATE INDEX appointments_by_wish_call ON appointments (wish_call_id) WHERE wish_call_id IS NOT NULL;
