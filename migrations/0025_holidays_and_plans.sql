-- Who placed an appointment last: one of the agent's that staff moved takes a place of the hospital's, not of the agent's.
ALTER TABLE appointments ADD COLUMN moved_by_hand_at INTEGER;

-- Windows, and what differs on single dates, in the log of changes. A booking changes how full a date is and names none of
-- these columns: it is told as an appointment.
CREATE TRIGGER windows_made AFTER INSERT ON windows BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'window', NEW.id);
END;
CREATE TRIGGER windows_altered AFTER UPDATE OF updated_at ON windows BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'window', NEW.id);
END;
CREATE TRIGGER window_dates_altered AFTER UPDATE OF max_slots, ai_slots, status ON window_dates BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id)
  SELECT organisation_id, 'window', id FROM windows WHERE id = NEW.window_id;
END;

-- Days on which branches, or one window, are closed. Closing and reopening go on in batches and survive a stop: the state says
-- what is still to do.
CREATE TABLE closures (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  name TEXT,
  from_date TEXT NOT NULL,
  to_date TEXT NOT NULL,
  -- Only this window of its branch; all of the branches' where null.
  window_id TEXT REFERENCES windows (id),
  -- closing, moving, calling, closed, reopening, reopened
  state TEXT NOT NULL,
  -- move, call or leave: for whoever is booked there and was not chosen for.
  otherwise TEXT NOT NULL,
  -- Who calls, and the calls that came of it.
  agent_id TEXT,
  campaign_id TEXT,
  -- Who ordered it: what is done later is done in their name.
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX closures_by_day ON closures (organisation_id, to_date, id);
CREATE INDEX closures_at_work ON closures (state, id) WHERE state IN ('closing', 'moving', 'calling', 'reopening');

CREATE TABLE closure_branches (
  closure_id TEXT NOT NULL REFERENCES closures (id),
  branch_id TEXT NOT NULL,
  PRIMARY KEY (closure_id, branch_id)
) STRICT, WITHOUT ROWID;

-- Each date that was closed, with what it said before, for reopening.
CREATE TABLE closure_dates (
  closure_id TEXT NOT NULL REFERENCES closures (id),
  window_id TEXT NOT NULL REFERENCES windows (id),
  date TEXT NOT NULL,
  status_before TEXT,
  PRIMARY KEY (closure_id, window_id, date)
) STRICT, WITHOUT ROWID;
CREATE INDEX closure_dates_by_window ON closure_dates (window_id, date);

-- What becomes of each who was booked there.
CREATE TABLE closure_people (
  closure_id TEXT NOT NULL REFERENCES closures (id),
  appointment_id TEXT NOT NULL REFERENCES appointments (id),
  -- Where they were booked.
  window_id TEXT NOT NULL,
  date TEXT NOT NULL,
  -- move, call or leave
  choice TEXT NOT NULL,
  -- The place that was shown to whoever chose; the next free one where null.
  to_window_id TEXT,
  to_date TEXT,
  -- waiting, done, refused (the place was taken meanwhile, or there is none), gone (moved or cancelled meanwhile)
  state TEXT NOT NULL,
  PRIMARY KEY (closure_id, appointment_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX closure_people_waiting ON closure_people (closure_id, choice) WHERE state = 'waiting';

-- iCalendar feeds: the secret of the address is kept as its hash.
CREATE TABLE calendar_feeds (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  branch_id TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  -- none, initials or names: what it tells of people.
  people TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branches (organisation_id, id)
) STRICT;
CREATE INDEX calendar_feeds_by_organisation ON calendar_feeds (organisation_id, created_at);
