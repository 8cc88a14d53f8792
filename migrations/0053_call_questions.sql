-- The address that an organisation has asked before each call, and the secret that signs the questions.
CREATE TABLE call_questions (
  organisation_id TEXT PRIMARY KEY REFERENCES organisations (id),
  url TEXT NOT NULL,
  -- open: without an answer the call goes out. closed: it waits.
  fails TEXT NOT NULL,
  sealed_secret TEXT NOT NULL,
  sealed_previous_secret TEXT,
  previous_secret_until INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
-- Whether the organisation has such an address: 0 or 1. The dispatcher reads organisations in every round anyway.
ALTER TABLE organisations ADD COLUMN asks_before_calls INTEGER NOT NULL DEFAULT 0;
