-- Lists of people who are called one after the other, at a pace.
CREATE TABLE campaigns (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  agent_id TEXT NOT NULL REFERENCES agents (id),
  name TEXT NOT NULL,
  -- preparing, ready, running, paused, stopped or finished
  state TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  start_at INTEGER NOT NULL,
  calls_per_minute INTEGER NOT NULL,
  -- JSON: narrower than the agent's own.
  calling_hours TEXT,
  -- JSON: outcome, how many more calls, after how many minutes.
  retry TEXT NOT NULL,
  -- The pace: no call of it goes out earlier.
  next_call_at INTEGER NOT NULL,
  -- When the feeder looks at it again; null where only a person or the end of a call brings work.
  look_at INTEGER,
  created_at INTEGER NOT NULL,
  -- Of its state, not of its progress.
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- When the people on it were forgotten.
  forgotten_at INTEGER
) STRICT;
CREATE INDEX campaigns_newest ON campaigns (organisation_id, created_at, id);
CREATE INDEX campaigns_due ON campaigns (look_at, id) WHERE look_at IS NOT NULL;

CREATE TABLE campaign_rows (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  -- As the person who brought the list counts, from 1.
  row_number INTEGER NOT NULL,
  -- waiting, calling, done or cancelled
  state TEXT NOT NULL,
  outcome TEXT,
  -- How many calls were made of it.
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  -- The newest of them.
  call_id TEXT,
  contact_number TEXT,
  contact_name TEXT,
  contact_email TEXT,
  preferred_language TEXT,
  additional_info TEXT,
  PRIMARY KEY (campaign_id, row_number)
) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_rows_waiting ON campaign_rows (campaign_id, due_at, row_number) WHERE state = 'waiting';
CREATE INDEX campaign_rows_counted ON campaign_rows (campaign_id, state, outcome);
CREATE INDEX campaign_rows_by_call ON campaign_rows (call_id) WHERE call_id IS NOT NULL;

ALTER TABLE calls ADD COLUMN campaign_id TEXT;
-- Outcomes after which its campaign calls again, space-separated; the agent's own policy is for calls without a campaign.
ALTER TABLE calls ADD COLUMN campaign_retries TEXT;
-- JSON: hours of its own, within the agent's.
ALTER TABLE calls ADD COLUMN calling_hours TEXT;
CREATE INDEX calls_by_campaign ON calls (campaign_id, created_at, id) WHERE campaign_id IS NOT NULL;
CREATE INDEX calls_not_begun ON calls (campaign_id) WHERE campaign_id IS NOT NULL AND state IN ('scheduled', 'queued');

CREATE TRIGGER campaigns_made AFTER INSERT ON campaigns BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'campaign', NEW.id);
END;
CREATE TRIGGER campaigns_altered AFTER UPDATE OF updated_at ON campaigns BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'campaign', NEW.id);
END;
