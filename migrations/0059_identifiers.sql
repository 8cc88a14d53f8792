-- What the hospital's systems know a patient by: JSON text, a list of {"system", "value"}; null where none is given.
ALTER TABLE calls ADD COLUMN user_identifiers TEXT;
ALTER TABLE appointments ADD COLUMN contact_identifiers TEXT;
ALTER TABLE waiting_list ADD COLUMN contact_identifiers TEXT;
ALTER TABLE campaign_rows ADD COLUMN user_identifiers TEXT;

-- The identifiers of calls and appointments, one row each, for searches. Written with the call or appointment
-- (calendar/identifier-store.ts); the triggers below remove and rename.
CREATE TABLE contact_identifiers (
  -- The call or appointment that has it.
  subject_id TEXT NOT NULL,
  organisation_id TEXT NOT NULL,
  system TEXT NOT NULL,
  value TEXT NOT NULL,
  -- The value without case, spaces and hyphens.
  value_key TEXT NOT NULL,
  -- Empty where unknown.
  number TEXT NOT NULL,
  name TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (subject_id, system, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_identifiers_by_value ON contact_identifiers (organisation_id, value_key);
CREATE INDEX contact_identifiers_by_number ON contact_identifiers (organisation_id, number);

CREATE TRIGGER calls_unidentified AFTER DELETE ON calls WHEN OLD.user_identifiers IS NOT NULL BEGIN
  DELETE FROM contact_identifiers WHERE subject_id = OLD.id;
END;
CREATE TRIGGER calls_identified_anew AFTER UPDATE OF contact_name, contact_number ON calls WHEN NEW.user_identifiers IS NOT NULL BEGIN
  UPDATE contact_identifiers SET number = NEW.contact_number, name = coalesce(NEW.contact_name, '') WHERE subject_id = NEW.id;
END;

CREATE TRIGGER appointments_unidentified AFTER DELETE ON appointments WHEN OLD.contact_identifiers IS NOT NULL BEGIN
  DELETE FROM contact_identifiers WHERE subject_id = OLD.id;
END;
CREATE TRIGGER appointments_no_longer_identified AFTER UPDATE OF contact_identifiers ON appointments WHEN NEW.contact_identifiers IS NULL AND OLD.contact_identifiers IS NOT NULL BEGIN
  DELETE FROM contact_identifiers WHERE subject_id = OLD.id;
END;
CREATE TRIGGER appointments_identified_anew AFTER UPDATE OF contact_name, contact_number ON appointments WHEN NEW.contact_identifiers IS NOT NULL BEGIN
  UPDATE contact_identifiers SET number = coalesce(NEW.contact_number, ''), name = coalesce(NEW.contact_name, '') WHERE subject_id = NEW.id;
END;
