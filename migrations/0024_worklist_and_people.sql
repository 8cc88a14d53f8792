-- What a call came to, in one word: the disposition of a conversation, otherwise the code of what went wrong.
ALTER TABLE calls ADD COLUMN outcome TEXT;
UPDATE calls SET outcome = coalesce(
  error_code,
  (SELECT json_extract(analytics, '$.disposition') FROM call_results WHERE call_id = calls.id)
) WHERE finished_at IS NOT NULL;
CREATE INDEX calls_by_outcome ON calls (organisation_id, outcome, created_at, id) WHERE outcome IS NOT NULL;
-- The list narrowed to a day on which calls are planned.
CREATE INDEX calls_by_plan ON calls (organisation_id, scheduled_at, id);

-- How people like to see the list of calls. What they searched for is not among it: that would be a patient's name.
CREATE TABLE saved_filters (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  person_id TEXT NOT NULL REFERENCES people (id),
  name TEXT NOT NULL,
  -- JSON object.
  filters TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_filters_by_person ON saved_filters (person_id, created_at, id);

-- What somebody has to see to. Who it is about stands in the call alone.
CREATE TABLE worklist_items (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  -- See worklist/kinds.ts.
  kind TEXT NOT NULL,
  -- A call, trunk, endpoint or campaign.
  subject_id TEXT NOT NULL,
  -- One word that tells more, such as the code of a failed call.
  detail TEXT,
  created_at INTEGER NOT NULL,
  done_at INTEGER,
  done_by TEXT REFERENCES people (id)
) STRICT;
CREATE UNIQUE INDEX worklist_items_by_subject ON worklist_items (subject_id, kind);
CREATE INDEX worklist_items_open ON worklist_items (organisation_id, created_at, id) WHERE done_at IS NULL;
CREATE INDEX worklist_items_by_kind ON worklist_items (kind, organisation_id);
CREATE INDEX worklist_items_done ON worklist_items (organisation_id, done_at, id) WHERE done_at IS NOT NULL;

CREATE TRIGGER worklist_items_made AFTER INSERT ON worklist_items BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'worklist', NEW.id);
END;
CREATE TRIGGER worklist_items_altered AFTER UPDATE ON worklist_items BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'worklist', NEW.id);
END;
CREATE TRIGGER worklist_items_gone AFTER DELETE ON worklist_items BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (OLD.organisation_id, 'worklist', OLD.id);
END;

-- What colleagues should know of somebody who is called.
CREATE TABLE contact_notes (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  contact_number TEXT NOT NULL,
  text TEXT NOT NULL,
  -- Who wrote it.
  person_id TEXT NOT NULL REFERENCES people (id),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX contact_notes_by_number ON contact_notes (organisation_id, contact_number, created_at, id);
