-- Words that an organisation wants its agents to say in their own way.
CREATE TABLE pronunciations (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  -- The word in small letters: it is found whatever its capitals.
  word_key TEXT NOT NULL,
  word TEXT NOT NULL,
  said TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, word_key)
) STRICT;
