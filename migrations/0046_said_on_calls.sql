-- What was said on a call outside the conversation, and what came of its recording: JSON, see payloads/lawful.ts.
ALTER TABLE call_results ADD COLUMN notices TEXT;
ALTER TABLE call_results ADD COLUMN recording TEXT;
-- When the recording was removed before the call itself; see recordings.keep_days.
ALTER TABLE call_results ADD COLUMN recording_expired_at INTEGER;
