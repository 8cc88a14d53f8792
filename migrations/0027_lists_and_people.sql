-- A person is looked for by number on every list when they are erased, and on the waiting list when they are booked.
CREATE INDEX campaign_rows_by_contact ON campaign_rows (contact_number) WHERE contact_number IS NOT NULL;
CREATE INDEX waiting_list_by_contact ON waiting_list (organisation_id, contact_number);

-- Two people may hand in the same list at once: a keyed hash tells, and says nothing of who is on it.
ALTER TABLE campaigns ADD COLUMN list_hash TEXT;
-- The closed days that it calls about; reopening them stops it.
ALTER TABLE campaigns ADD COLUMN closure_id TEXT;
CREATE INDEX campaigns_by_closure ON campaigns (closure_id) WHERE closure_id IS NOT NULL;
