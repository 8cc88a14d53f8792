-- The person of an event about a consent, so that it is erased with them: it may belong to no call and no appointment.
ALTER TABLE events ADD COLUMN contact_number TEXT;
CREATE INDEX events_by_contact ON events (organisation_id, contact_number) WHERE contact_number IS NOT NULL;
