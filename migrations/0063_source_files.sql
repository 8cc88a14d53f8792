-- Files that sources of the kind folder delivered. Rows are applied in batches, and their count commits with them, so a
-- killed process continues where it stood.
CREATE TABLE source_files (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  source_id TEXT NOT NULL REFERENCES sources (id),
  name TEXT NOT NULL,
  -- Keyed hash of the content: the same content is not read twice.
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  -- waiting, asking, accepted, rejected, reading, done, faulty, repeated
  state TEXT NOT NULL,
  -- Why it waits or is at fault.
  reason TEXT,
  received_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- Number of the last row that is applied, as in the spreadsheet.
  last_row INTEGER NOT NULL,
  row_count INTEGER,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  faults INTEGER NOT NULL,
  cancelled INTEGER NOT NULL,
  -- Appointments that a complete list lacks, of how many that are known.
  absent INTEGER,
  known INTEGER,
  -- The most cancellations that a person has accepted.
  accepted INTEGER,
  campaign_id TEXT,
  -- Where it is now, below the folder of the source.
  moved_to TEXT
) STRICT;
CREATE UNIQUE INDEX source_files_open ON source_files (source_id) WHERE finished_at IS NULL;
CREATE INDEX source_files_by_source ON source_files (source_id, received_at, id);
CREATE INDEX source_files_by_hash ON source_files (source_id, hash);
CREATE INDEX source_files_finished ON source_files (finished_at, id) WHERE finished_at IS NOT NULL;
-- Those that may need a person.
CREATE INDEX source_files_by_state ON source_files (state) WHERE state IN ('waiting', 'asking', 'faulty');

-- Rows of an open file that were not applied. Deleted when they are in the file of faults.
CREATE TABLE source_file_faults (
  file_id TEXT NOT NULL REFERENCES source_files (id),
  row_number INTEGER NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (file_id, row_number)
) STRICT;

-- Folders of sources that cannot be read or written. No row: nothing is wrong.
CREATE TABLE source_folders (
  source_id TEXT PRIMARY KEY REFERENCES sources (id),
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  -- not_allowed, not_there, not_writable, disk_full, too_many, taken, failed
  problem TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT;
