-- Signing keys of proofs. The private part is sealed with the root key, and deleted when another key replaces it; public keys stay.
CREATE TABLE proof_keys (
  -- Ed25519, in hex.
  public_key TEXT PRIMARY KEY,
  sealed_seed TEXT,
  created_at INTEGER NOT NULL,
  retired_at INTEGER
) STRICT;

-- Calls that ended and whose proof is not sealed yet. It outlives the erasure of the call, and has no personal data.
CREATE TABLE unsealed_proofs (
  call_id TEXT PRIMARY KEY,
  ended_at INTEGER NOT NULL,
  -- JSON; see rules/proof/record.ts.
  facts TEXT NOT NULL
) STRICT;

-- Proofs, in the order of the appliance's chain. No row is ever changed or deleted.
CREATE TABLE proofs (
  sequence INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  own_sequence INTEGER NOT NULL,
  call_id TEXT NOT NULL,
  sealed_at INTEGER NOT NULL,
  hash TEXT NOT NULL,
  -- The whole proof, as it is downloaded.
  line TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX proofs_by_call ON proofs (call_id);
CREATE UNIQUE INDEX proofs_of_organisation ON proofs (organisation_id, own_sequence);
CREATE INDEX proofs_by_time ON proofs (organisation_id, sealed_at, own_sequence);
