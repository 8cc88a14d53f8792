-- Audit entries of reads that were noted together, as one row: an entry in its place touches five indexes, and a busy integrator reads
-- thousands of calls a second. They are moved to audit_entries soon after, and before anybody searches there; see
-- accounts/audit-batches.ts.
CREATE TABLE audit_batches (
  id TEXT PRIMARY KEY,
  entries INTEGER NOT NULL,
  -- JSON, without personal data.
  notes TEXT NOT NULL
) STRICT;
