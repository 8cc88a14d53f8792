-- A place that an API client holds until it books it: the key that holds it, and the service it is for. call_id is then
-- the hold's own id. Null: a call holds it.
ALTER TABLE slot_holds ADD COLUMN held_by TEXT;
ALTER TABLE slot_holds ADD COLUMN appointment_type_id TEXT;

-- SMART backend services: the public keys of a client that signs for its access tokens. Null: an API key with a secret.
ALTER TABLE api_keys ADD COLUMN jwks TEXT;

-- Assertions that were used for a token, by a hash of client and jti, until they expire: none is taken twice.
CREATE TABLE smart_assertions (
  id_hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX smart_assertions_by_expiry ON smart_assertions (expires_at);

-- FHIR Subscriptions are endpoints, told about the appointments that match their criteria. Null criteria: a webhook.
-- Payload: the media type of what is sent; empty for a notification without content. Until: Subscription.end.
ALTER TABLE webhook_endpoints ADD COLUMN fhir_criteria TEXT;
ALTER TABLE webhook_endpoints ADD COLUMN fhir_payload TEXT;
ALTER TABLE webhook_endpoints ADD COLUMN fhir_until INTEGER;
