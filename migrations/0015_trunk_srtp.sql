-- Whether a trunk's audio is encrypted: off, preferred or required. It takes TLS; over UDP and TCP preferred is as off, so
-- only trunks over TLS begin to offer it.
ALTER TABLE trunks ADD COLUMN srtp TEXT NOT NULL DEFAULT 'preferred' CHECK (srtp IN ('off', 'preferred', 'required'));
