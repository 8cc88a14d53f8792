-- Names of two letters have no three that the index of trigrams could hold. They are few, and are found by the whole name.
CREATE INDEX contacts_of_two_letters ON contacts (lower(contact_name)) WHERE length(contact_name) = 2;
