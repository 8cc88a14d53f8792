-- Browsers on which a person has signed in before: whoever attacks their account from elsewhere does not slow them down.

CREATE TABLE known_devices (
  token_hash TEXT NOT NULL,
  person_id TEXT NOT NULL REFERENCES people (id),
  used_at INTEGER NOT NULL,
  PRIMARY KEY (token_hash, person_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_devices_by_person ON known_devices (person_id, used_at);
CREATE INDEX known_devices_by_use ON known_devices (used_at);
