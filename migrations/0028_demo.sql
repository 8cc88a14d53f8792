-- How far the demo hospital's invented past has been made. No row: there is none to make.
CREATE TABLE demo_history (
  organisation_id TEXT PRIMARY KEY REFERENCES organisations (id) ON DELETE CASCADE,
  begins_at INTEGER NOT NULL,
  made_until INTEGER NOT NULL,
  -- 1: it reaches the present, and nothing is added any more.
  is_whole INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What the demo's own receiver was sent, as it came. It goes with its event.
CREATE TABLE demo_received (
  id INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  received_at INTEGER NOT NULL,
  -- JSON: name and value, in the order in which they were sent.
  headers TEXT NOT NULL,
  body TEXT NOT NULL,
  verdict TEXT NOT NULL
) STRICT;

CREATE INDEX demo_received_by_organisation ON demo_received (organisation_id, id);
CREATE INDEX demo_received_by_event ON demo_received (event_id);
