-- An audit entry of a read person names them by an id that opens their number. When they are erased, these entries are found by it.
CREATE INDEX audit_entries_of_contacts ON audit_entries (subject_id) WHERE action = 'contact.read';
