-- Everybody who is called or has an appointment, once by number and name, for searches by a part of either. Triggers keep it, but for new
-- calls (calls/people/contact-store.ts), for the reason in 0030_new_calls.sql. The newest known person has the highest id.
CREATE TABLE contacts (
  id INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL,
  contact_number TEXT NOT NULL,
  -- Empty where no name is known.
  contact_name TEXT NOT NULL,
  UNIQUE (organisation_id, contact_number, contact_name)
) STRICT;

INSERT INTO contacts (organisation_id, contact_number, contact_name)
  SELECT organisation_id, contact_number, contact_name FROM (
    SELECT organisation_id, contact_number, coalesce(contact_name, '') AS contact_name, created_at FROM calls
    UNION ALL
    SELECT organisation_id, contact_number, coalesce(contact_name, ''), created_at FROM appointments WHERE contact_number IS NOT NULL
  ) AS known GROUP BY organisation_id, contact_number, contact_name ORDER BY max(created_at);

-- Trigrams find a part of a text of three letters and more. SQLite alone: see db/postgres/parts.ts for the other. New people are put into
-- it some seconds later, many at once (calls/people/contact-index-store.ts): at once it would take a third of what a new call costs.
CREATE VIRTUAL TABLE contact_search USING fts5 (
  contact_name, contact_number, content = 'contacts', content_rowid = 'id', tokenize = 'trigram', detail = 'none'
);
INSERT INTO contact_search (contact_search) VALUES ('rebuild');

CREATE TRIGGER contacts_unlisted AFTER DELETE ON contacts WHEN EXISTS (SELECT 1 FROM contact_search_docsize WHERE id = OLD.id) BEGIN
  INSERT INTO contact_search (contact_search, rowid, contact_name, contact_number)
    VALUES ('delete', OLD.id, OLD.contact_name, OLD.contact_number);
END;

CREATE TRIGGER calls_unnamed AFTER DELETE ON calls BEGIN
  DELETE FROM contacts WHERE organisation_id = OLD.organisation_id AND contact_number = OLD.contact_number
    AND contact_name = coalesce(OLD.contact_name, '')
    AND NOT EXISTS (SELECT 1 FROM calls WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''))
    AND NOT EXISTS (SELECT 1 FROM appointments WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''));
END;
CREATE TRIGGER calls_renamed AFTER UPDATE OF contact_name, contact_number ON calls WHEN coalesce(NEW.contact_name, '') <> coalesce(OLD.contact_name, '') OR NEW.contact_number <> OLD.contact_number BEGIN
  DELETE FROM contacts WHERE organisation_id = OLD.organisation_id AND contact_number = OLD.contact_number
    AND contact_name = coalesce(OLD.contact_name, '')
    AND NOT EXISTS (SELECT 1 FROM calls WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''))
    AND NOT EXISTS (SELECT 1 FROM appointments WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''));
  INSERT INTO contacts (organisation_id, contact_number, contact_name)
    VALUES (NEW.organisation_id, NEW.contact_number, coalesce(NEW.contact_name, '')) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER appointments_named AFTER INSERT ON appointments WHEN NEW.contact_number IS NOT NULL BEGIN
  INSERT INTO contacts (organisation_id, contact_number, contact_name)
    VALUES (NEW.organisation_id, NEW.contact_number, coalesce(NEW.contact_name, '')) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER appointments_unnamed AFTER DELETE ON appointments WHEN OLD.contact_number IS NOT NULL BEGIN
  DELETE FROM contacts WHERE organisation_id = OLD.organisation_id AND contact_number = OLD.contact_number
    AND contact_name = coalesce(OLD.contact_name, '')
    AND NOT EXISTS (SELECT 1 FROM calls WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''))
    AND NOT EXISTS (SELECT 1 FROM appointments WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''));
END;
CREATE TRIGGER appointments_renamed AFTER UPDATE OF contact_name, contact_number ON appointments WHEN coalesce(NEW.contact_name, '') <> coalesce(OLD.contact_name, '') OR coalesce(NEW.contact_number, '') <> coalesce(OLD.contact_number, '') BEGIN
  DELETE FROM contacts WHERE organisation_id = OLD.organisation_id AND contact_number = OLD.contact_number
    AND contact_name = coalesce(OLD.contact_name, '')
    AND NOT EXISTS (SELECT 1 FROM calls WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''))
    AND NOT EXISTS (SELECT 1 FROM appointments WHERE organisation_id = OLD.organisation_id
      AND contact_number = OLD.contact_number AND coalesce(contact_name, '') = coalesce(OLD.contact_name, ''));
  INSERT INTO contacts (organisation_id, contact_number, contact_name)
    SELECT NEW.organisation_id, NEW.contact_number, coalesce(NEW.contact_name, '') WHERE NEW.contact_number IS NOT NULL
    ON CONFLICT DO NOTHING;
END;
