-- Who booked is forgotten some time after the date; the place stays counted. Null: not yet, or something was added since.

ALTER TABLE appointments ADD COLUMN contact_forgotten_at INTEGER;
CREATE INDEX appointments_to_forget ON appointments (date, id) WHERE contact_forgotten_at IS NULL;
CREATE INDEX appointments_forgotten ON appointments (contact_forgotten_at) WHERE contact_forgotten_at IS NOT NULL;
