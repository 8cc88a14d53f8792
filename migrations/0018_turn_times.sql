-- How quick the agent was, turn by turn: a list in JSON. Null for calls with an agent that does not listen.
ALTER TABLE call_results ADD COLUMN turn_times TEXT;
