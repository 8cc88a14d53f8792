-- Where the callee is, as given with the call: an IANA time zone, and the two letters of a US state. Null: by area code.
ALTER TABLE calls ADD COLUMN contact_time_zone TEXT;
ALTER TABLE calls ADD COLUMN contact_region TEXT;
ALTER TABLE campaign_rows ADD COLUMN contact_time_zone TEXT;
ALTER TABLE campaign_rows ADD COLUMN contact_region TEXT;
