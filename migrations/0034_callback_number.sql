-- Agents say it where a text names {{callback_number}}. Null: none is known.
ALTER TABLE organisations ADD COLUMN callback_number TEXT;
