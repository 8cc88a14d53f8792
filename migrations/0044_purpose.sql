-- Why an agent calls (transactional, service or promotional), and its registrations with the operators' ledger of India
-- (DLT): the hospital's entity id and the template's id. Digits; null: not registered.
ALTER TABLE agents ADD COLUMN purpose TEXT NOT NULL DEFAULT 'service';
ALTER TABLE agents ADD COLUMN dlt_entity_id TEXT;
ALTER TABLE agents ADD COLUMN dlt_template_id TEXT;
