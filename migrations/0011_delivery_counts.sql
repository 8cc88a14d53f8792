-- What the pages about deliveries ask: how many are in which state, kept as they change, and the newest of one state.

CREATE TABLE delivery_counts (
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (endpoint_id, state)
) STRICT, WITHOUT ROWID;

INSERT INTO delivery_counts (endpoint_id, state, count)
SELECT endpoint_id, state, count(*) FROM deliveries GROUP BY endpoint_id, state;

CREATE TRIGGER deliveries_made AFTER INSERT ON deliveries BEGIN
  INSERT INTO delivery_counts (endpoint_id, state, count) VALUES (NEW.endpoint_id, NEW.state, 1)
  ON CONFLICT (endpoint_id, state) DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER deliveries_moved AFTER UPDATE OF state ON deliveries WHEN NEW.state <> OLD.state BEGIN
  UPDATE delivery_counts SET count = count - 1 WHERE endpoint_id = OLD.endpoint_id AND state = OLD.state;
  INSERT INTO delivery_counts (endpoint_id, state, count) VALUES (NEW.endpoint_id, NEW.state, 1)
  ON CONFLICT (endpoint_id, state) DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER deliveries_gone AFTER DELETE ON deliveries BEGIN
  UPDATE delivery_counts SET count = count - 1 WHERE endpoint_id = OLD.endpoint_id AND state = OLD.state;
END;

-- Two of them, so that neither draws the questions about what goes out next away from the indexes made for those.
CREATE INDEX deliveries_newest_pending ON deliveries (endpoint_id, created_at, id) WHERE state = 'pending';
CREATE INDEX deliveries_newest_by_state ON deliveries (endpoint_id, state, created_at, id) WHERE state <> 'pending';
