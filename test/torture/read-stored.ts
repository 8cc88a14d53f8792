// The database as evidence, read from its file once the appliance has stopped, or beside it.
import { Database } from "bun:sqlite";
import type { Stored, StoredEvent } from "./evidence.ts";

export function readStored(file: string): Stored {
  const db = new Database(file, { readonly: true });
  const all = <T>(sql: string) => db.query<T, []>(sql).all();
  try {
    return {
      calls: all<{ id: string; number: string; state: string; triggered: number; sequence: number; credits: number }>(
        `SELECT id, contact_number AS number, state, triggered_at IS NOT NULL AS triggered, event_sequence AS sequence,
                credits_consumed AS credits FROM calls`,
      ).map(({ triggered, ...call }) => ({ ...call, isTriggered: triggered === 1 })),
      appointments: all<{ id: string; name: string | null; slot: string; status: string }>(
        "SELECT id, contact_name AS name, window_id || '||' || date AS slot, status FROM appointments",
      ).map(({ status, ...appointment }) => ({ ...appointment, isCancelled: status === "cancelled" })),
      places: all(
        `SELECT window_id || '||' || date AS slot, filled, coalesce(window_dates.max_slots, windows.max_slots) AS most
         FROM window_dates JOIN windows ON windows.id = window_id`,
      ),
      events: all<StoredEvent>(
        `SELECT id, type, call_id AS callId, json_extract(data, '$.sequence') AS sequence, appointment_id AS appointmentId
         FROM events`,
      ),
      deliveries: all("SELECT event_id AS eventId, endpoint_id AS endpointId, state FROM deliveries"),
      endpointIds: all<{ id: string }>("SELECT id FROM webhook_endpoints").map(({ id }) => id),
      ledgers: ledgersOf(db),
      faults: faultsOf(db),
    };
  } finally {
    db.close();
  }
}

function ledgersOf(db: Database): Stored["ledgers"] {
  const entries = db
    .query<{ organisationId: string; amount: number; callId: string | null }, []>(
      "SELECT organisation_id AS organisationId, amount, call_id AS callId FROM credit_entries",
    )
    .all();
  return db
    .query<{ organisationId: string; balance: number }, []>(
      "SELECT id AS organisationId, credit_balance AS balance FROM organisations",
    )
    .all()
    .map((organisation) => ({
      ...organisation,
      entries: entries.filter(({ organisationId }) => organisationId === organisation.organisationId),
    }));
}

function faultsOf(db: Database): string[] {
  const sound = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
  const strays = db.query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check").all();
  return [
    ...sound.map(({ integrity_check }) => integrity_check).filter((text) => text !== "ok"),
    ...strays.map(({ table, parent }) => `a row of ${table} points to nothing in ${parent}`),
  ];
}

export interface Unsettled {
  calls: number;
  deliveries: number;
  /** When the first of the deliveries may be tried; null where none waits. */
  nextAt: number | null;
}

/** What is still under way: nothing of it may be left when the checks are made. */
export function unsettled(file: string): Unsettled {
  const db = new Database(file, { readonly: true });
  const calls = "SELECT count(*) AS n FROM calls WHERE state IN ('queued', 'initiated', 'ringing', 'in_progress')";
  const waiting = "SELECT count(*) AS n, min(next_at) AS at FROM deliveries WHERE state IN ('pending', 'held')";
  try {
    const live = db.query<{ n: number }, []>(calls).get();
    const deliveries = db.query<{ n: number; at: number | null }, []>(waiting).get();
    return { calls: live?.n ?? 0, deliveries: deliveries?.n ?? 0, nextAt: deliveries?.at ?? null };
  } finally {
    db.close();
  }
}
