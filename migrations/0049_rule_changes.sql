-- What an organisation changed in the rule books (config/rules). Append-only, except for is_current.
CREATE TABLE rule_changes (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  -- Counts the organisation's changes from 1.
  revision INTEGER NOT NULL,
  rule_id TEXT NOT NULL,
  -- JSON. Null: back to the value of the book.
  value TEXT,
  -- Whether the value is looser than the one of the book at that time. Then there is a reason.
  is_looser INTEGER NOT NULL,
  reason TEXT,
  -- Version of the book at that time.
  book TEXT NOT NULL,
  -- Whether it is the newest change of its rule.
  is_current INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  PRIMARY KEY (organisation_id, revision)
) STRICT;
CREATE UNIQUE INDEX rule_changes_current ON rule_changes (organisation_id, rule_id) WHERE is_current = 1;
