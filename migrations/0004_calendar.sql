-- Branches and services as the hospital's own system names them, weekly windows, their dates, appointments and holds.

CREATE TABLE branches (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  id TEXT NOT NULL,
  name TEXT,
  time_zone TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, id)
) STRICT;

CREATE TABLE appointment_types (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  id TEXT NOT NULL,
  name TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, id)
) STRICT;

CREATE TABLE windows (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  branch_id TEXT NOT NULL,
  day TEXT NOT NULL,
  session TEXT NOT NULL,
  batch TEXT,
  start_time TEXT NOT NULL,
  end_time TEXT NOT NULL,
  appointment_type_id TEXT,
  max_slots INTEGER NOT NULL,
  ai_slots INTEGER NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branches (organisation_id, id)
) STRICT;
CREATE INDEX windows_by_branch ON windows (organisation_id, branch_id, day, start_time, id);

-- One window on one date: what differs there, and how full it is. Absent while nothing differs and nobody is booked.
CREATE TABLE window_dates (
  window_id TEXT NOT NULL REFERENCES windows (id),
  date TEXT NOT NULL,
  max_slots INTEGER,
  ai_slots INTEGER,
  status TEXT,
  filled INTEGER NOT NULL,
  ai_filled INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (window_id, date)
) STRICT;

CREATE TABLE appointments (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  window_id TEXT NOT NULL REFERENCES windows (id),
  branch_id TEXT NOT NULL,
  date TEXT NOT NULL,
  start_time TEXT NOT NULL,
  end_time TEXT NOT NULL,
  batch TEXT,
  appointment_type_id TEXT,
  status TEXT NOT NULL,
  contact_name TEXT,
  contact_number TEXT,
  contact_email TEXT,
  notes TEXT,
  source TEXT NOT NULL,
  call_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  cancelled_at INTEGER,
  completed_at INTEGER
) STRICT;
CREATE INDEX appointments_newest ON appointments (organisation_id, created_at, id);
CREATE INDEX appointments_by_date ON appointments (organisation_id, branch_id, date, start_time, id);
CREATE INDEX appointments_by_window ON appointments (window_id, date);
CREATE INDEX appointments_by_call ON appointments (call_id) WHERE call_id IS NOT NULL;

-- A place kept for a caller while the agent offers it.
CREATE TABLE slot_holds (
  id TEXT PRIMARY KEY,
  window_id TEXT NOT NULL REFERENCES windows (id),
  date TEXT NOT NULL,
  call_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX slot_holds_by_window ON slot_holds (window_id, date, expires_at);
CREATE INDEX slot_holds_by_call ON slot_holds (call_id);
CREATE INDEX slot_holds_by_expiry ON slot_holds (expires_at);

-- Where an agent books for, unless the call itself says.
ALTER TABLE agents ADD COLUMN branch_id TEXT;
ALTER TABLE agents ADD COLUMN appointment_type_id TEXT;
