-- Messages that came in over HL7, with their answers. Kept for a limited time.
CREATE TABLE hl7_messages (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  source_id TEXT NOT NULL REFERENCES sources (id),
  -- MSH-10, and a keyed hash of all of the message: together they tell a repetition from a control id that is used again.
  control_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  -- SIU^S12
  type TEXT NOT NULL,
  version TEXT NOT NULL,
  peer TEXT NOT NULL,
  -- created, updated, unchanged, stale, merged or refused
  outcome TEXT NOT NULL,
  -- AA, AE, AR
  code TEXT NOT NULL,
  reason TEXT,
  -- What had to be guessed: JSON.
  notes TEXT NOT NULL,
  appointment_id TEXT,
  -- Sent again to a repetition.
  answer TEXT NOT NULL,
  -- The message without the patient's data.
  masked TEXT NOT NULL,
  -- Encrypted, of refused messages alone: for another try after its cause was removed.
  sealed_message TEXT,
  -- Of refused messages, for erasure.
  contact_number TEXT,
  times_received INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX hl7_messages_by_content ON hl7_messages (source_id, control_id, digest);
CREATE INDEX hl7_messages_by_time ON hl7_messages (organisation_id, created_at, id);
CREATE INDEX hl7_messages_by_source ON hl7_messages (source_id, created_at, id);
CREATE INDEX hl7_messages_kept_whole ON hl7_messages (source_id, created_at, id) WHERE sealed_message IS NOT NULL;
CREATE INDEX hl7_messages_by_age ON hl7_messages (created_at);
CREATE INDEX hl7_messages_by_contact ON hl7_messages (organisation_id, contact_number) WHERE contact_number IS NOT NULL;

-- Endpoints of kind hl7 belong to a source and receive what people said about its appointments.
ALTER TABLE webhook_endpoints ADD COLUMN kind TEXT NOT NULL DEFAULT 'webhook';
ALTER TABLE webhook_endpoints ADD COLUMN source_id TEXT REFERENCES sources (id);
CREATE UNIQUE INDEX webhook_endpoints_by_source ON webhook_endpoints (source_id) WHERE source_id IS NOT NULL;
