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
