-- The facts on which a call was dialled, refused or received: JSON (DialBasis in payloads/lawful.ts), without name or
-- number. Apart from the calls, because a longer row made every later change of a call more expensive.
CREATE TABLE dial_bases (
  call_id TEXT PRIMARY KEY REFERENCES calls (id) ON DELETE CASCADE,
  basis TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Dialled calls that count against the limits of calls to one number, over all agents and campaigns. Independent of calls: erasing
-- a call does not allow another one. The number is a keyed hash, so a row tells nothing about a person. Kept for eight days.
CREATE TABLE dialled_numbers (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  number_hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, number_hash, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX dialled_numbers_by_time ON dialled_numbers (at);
