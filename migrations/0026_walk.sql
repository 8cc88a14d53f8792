-- In which language somebody reads the dashboard; null follows their browser.
ALTER TABLE people ADD COLUMN language TEXT;

-- After so many minutes without a touch the dashboard asks for the password; 0 never.
ALTER TABLE organisations ADD COLUMN idle_lock_minutes INTEGER NOT NULL DEFAULT 15;

-- 1: the simulator placed the call, nobody's telephone rang.
ALTER TABLE calls ADD COLUMN simulated INTEGER NOT NULL DEFAULT 0;

-- Put away: no list offers them any more, and what they did stays readable.
ALTER TABLE agents ADD COLUMN archived_at INTEGER;
ALTER TABLE branches ADD COLUMN archived_at INTEGER;
-- A number that calls were made from stays for their sake.
ALTER TABLE phone_numbers ADD COLUMN removed_at INTEGER;

-- Since when the screen asks for the password; null where it does not.
ALTER TABLE sessions ADD COLUMN locked_at INTEGER;
