-- Purpose of further calls for which the agent asks consent before the goodbye. Null: it does not ask.
ALTER TABLE agents ADD COLUMN asks_consent_for TEXT;
