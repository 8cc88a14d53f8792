-- Whether an agent may tell what a call is about before the callee has said who they are: 0 or 1.
ALTER TABLE agents ADD COLUMN open_announcements INTEGER NOT NULL DEFAULT 0;
-- A menu that was recorded before key 9 meant "do not call me again", and before a key said who is on the telephone: 0 or 1.
ALTER TABLE agent_prompts ADD COLUMN is_outdated INTEGER NOT NULL DEFAULT 0;
UPDATE agent_prompts SET is_outdated = 1 WHERE kind = 'menu';
