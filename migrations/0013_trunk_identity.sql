-- Who a trunk's calls come from, how their numbers are written, and which dialled names ring which of its numbers.
-- A trunk that registers now calls in its account's name (from_user NULL): exchanges know an extension by it.
ALTER TABLE trunks ADD COLUMN from_user TEXT;
ALTER TABLE trunks ADD COLUMN identity_header TEXT NOT NULL DEFAULT 'auto';
ALTER TABLE trunks ADD COLUMN number_format TEXT NOT NULL DEFAULT 'e164';
ALTER TABLE trunks ADD COLUMN dial_prefix TEXT NOT NULL DEFAULT '';
ALTER TABLE trunks ADD COLUMN extensions TEXT NOT NULL DEFAULT '';
