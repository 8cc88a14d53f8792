-- Every state that an agent has been in, with who made it so and when. `fields` is the agent as JSON, `changed` the names of
-- the fields that differ from the version before.
CREATE TABLE agent_versions (
  agent_id TEXT NOT NULL REFERENCES agents (id),
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  -- The version that was brought back.
  restored_from INTEGER,
  changed TEXT NOT NULL,
  fields TEXT NOT NULL,
  PRIMARY KEY (agent_id, version)
) STRICT, WITHOUT ROWID;

-- What the hospital wants to know from every call of an agent: a list in JSON (agents/analysis-fields.ts).
ALTER TABLE agents ADD COLUMN analysis_fields TEXT NOT NULL DEFAULT '[]';

-- Agents that are there already begin with what they are.
INSERT INTO agent_versions (agent_id, version, at, actor_kind, actor_id, restored_from, changed, fields)
SELECT id, 1, updated_at, 'system', NULL, NULL, '[]', json_object(
  'type', type,
  'name', name,
  'language', language,
  'voice', voice,
  'prompt', prompt,
  'greeting', greeting,
  'retry_attempts', retry_attempts,
  'retry_minutes', retry_minutes,
  'retry_outcomes', json(CASE retry_outcomes WHEN '' THEN '[]' ELSE '["' || replace(retry_outcomes, ' ', '","') || '"]' END),
  'calling_hours', json(calling_hours),
  'branch_id', branch_id,
  'appointment_type_id', appointment_type_id,
  'transfer_to', transfer_to,
  'analysis_fields', json('[]')
) FROM agents;

-- Calls that have ended and whose analysis is not there yet: what the rules made of them, and until when the model is waited
-- for. `call.completed` goes out when the row goes.
CREATE TABLE pending_analyses (
  call_id TEXT PRIMARY KEY REFERENCES calls (id),
  deadline_at INTEGER NOT NULL,
  -- JSON: analytics and details by the rules.
  rules TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_analyses_by_deadline ON pending_analyses (deadline_at);
