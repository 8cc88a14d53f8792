// The overview: what happened on each of the last days, in the organisation's own days.
import { organisationById } from "../accounts/organisation-store.ts";
import type { Clock } from "../core/clock.ts";
import { addDays, instantOf, wallTime } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import { bookingsMade, callsByState, countLiveCalls, deliveriesByState, hasAny, hasEverCalled, type Span } from "./overview-store.ts";

export interface DayCounts {
  date: string;
  completed: number;
  failed: number;
  cancelled: number;
  disallowed: number;
  /** Not at their end yet: scheduled, waiting for a line, or under way. */
  open: number;
  bookings: number;
  bookings_by_ai: number;
}

const sumOf = <Row>(rows: readonly Row[], value: (row: Row) => number | null): number => rows.reduce((sum, row) => sum + Number(value(row) ?? 0), 0);

/** Null rather than a division by nothing. */
const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

export function createOverview(db: Database, clock: Clock) {
  function daysOf(zone: string, days: number): (Span & { date: string })[] {
    const today = wallTime(clock.now(), zone).date;
    return Array.from({ length: days }, (_, i) => {
      const date = addDays(today, i - days + 1);
      return { date, from: instantOf(date, 0, zone), to: instantOf(addDays(date, 1), 0, zone) };
    });
  }

  async function dayOf(organisationId: string, { date, ...span }: Span & { date: string }) {
    const rows = await callsByState(db.reader, organisationId, span);
    const bookings = await bookingsMade(db.reader, organisationId, span);
    const count = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
    const ended = { completed: count("completed"), failed: count("failed"), cancelled: count("cancelled"), disallowed: count("disallowed") };
    const day: DayCounts = {
      date,
      ...ended,
      open: sumOf(rows, (row) => row.count) - sumOf(Object.values(ended), (each) => each),
      bookings: bookings.all,
      bookings_by_ai: bookings.ai,
    };
    return {
      day,
      talkedSeconds: sumOf(rows.filter(({ state }) => state === "completed"), (row) => row.duration_seconds),
      credits: sumOf(rows, (row) => row.credits),
      triggered: sumOf(rows, (row) => row.triggered),
      lateMs: sumOf(rows, (row) => row.late_ms),
    };
  }

  return {
    async numbers(organisationId: string, days: number) {
      const organisation = await organisationById(db.reader, organisationId);
      const spans = daysOf(organisation?.time_zone ?? "UTC", days);
      const found: Awaited<ReturnType<typeof dayOf>>[] = [];
      // One after the other: between two days other requests get their turn at the database.
      for (const span of spans) found.push(await dayOf(organisationId, span));

      const whole = { from: spans[0]?.from ?? 0, to: spans.at(-1)?.to ?? 0 };
      const deliveries = Object.fromEntries((await deliveriesByState(db.reader, organisationId, whole)).map(({ state, count }) => [state, count]));
      const delivered = deliveries["delivered"] ?? 0;
      const completed = sumOf(found, ({ day }) => day.completed);
      return {
        days: found.map(({ day }) => day),
        connect_rate: share(completed, completed + sumOf(found, ({ day }) => day.failed)),
        average_duration_seconds: share(sumOf(found, ({ talkedSeconds }) => talkedSeconds), completed),
        bookings: { all: sumOf(found, ({ day }) => day.bookings), ai: sumOf(found, ({ day }) => day.bookings_by_ai) },
        webhook_success_rate: share(delivered, delivered + (deliveries["exhausted"] ?? 0)),
        deliveries,
        average_lateness_ms: share(sumOf(found, ({ lateMs }) => lateMs), sumOf(found, ({ triggered }) => triggered)),
        credits_used: sumOf(found, ({ credits }) => credits),
        credit_balance: organisation?.unlimited_credits === 1 ? null : (organisation?.credit_balance ?? 0),
      };
    },

    liveCalls: (organisationId: string) => countLiveCalls(db.reader, organisationId),

    /** The newcomer's checklist, ticked by what exists. */
    async checklist(organisationId: string) {
      return {
        agent: await hasAny(db.reader, "agents", organisationId),
        number: await hasAny(db.reader, "phone_numbers", organisationId),
        key: await hasAny(db.reader, "api_keys", organisationId),
        first_call: await hasEverCalled(db.reader, organisationId),
        endpoint: await hasAny(db.reader, "webhook_endpoints", organisationId),
      };
    },
  };
}

export type Overview = ReturnType<typeof createOverview>;
