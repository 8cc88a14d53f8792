// Reads the database as evidence, after the appliance stopped or beside it, in SQL that SQLite and PostgreSQL both
// accept.
import type { Stored, StoredEvent } from "./evidence.ts";
import type { StoredRows } from "./stored-rows.ts";

interface Call {
  id: string;
  number: string;
  state: string;
  triggeredAt: number | null;
  holdReason: string | null;
  sequence: number;
  credits: number;
}

export function readStored(rows: StoredRows): Stored {
  return {
    calls: rows
      .all<Call>(
        `SELECT id, contact_number AS number, state, triggered_at AS "triggeredAt",
                hold_reason AS "holdReason", event_sequence AS sequence,
                credits_consumed AS credits FROM calls`,
      )
      .map(({ triggeredAt, holdReason, ...call }) => ({
        ...call,
        isTriggered: triggeredAt !== null,
        isPutBack: holdReason === "trunk_unavailable",
      })),
    appointments: rows
      .all<{ id: string; name: string | null; slot: string; status: string }>(
        "SELECT id, contact_name AS name, window_id || '||' || date AS slot, status FROM appointments",
      )
      .map(({ status, ...appointment }) => ({ ...appointment, isCancelled: status === "cancelled" })),
    places: rows.all(
      `SELECT window_id || '||' || date AS slot, filled, coalesce(window_dates.max_slots, windows.max_slots) AS most
       FROM window_dates JOIN windows ON windows.id = window_id`,
    ),
    events: rows
      .all<Omit<StoredEvent, "sequence"> & { data: string }>(
        `SELECT id, type, call_id AS "callId", appointment_id AS "appointmentId", data FROM events`,
      )
      .map(({ data, ...event }) => ({ ...event, sequence: sequenceIn(data) })),
    deliveries: rows.all(`SELECT event_id AS "eventId", endpoint_id AS "endpointId", state FROM deliveries`),
    endpointIds: rows.all<{ id: string }>("SELECT id FROM webhook_endpoints").map(({ id }) => id),
    ledgers: ledgersOf(rows),
    faults: rows.faults(),
  };
}

const sequenceIn = (data: string): number | null => (JSON.parse(data) as { sequence?: number }).sequence ?? null;

function ledgersOf(rows: StoredRows): Stored["ledgers"] {
  const entries = rows.all<{ organisationId: string; amount: number; callId: string | null }>(
    `SELECT organisation_id AS "organisationId", amount, call_id AS "callId" FROM credit_entries`,
  );
  return rows
    .all<{ organisationId: string; balance: number }>(
      `SELECT id AS "organisationId", credit_balance AS balance FROM organisations`,
    )
    .map((organisation) => ({
      ...organisation,
      entries: entries.filter(({ organisationId }) => organisationId === organisation.organisationId),
    }));
}

export interface Unsettled {
  calls: number;
  deliveries: number;
  /** When the first of them may be tried; null where nothing waits. */
  nextAt: number | null;
}

/** What is still under way: nothing of it may be left when the checks are made. */
export function unsettled(rows: StoredRows): Unsettled {
  const [found] = rows.all<Unsettled>(
    `WITH under_way AS (
       SELECT 'call' AS kind, next_at FROM calls WHERE state IN ('queued', 'initiated', 'ringing', 'in_progress')
       UNION ALL SELECT 'delivery', next_at FROM deliveries WHERE state IN ('pending', 'held')
     )
     SELECT count(CASE WHEN kind = 'call' THEN 1 END) AS calls,
            count(CASE WHEN kind = 'delivery' THEN 1 END) AS deliveries, min(next_at) AS "nextAt" FROM under_way`,
  );
  return found ?? { calls: 0, deliveries: 0, nextAt: null };
}
