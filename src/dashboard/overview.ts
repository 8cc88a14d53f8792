// The overview: what happened on each of the last days, in the organisation's own days.
import { organisationById } from "../accounts/organisation-store.ts";
import type { Clock } from "../core/clock.ts";
import { addDays, instantOf, wallTime } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import { bookingsMade, callsByState, countOf, deliveriesByState, lateness } from "./overview-store.ts";

export interface DayCounts {
  date: string;
  completed: number;
  failed: number;
  cancelled: number;
  disallowed: number;
  waiting: number;
  bookings: number;
}

export function createOverview(db: Database, clock: Clock) {
  async function daysOf(organisationId: string, days: number): Promise<{ date: string; from: number; to: number }[]> {
    const zone = (await organisationById(db.reader, organisationId))?.time_zone ?? "UTC";
    const today = wallTime(clock.now(), zone).date;
    return Array.from({ length: days }, (_, i) => {
      const date = addDays(today, i - days + 1);
      return { date, from: instantOf(date, 0, zone), to: instantOf(addDays(date, 1), 0, zone) };
    });
  }

  return {
    async numbers(organisationId: string, days: number) {
      const spans = await daysOf(organisationId, days);
      const [first, last] = [spans[0], spans.at(-1)];
      if (!first || !last) throw new Error("An overview needs a day.");
      const whole = { from: first.from, to: last.to };
      const perDay: DayCounts[] = [];
      let durationSeconds = 0;
      let credits = 0;
      for (const span of spans) {
        const rows = await callsByState(db.reader, organisationId, span);
        const count = (...states: string[]) => rows.filter(({ state }) => states.includes(state)).reduce((sum, row) => sum + row.count, 0);
        durationSeconds += Number(rows.find(({ state }) => state === "completed")?.duration_seconds ?? 0);
        credits += rows.reduce((sum, row) => sum + Number(row.credits ?? 0), 0);
        perDay.push({
          date: span.date,
          completed: count("completed"),
          failed: count("failed"),
          cancelled: count("cancelled"),
          disallowed: count("disallowed"),
          waiting: count("scheduled", "queued", "initiated", "ringing", "in_progress"),
          bookings: (await bookingsMade(db.reader, organisationId, span)).all,
        });
      }
      const completed = perDay.reduce((sum, day) => sum + day.completed, 0);
      const tried = completed + perDay.reduce((sum, day) => sum + day.failed, 0);
      const deliveries = Object.fromEntries((await deliveriesByState(db.reader, organisationId, whole)).map(({ state, count }) => [state, count]));
      const settled = (deliveries["delivered"] ?? 0) + (deliveries["exhausted"] ?? 0);
      const organisation = await organisationById(db.reader, organisationId);
      return {
        days: perDay,
        connect_rate: tried === 0 ? null : completed / tried,
        average_duration_seconds: completed === 0 ? null : durationSeconds / completed,
        bookings: await bookingsMade(db.reader, organisationId, whole),
        webhook_success_rate: settled === 0 ? null : (deliveries["delivered"] ?? 0) / settled,
        deliveries,
        average_lateness_ms: await lateness(db.reader, organisationId, whole),
        credits_used: credits,
        credit_balance: organisation?.unlimited_credits === 1 ? null : (organisation?.credit_balance ?? 0),
      };
    },

    /** The newcomer's checklist, ticked by what exists. */
    async checklist(organisationId: string) {
      const has = async (table: Parameters<typeof countOf>[1]) => (await countOf(db.reader, table, organisationId)) > 0;
      return {
        agent: await has("agents"),
        number: await has("phone_numbers"),
        key: await has("api_keys"),
        first_call: await has("calls"),
        endpoint: await has("webhook_endpoints"),
      };
    },
  };
}

export type Overview = ReturnType<typeof createOverview>;
