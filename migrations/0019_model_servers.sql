-- An organisation's own model servers (OpenAI-compatible), and which of them an agent uses.
CREATE TABLE model_servers (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('language', 'recognition', 'voice')),
  base_url TEXT NOT NULL,
  sealed_key TEXT,
  model TEXT NOT NULL,
  voice TEXT NOT NULL,
  -- Space-separated; empty: every language.
  languages TEXT NOT NULL,
  ca_pem TEXT,
  first_ms INTEGER NOT NULL,
  total_ms INTEGER NOT NULL,
  is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (organisation_id, name)
) STRICT;

-- Where an agent chose for itself; without a row, the organisation's default serves.
CREATE TABLE agent_model_servers (
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('language', 'recognition', 'voice')),
  -- A model server's id, "settings:NAME" of one in the configuration, or "builtin".
  server_id TEXT NOT NULL,
  PRIMARY KEY (agent_id, role)
) STRICT;
