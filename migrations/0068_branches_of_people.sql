-- What a person may see beyond their role. branches: ids as a JSON list; null: the whole organisation. practitioner_id:
-- whose appointments a doctor sees.
ALTER TABLE people ADD COLUMN branches TEXT;
ALTER TABLE people ADD COLUMN practitioner_id TEXT;

-- The branch that a call belongs to, and the appointment that it is about. Empty branch: none. Null branch: the call is
-- older than this column, and its branch is the one of its agent.
ALTER TABLE calls ADD COLUMN branch_id TEXT;
ALTER TABLE calls ADD COLUMN about_appointment_id TEXT;

-- Appointments of a doctor.
CREATE INDEX appointments_by_practitioner ON appointments (organisation_id, practitioner_id, date, start_time, id)
  WHERE practitioner_id IS NOT NULL;
