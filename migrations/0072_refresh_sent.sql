-- When a refresh token was sent to its provider without a kept answer. The provider may have replaced it since.
ALTER TABLE directory_people ADD COLUMN refresh_sent_at INTEGER;
