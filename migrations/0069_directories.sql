-- People of the hospital's own directories: OpenID Connect providers, LDAP and Active Directory.

-- issuer and subject name the person in the directory; neither is given to another person later. confirmed_at: the
-- directory last confirmed the person. tried_at: it was last asked. unreachable_since: it has not answered since.
CREATE TABLE directory_people (
  person_id TEXT PRIMARY KEY REFERENCES people (id),
  directory TEXT NOT NULL,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  sealed_refresh_token TEXT,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER NOT NULL,
  tried_at INTEGER NOT NULL,
  unreachable_since INTEGER
) STRICT;
CREATE UNIQUE INDEX directory_people_by_subject ON directory_people (directory, issuer, subject);
