// Checks the calendar in a test: triggers record, for every slot taken, the bookings and the limit at that moment, from
// the appointments and not from the counters; and the counters are compared with the appointments.
import { expect } from "bun:test";
import Sqlite from "better-sqlite3";
import type { Database } from "../../src/db/database.ts";
import { fileOf } from "../support/temp.ts";

/** One row per slot taken: by a new appointment, or by a move. Holds of others count; its own are gone by then. */
const NOTE_PLACE_TAKEN = `
  INSERT INTO test_places_taken
  SELECT NEW.window_id, NEW.date, CASE WHEN NEW.moved_by_hand_at IS NULL THEN NEW.source ELSE 'by hand' END,
    (SELECT count(*) FROM appointments WHERE window_id = NEW.window_id AND date = NEW.date AND status <> 'cancelled'),
    (SELECT count(*) FROM appointments WHERE window_id = NEW.window_id AND date = NEW.date AND status <> 'cancelled' AND source = 'ai' AND moved_by_hand_at IS NULL),
    (SELECT count(*) FROM slot_holds WHERE window_id = NEW.window_id AND date = NEW.date AND expires_at > NEW.updated_at),
    coalesce(d.max_slots, w.max_slots),
    min(coalesce(d.ai_slots, w.ai_slots), coalesce(d.max_slots, w.max_slots)),
    coalesce(d.status, w.status)
  FROM windows w LEFT JOIN window_dates d ON d.window_id = w.id AND d.date = NEW.date
  WHERE w.id = NEW.window_id;`;

interface PlaceTaken {
  source: string;
  booked: number;
  ai_booked: number;
  held: number;
  max_slots: number;
  ai_slots: number;
  status: string;
}

export interface Ledger {
  /** The number of slots taken so far; each is checked against the limits at that moment. */
  checkPlacesTaken(): number;
  /** Per window and date: filled and ai_filled must equal the appointments. */
  checkCounters(): void;
  close(): void;
}

export function keepLedger(db: Database): Ledger {
  const connection = new Sqlite(fileOf(db));
  connection.exec(`
    CREATE TABLE test_places_taken (window_id, date, source, booked, ai_booked, held, max_slots, ai_slots, status);
    CREATE TRIGGER test_booked AFTER INSERT ON appointments BEGIN ${NOTE_PLACE_TAKEN} END;
    CREATE TRIGGER test_moved AFTER UPDATE ON appointments
      WHEN OLD.window_id <> NEW.window_id OR OLD.date <> NEW.date BEGIN ${NOTE_PLACE_TAKEN} END;`);
  const taken = connection.prepare("SELECT * FROM test_places_taken");
  const counters = connection.prepare(
    "SELECT window_id, date, filled, ai_filled FROM window_dates WHERE filled <> 0 OR ai_filled <> 0 ORDER BY window_id, date",
  );
  const truth = connection.prepare(`
    SELECT window_id, date, count(*) AS filled, sum(source = 'ai' AND moved_by_hand_at IS NULL) AS ai_filled
    FROM appointments WHERE status <> 'cancelled' GROUP BY window_id, date ORDER BY window_id, date`);

  return {
    checkPlacesTaken() {
      const rows = taken.all() as PlaceTaken[];
      const wrong = rows.filter(
        ({ source, booked, ai_booked, held, max_slots, ai_slots, status }) =>
          status !== "OPEN" || booked + held > max_slots || (source === "ai" && ai_booked + held > ai_slots),
      );
      expect(wrong).toEqual([]);
      return rows.length;
    },
    checkCounters() {
      expect(counters.all()).toEqual(truth.all());
    },
    close: () => connection.close(),
  };
}
