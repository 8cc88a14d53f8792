-- How calls are recorded: announce, ask or off. Null: as the appliance (recordings.mode) or the organisation. The
-- strictest wins, and the rules of country and state are above all; see rules/recording-mode.ts.
ALTER TABLE organisations ADD COLUMN recording_mode TEXT;
ALTER TABLE agents ADD COLUMN recording_mode TEXT;
-- Recordings by age, for recordings.keep_days.
CREATE INDEX calls_recorded ON calls (finished_at, id) WHERE recording_file IS NOT NULL AND finished_at IS NOT NULL;
