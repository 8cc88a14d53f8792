-- What a carrier needs to end its side of a call after a crash of ours: the ids of its dialog. Only while the call lives.
CREATE TABLE call_legs (
  call_id TEXT PRIMARY KEY REFERENCES calls (id),
  -- The carrier's own words; JSON.
  leg TEXT NOT NULL,
  kept_at INTEGER NOT NULL
) STRICT;
