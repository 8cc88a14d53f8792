-- Files of erased calls that are still to be removed. A row commits with the erasure and goes when its file is gone.
CREATE TABLE file_removals (
  -- recording or capture
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;
