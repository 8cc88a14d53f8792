-- Who waits for a place, what is offered to whom at the moment, and which places have opened.

CREATE TABLE waiting_list (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  branch_id TEXT NOT NULL,
  -- Null: any service of the branch.
  appointment_type_id TEXT,
  -- Who calls. Null: nobody yet, because the organisation had no agent that could.
  agent_id TEXT REFERENCES agents (id),
  contact_name TEXT,
  contact_number TEXT NOT NULL,
  contact_email TEXT,
  from_date TEXT NOT NULL,
  to_date TEXT NOT NULL,
  -- Names of sessions with a space in between; empty: any.
  sessions TEXT NOT NULL,
  notes TEXT,
  -- waiting, offered (is being called), booked, left (they), removed (we), expired
  state TEXT NOT NULL,
  -- ai, api, dashboard: whose places count, and as whose booking it is made.
  source TEXT NOT NULL,
  -- The call in which they were put on the list.
  call_id TEXT,
  appointment_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX waiting_list_by_turn ON waiting_list (organisation_id, state, branch_id, created_at, id);
CREATE INDEX waiting_list_by_call ON waiting_list (call_id) WHERE call_id IS NOT NULL;
CREATE INDEX waiting_list_by_end ON waiting_list (state, to_date);
CREATE INDEX waiting_list_by_age ON waiting_list (state, updated_at);

-- A place that is, or was, offered to one of them in a call. The place itself is kept by a row of slot_holds.
CREATE TABLE waiting_offers (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  entry_id TEXT NOT NULL REFERENCES waiting_list (id),
  window_id TEXT NOT NULL REFERENCES windows (id),
  date TEXT NOT NULL,
  call_id TEXT NOT NULL,
  -- calling, booked, declined, left, unanswered, undialled
  state TEXT NOT NULL,
  offered_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE UNIQUE INDEX waiting_offers_by_call ON waiting_offers (call_id);
CREATE INDEX waiting_offers_by_entry ON waiting_offers (entry_id, offered_at);
CREATE INDEX waiting_offers_by_place ON waiting_offers (window_id, date, offered_at);
CREATE INDEX waiting_offers_under_way ON waiting_offers (state, offered_at);

-- Places that have opened and may suit somebody, written in the transaction that opens them.
CREATE TABLE waiting_openings (
  window_id TEXT NOT NULL REFERENCES windows (id),
  -- Empty: the window as a whole, on each of its dates.
  date TEXT NOT NULL,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  opened_at INTEGER NOT NULL,
  -- When to look at it next.
  next_at INTEGER NOT NULL,
  PRIMARY KEY (window_id, date)
) STRICT;
CREATE INDEX waiting_openings_due ON waiting_openings (next_at);

CREATE TRIGGER waiting_list_made AFTER INSERT ON waiting_list BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'waiting', NEW.id);
END;
CREATE TRIGGER waiting_list_altered AFTER UPDATE OF updated_at ON waiting_list BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'waiting', NEW.id);
END;
