-- Reminders of appointments: the rules by which they are made, and one row for each that is planned, made or given up.
CREATE TABLE reminder_rules (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  -- Null: every branch, every service.
  branch_id TEXT,
  appointment_type_id TEXT,
  agent_id TEXT NOT NULL REFERENCES agents (id),
  -- day_before (days_before, at_minute) or hours_before (hours_before)
  timing TEXT NOT NULL,
  days_before INTEGER NOT NULL,
  at_minute INTEGER NOT NULL,
  hours_before INTEGER NOT NULL,
  -- Minutes of the branch's day between which people are called.
  from_minute INTEGER NOT NULL,
  to_minute INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  retry_minutes INTEGER NOT NULL,
  -- Whoever booked less than this before the reminder's time is not called.
  settle_hours INTEGER NOT NULL,
  skip_confirmed INTEGER NOT NULL,
  -- JSON (campaigns/reminders/placeholder-sources.ts).
  placeholders TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  -- Grows with every change: a reminder that was planned by an older one is planned anew.
  revision INTEGER NOT NULL,
  -- How far the appointments have been gone through since the last change; null when all have.
  plan_after TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
CREATE INDEX reminder_rules_of ON reminder_rules (organisation_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX reminder_rules_to_plan ON reminder_rules (id) WHERE plan_after IS NOT NULL;

CREATE TABLE reminders (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  -- Null where somebody asked for it by hand and no rule says how.
  rule_id TEXT REFERENCES reminder_rules (id),
  rule_revision INTEGER NOT NULL,
  agent_id TEXT NOT NULL,
  by_hand INTEGER NOT NULL,
  appointment_id TEXT NOT NULL REFERENCES appointments (id),
  -- The time that it reminds of.
  date TEXT NOT NULL,
  start_time TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  -- pending, calling, done or cancelled
  state TEXT NOT NULL,
  -- What came of it, or why it was not made.
  outcome TEXT,
  due_at INTEGER NOT NULL,
  -- When the scheduler looks at it again.
  next_at INTEGER,
  -- Calls that have ended.
  attempts INTEGER NOT NULL,
  call_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
-- Nobody is reminded twice of one time by one rule, whatever dies in between.
CREATE UNIQUE INDEX reminders_once ON reminders (rule_id, appointment_id, date, start_time) WHERE by_hand = 0;
CREATE UNIQUE INDEX reminders_once_by_hand ON reminders (appointment_id) WHERE by_hand = 1 AND state IN ('pending', 'calling');
CREATE INDEX reminders_next ON reminders (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX reminders_by_call ON reminders (call_id) WHERE call_id IS NOT NULL;
CREATE INDEX reminders_by_appointment ON reminders (appointment_id);
CREATE INDEX reminders_open ON reminders (organisation_id, due_at, id) WHERE state IN ('pending', 'calling');
CREATE INDEX reminders_closed ON reminders (organisation_id, updated_at, id) WHERE state IN ('done', 'cancelled');
CREATE INDEX reminders_by_rule ON reminders (rule_id) WHERE state IN ('pending', 'calling');
CREATE INDEX reminders_by_start ON reminders (starts_at);

-- The patient moved or cancelled it themselves, on the telephone.
ALTER TABLE appointments ADD COLUMN contact_moved_at INTEGER;
ALTER TABLE appointments ADD COLUMN contact_cancelled_at INTEGER;
