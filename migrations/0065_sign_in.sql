-- How people sign in beyond the password, and where they are signed in.

-- Roles that need a second factor, as words.
ALTER TABLE organisations ADD COLUMN second_factor_roles TEXT NOT NULL DEFAULT '';

-- The proof of the sign-in and the second one, the browser and address, and the moment after which no use extends it.
ALTER TABLE sessions ADD COLUMN method TEXT NOT NULL DEFAULT 'password';
ALTER TABLE sessions ADD COLUMN factor TEXT;
ALTER TABLE sessions ADD COLUMN user_agent TEXT;
ALTER TABLE sessions ADD COLUMN source TEXT;
ALTER TABLE sessions ADD COLUMN is_new_device INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN ends_at INTEGER;

-- Secrets of authenticator apps. Null confirmed_at: no first code was given yet.
CREATE TABLE totp_secrets (
  id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id),
  sealed_secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER
) STRICT;
CREATE INDEX totp_secrets_by_person ON totp_secrets (person_id);

CREATE TABLE recovery_codes (
  code_hash TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id),
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX recovery_codes_by_person ON recovery_codes (person_id);

-- Public keys of passkeys (WebAuthn). rp_id: the host name that they belong to.
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id),
  credential_id TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  rp_id TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX passkeys_by_person ON passkeys (person_id);

-- Codes, challenges and steps of a sign-in that were used, by hash: none is taken twice.
CREATE TABLE spent_proofs (
  proof_hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX spent_proofs_by_expiry ON spent_proofs (expires_at);

-- The sealed emergency account of an organisation. Null sealed_at: it was used and is not sealed again.
CREATE TABLE break_glass (
  organisation_id TEXT PRIMARY KEY REFERENCES organisations (id),
  person_id TEXT NOT NULL UNIQUE REFERENCES people (id),
  sealed_at INTEGER,
  used_at INTEGER,
  used_from TEXT,
  acknowledged_at INTEGER,
  acknowledged_by TEXT,
  reason TEXT
) STRICT;
