-- A new call notes its change itself (db/noted-changes.ts). For a trigger on an insert SQLite copies every page that the insert
-- touches, one for each of the call's indexes, in case the trigger fails: more than half of what the insert took.
DROP TRIGGER calls_made;
