-- How far this database has come, counted rather than timed: the data folder remembers the newest count that it saw
-- (lineage.json), and a database that is behind it was put back to an older state. One row, written by the running server.
CREATE TABLE lineage (
  -- Random, made once: which database this is, copies and dumps included.
  line TEXT PRIMARY KEY,
  beat INTEGER NOT NULL,
  beat_at INTEGER NOT NULL,
  -- The data folder that served it last, and 1 where that server stopped in order.
  folder TEXT NOT NULL,
  is_stopped INTEGER NOT NULL DEFAULT 0,
  -- When it was found to be older than the appliance, and its last sign of life at that moment; null once all is decided.
  behind_at INTEGER,
  behind_since INTEGER
) STRICT;

-- Since when something outside the queue (a trunk that is down, a clock in doubt) has kept a waiting call from going out.
ALTER TABLE calls ADD COLUMN blocked_since INTEGER;
-- A person released it from a hold: it goes out at a pace.
ALTER TABLE calls ADD COLUMN released_at INTEGER;
-- After how many minutes a call of this agent that could not go out is overdue; null: calls.latest_minutes of the settings.
ALTER TABLE agents ADD COLUMN latest_minutes INTEGER;
