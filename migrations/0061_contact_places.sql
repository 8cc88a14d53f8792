-- Where the contact is, as given with the appointment or the entry: an IANA time zone, and the two letters of a US
-- state. Calls about it take both. Null: by area code.
ALTER TABLE appointments ADD COLUMN contact_time_zone TEXT;
ALTER TABLE appointments ADD COLUMN contact_region TEXT;
ALTER TABLE waiting_list ADD COLUMN contact_time_zone TEXT;
ALTER TABLE waiting_list ADD COLUMN contact_region TEXT;
