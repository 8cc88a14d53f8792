-- What changed, in the order in which it was committed, for pages that update by themselves. One writer at a time gives the
-- numbers out, so that they grow with every commit whatever the clock does. At least the newest 5,000 are kept: whoever was
-- away for longer loads anew.
CREATE TABLE changes (
  sequence INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL,
  -- call or appointment
  kind TEXT NOT NULL,
  subject_id TEXT NOT NULL
) STRICT;

CREATE TRIGGER calls_made AFTER INSERT ON calls BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'call', NEW.id);
END;
CREATE TRIGGER calls_altered AFTER UPDATE OF updated_at ON calls BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'call', NEW.id);
END;
CREATE TRIGGER appointments_made AFTER INSERT ON appointments BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'appointment', NEW.id);
END;
CREATE TRIGGER appointments_altered AFTER UPDATE OF updated_at ON appointments BEGIN
  INSERT INTO changes (organisation_id, kind, subject_id) VALUES (NEW.organisation_id, 'appointment', NEW.id);
END;
-- By the hundred: deleting one for each that comes doubled what a change of state costs.
CREATE TRIGGER changes_kept AFTER INSERT ON changes WHEN NEW.sequence % 500 = 0 BEGIN
  DELETE FROM changes WHERE sequence <= NEW.sequence - 5000;
END;
