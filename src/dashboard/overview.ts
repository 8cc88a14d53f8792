// The overview: daily figures, in the time zone of the organisation.
import { organisationById } from "../accounts/organisation-store.ts";
import type { Clock } from "../core/clock.ts";
import type { Reach } from "../core/reach.ts";
import { addDays, instantOf, wallTime } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import { createOverviewDays, sumOf, type Day, type DaySpan } from "./overview-days.ts";
import { countLiveCalls, countLiveCallsWithin, hasAny, hasEverCalled } from "./overview-store.ts";

/** Null instead of a division by zero. */
const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

const FIGURE_DAYS = 14;

function ratesOf(days: readonly Day[]) {
  const completed = sumOf(days, ({ counts }) => counts.completed);
  return {
    connect_rate: share(completed, completed + sumOf(days, ({ counts }) => counts.failed)),
    average_duration_seconds: share(
      sumOf(days, ({ talkedSeconds }) => talkedSeconds),
      completed,
    ),
    bookings: {
      all: sumOf(days, ({ counts }) => counts.bookings),
      ai: sumOf(days, ({ counts }) => counts.bookings_by_ai),
    },
    credits_used: sumOf(days, ({ credits }) => credits),
  };
}

export function createOverview(db: Database, clock: Clock, isPastChanging: () => boolean = () => false) {
  const overviewDays = createOverviewDays(db, clock, isPastChanging);

  function lastDays(zone: string, count: number): DaySpan[] {
    const today = wallTime(clock.now(), zone).date;
    return Array.from({ length: count }, (_, i) => {
      const date = addDays(today, i - count + 1);
      return { date, from: instantOf(date, 0, zone), to: instantOf(addDays(date, 1), 0, zone) };
    });
  }

  const zoneOf = (organisation: { time_zone: string } | undefined) => organisation?.time_zone ?? "UTC";

  return {
    async numbers(organisationId: string, count: number) {
      const organisation = await organisationById(db.reader, organisationId);
      const all = await overviewDays.of(organisationId, lastDays(zoneOf(organisation), 2 * count));
      const days = all.slice(count);
      return {
        days: days.map(({ counts }) => counts),
        ...ratesOf(days),
        /** The same of as many days before. */
        before: ratesOf(all.slice(0, count)),
        credit_balance: organisation?.unlimited_credits ? null : (organisation?.credit_balance ?? 0),
      };
    },

    /** How the appliance itself did in the last days: for developers and administrators. */
    async figures(organisationId: string) {
      const spans = lastDays(zoneOf(await organisationById(db.reader, organisationId)), FIGURE_DAYS);
      const days = await overviewDays.of(organisationId, spans);
      const deliveries = await overviewDays.deliveries(organisationId, spans);
      const delivered = sumOf(deliveries, (states) => states["delivered"] ?? 0);
      return {
        days: FIGURE_DAYS,
        webhook_success_rate: share(delivered, delivered + sumOf(deliveries, (states) => states["exhausted"] ?? 0)),
        average_lateness_ms: share(
          sumOf(days, ({ lateMs }) => lateMs),
          sumOf(days, ({ triggered }) => triggered),
        ),
      };
    },

    /** Of the calls within reach. An auditor sees the number of all. */
    liveCalls: (organisationId: string, reach?: Reach) =>
      reach && reach.kind !== "no_patients"
        ? countLiveCallsWithin(db.heavy, organisationId, reach)
        : countLiveCalls(db.heavy, organisationId),

    /** Onboarding checklist, derived from the existing data. */
    async checklist(organisationId: string) {
      const { heavy } = db;
      return {
        agent: await hasAny(heavy, "agents", organisationId),
        number: await hasAny(heavy, "phone_numbers", organisationId),
        key: await hasAny(heavy, "api_keys", organisationId),
        first_call: await hasEverCalled(heavy, organisationId),
        endpoint: await hasAny(heavy, "webhook_endpoints", organisationId),
      };
    },
  };
}

export type Overview = ReturnType<typeof createOverview>;
