-- The audit trail is narrowed to a person or a key, to a record and to an action, the newest first. The id is in each: without it
-- SQLite prefers the index by time, which is in the order asked for, and passes every entry of the others.
CREATE INDEX audit_entries_by_actor ON audit_entries (organisation_id, actor_id, at, id) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_entries_by_subject ON audit_entries (organisation_id, subject_id, at, id) WHERE subject_id IS NOT NULL;
CREATE INDEX audit_entries_by_action ON audit_entries (organisation_id, action, at, id);
-- Appointments of a day, at every branch.
CREATE INDEX appointments_on_day ON appointments (organisation_id, date, created_at, id);
