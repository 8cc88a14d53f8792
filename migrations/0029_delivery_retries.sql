-- What has been tried before has a time to keep: it is found without reading everything that is due before it. `is_head` stands
-- among the columns so that this index is taken for that question, and not the one of all heads.
CREATE INDEX deliveries_retries ON deliveries (endpoint_id, is_head, next_at, id) WHERE is_head = 1 AND attempts > 0;
