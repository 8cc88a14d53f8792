-- What /readyz inserts to know that a write finds room on the disk: an update of a row in its place needs none. One row at most stays.
CREATE TABLE write_probes (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;

-- A text of ours that the root key sealed when this database was first served: whether the key of a start is that one is known before
-- anything is opened with it.
CREATE TABLE key_checks (
  name TEXT PRIMARY KEY,
  sealed TEXT NOT NULL
) STRICT;
