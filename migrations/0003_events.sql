-- Outbound events: who wants them, what happened, and how each delivery went. Sharing of single calls.

CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  event_types TEXT NOT NULL,
  signing INTEGER NOT NULL,
  sealed_secret TEXT NOT NULL,
  sealed_previous_secret TEXT,
  previous_secret_until INTEGER,
  enabled INTEGER NOT NULL,
  disabled_reason TEXT,
  consecutive_failures INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_endpoints_by_organisation ON webhook_endpoints (organisation_id, created_at, id);

CREATE TABLE events (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  type TEXT NOT NULL,
  -- The call, where the event is about one: erased with it.
  call_id TEXT,
  appointment_id TEXT,
  has_recording INTEGER NOT NULL,
  has_transcript INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_call ON events (call_id) WHERE call_id IS NOT NULL;
CREATE INDEX events_by_appointment ON events (appointment_id) WHERE appointment_id IS NOT NULL;
CREATE INDEX events_by_time ON events (created_at, id);

CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  event_id TEXT NOT NULL REFERENCES events (id),
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id),
  -- Deliveries of one endpoint with the same key go out one after the other.
  order_key TEXT NOT NULL,
  -- pending, delivered, exhausted or held
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_pending ON deliveries (endpoint_id, next_at, id) WHERE state = 'pending';
CREATE INDEX deliveries_in_order ON deliveries (endpoint_id, order_key, id) WHERE state = 'pending';
CREATE INDEX deliveries_by_event ON deliveries (event_id);
CREATE INDEX deliveries_newest ON deliveries (endpoint_id, created_at, id);

CREATE TABLE delivery_attempts (
  id INTEGER PRIMARY KEY,
  delivery_id TEXT NOT NULL REFERENCES deliveries (id),
  at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  status INTEGER,
  -- delivered, refused (by its answer), unreachable, timeout, blocked (by our own rules) or our_fault
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL,
  response TEXT NOT NULL
) STRICT;
CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery_id, id);

ALTER TABLE organisations ADD COLUMN share_calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE organisations ADD COLUMN share_expiry TEXT NOT NULL DEFAULT 'none';

CREATE TABLE call_shares (
  call_id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  token TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT;
