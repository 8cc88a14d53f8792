-- The audit trail as a chain of sealed blocks; see src/audit. A block has the hashes of up to a hundred entries.
CREATE TABLE audit_blocks (
  sequence INTEGER PRIMARY KEY,
  -- Number of its first entry, counted from 1.
  first_number INTEGER NOT NULL,
  entry_count INTEGER NOT NULL,
  sealed_at INTEGER NOT NULL,
  -- Time of its newest entry.
  newest_at INTEGER NOT NULL,
  -- Separated by spaces, in the order of the chain.
  entry_ids TEXT NOT NULL,
  -- Their hashes in hex, in the same order, without separators.
  leaves TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

-- Entries that have no place in the chain yet.
CREATE TABLE audit_unsealed (
  id TEXT PRIMARY KEY,
  -- Ids of the entries, separated by spaces; empty: the entry with this id.
  entries TEXT NOT NULL
) STRICT;
INSERT INTO audit_unsealed (id, entries) SELECT id, '' FROM audit_entries;

-- Of entries about contacts, whose subject is replaced when the person is erased: the chain has a salted hash of the
-- subject. The salt is deleted with the subject.
ALTER TABLE audit_entries ADD COLUMN salt TEXT;
ALTER TABLE audit_entries ADD COLUMN commitment TEXT;

-- Signed heads of the chain, one a day and on demand.
CREATE TABLE audit_heads (
  -- Of the last block.
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  line TEXT NOT NULL
) STRICT;

-- Exports that were verified; only what they have may be pruned.
CREATE TABLE audit_exports (
  id TEXT PRIMARY KEY,
  file TEXT NOT NULL,
  first_block INTEGER NOT NULL,
  last_block INTEGER NOT NULL,
  -- Of the last block.
  last_hash TEXT NOT NULL,
  verified_at INTEGER NOT NULL
) STRICT;

-- The end of the pruned part, signed: the chain goes on from here. One row at most.
CREATE TABLE audit_stubs (
  -- Of the last pruned block.
  sequence INTEGER PRIMARY KEY,
  -- Number of the last pruned entry.
  last_number INTEGER NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  line TEXT NOT NULL
) STRICT;

-- How far a stream of the chain has come.
CREATE TABLE audit_positions (
  name TEXT PRIMARY KEY,
  -- Of the last block that was delivered.
  sequence INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
