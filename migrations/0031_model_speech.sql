-- How a language model may speak on an agent's calls: 'chosen' (our phrases and the owner's answers) or 'free' (its own words).
ALTER TABLE agents ADD COLUMN model_speech TEXT NOT NULL DEFAULT 'chosen';
-- What the owner lets an agent answer, word for word: a list in JSON (agents/approved-answers.ts).
ALTER TABLE agents ADD COLUMN approved_answers TEXT NOT NULL DEFAULT '[]';
