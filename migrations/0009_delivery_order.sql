-- Only the first unfinished delivery of each order may go out, and the row says so: a round asks an index for those and
-- never looks at what waits behind them. While our own side is at fault, the endpoint says so, once.

-- 1 for a pending delivery before which no other pending or held one of its endpoint and order key stands.
ALTER TABLE deliveries ADD COLUMN is_head INTEGER NOT NULL DEFAULT 0;

CREATE INDEX deliveries_held_in_order ON deliveries (endpoint_id, order_key, id) WHERE state = 'held';

UPDATE deliveries
SET is_head = 1
WHERE state = 'pending'
  AND NOT EXISTS (
    SELECT 1 FROM deliveries AS earlier
    WHERE earlier.state = 'pending'
      AND earlier.endpoint_id = deliveries.endpoint_id
      AND earlier.order_key = deliveries.order_key
      AND earlier.id < deliveries.id
  )
  AND NOT EXISTS (
    SELECT 1 FROM deliveries AS earlier
    WHERE earlier.state = 'held'
      AND earlier.endpoint_id = deliveries.endpoint_id
      AND earlier.order_key = deliveries.order_key
      AND earlier.id < deliveries.id
  );

DROP INDEX deliveries_pending;
CREATE INDEX deliveries_heads ON deliveries (endpoint_id, next_at, id) WHERE is_head = 1;

-- Since when our own side keeps deliveries to this endpoint from going out, why, and when it is tried next.
ALTER TABLE webhook_endpoints ADD COLUMN outage_since INTEGER;
ALTER TABLE webhook_endpoints ADD COLUMN outage_reason TEXT;
ALTER TABLE webhook_endpoints ADD COLUMN outage_probes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook_endpoints ADD COLUMN next_probe_at INTEGER;

-- 1 while deliveries still have to follow a switch-on (held ones become pending) or a switch-off (the other way round).
ALTER TABLE webhook_endpoints ADD COLUMN is_settling INTEGER NOT NULL DEFAULT 0;
