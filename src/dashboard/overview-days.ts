// Cache of daily counts. Counting 300,000 calls of 90 days takes two seconds. Querying the changes since the last
// request takes milliseconds, and only the days they affect are counted again, a month with each query.
import { DAY_MS, HOUR_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import {
  bookingsMade,
  callsByState,
  createdAtOfChanged,
  deliveriesByState,
  hasErasedSince,
  type Run,
  type Span,
} from "./overview-store.ts";

export interface DayCounts {
  date: string;
  completed: number;
  failed: number;
  cancelled: number;
  disallowed: number;
  /** Not finished: scheduled, waiting for a line, or in progress. */
  open: number;
  bookings: number;
  bookings_by_ai: number;
}

export interface Day {
  counts: DayCounts;
  talkedSeconds: number;
  credits: number;
  triggered: number;
  /** Total over the triggered calls. */
  lateMs: number;
}

export type DaySpan = Span & { date: string };
export type Deliveries = Record<string, number>;

interface Known {
  lookedAt: number;
  days: Map<number, { span: DaySpan; day: Day }>;
  deliveries: Map<number, { countedAt: number; counts: Deliveries }>;
}

/** A change is committed slightly after its timestamp. */
const LOOK_BACK_MS = 2 * SECOND_MS;
/** Above this limit, counting everything again is cheaper. */
const MOST_CHANGES = 5_000;
/** The longest period shown and the one before it, plus days for the time zone. */
const KEPT_MS = 183 * DAY_MS;
/** Other requests get their turn at the database between two queries. */
const MOST_DAYS_AT_ONCE = 31;
/** Deliveries have no change timestamp. Recent ones are counted often, and those past their retries rarely. */
const DELIVERIES_KEPT_MS = 30 * SECOND_MS;
const OLD_DELIVERIES_KEPT_MS = HOUR_MS;
const OLD_MS = 7 * DAY_MS;

export const sumOf = <Row>(rows: readonly Row[], value: (row: Row) => number | null): number =>
  rows.reduce((sum, row) => sum + (value(row) ?? 0), 0);

/** `isPastChanging`: while the demo history is being generated, changes have old timestamps, and nothing is cached. */
export function createOverviewDays(db: Database, clock: Clock, isPastChanging: () => boolean) {
  const organisations = new Map<string, Known>();

  /** The cache of an organisation, without the days that changed since the last request. */
  async function fresh(organisationId: string): Promise<Known> {
    const now = clock.now();
    const known: Known = organisations.get(organisationId) ?? { lookedAt: now, days: new Map(), deliveries: new Map() };
    if (isPastChanging()) return known;
    organisations.set(organisationId, known);
    const since = known.lookedAt - LOOK_BACK_MS;
    known.lookedAt = now;
    const changed = await createdAtOfChanged(db.heavy, organisationId, since, MOST_CHANGES);
    if (changed.length >= MOST_CHANGES || (await hasErasedSince(db.heavy, organisationId, since))) known.days.clear();
    for (const [from, { span }] of known.days) {
      if (from < now - KEPT_MS || changed.some((at) => at >= span.from && at < span.to)) known.days.delete(from);
    }
    for (const from of known.deliveries.keys()) if (from < now - KEPT_MS) known.deliveries.delete(from);
    return known;
  }

  /** Counts the days of a run, and keeps them. */
  async function count(organisationId: string, spans: readonly DaySpan[], known: Known): Promise<void> {
    const run = runOf(spans);
    if (run === null) return;
    const calls = await callsByState(db.heavy, organisationId, run);
    const bookings = await bookingsMade(db.heavy, organisationId, run);
    for (const [index, span] of spans.entries()) {
      const day = dayFrom(
        span.date,
        calls.filter((row) => row.day === index),
        bookings.filter((row) => row.day === index),
      );
      known.days.set(span.from, { span, day });
    }
  }

  async function deliveriesOf(organisationId: string, known: Known, span: DaySpan): Promise<Deliveries> {
    const now = clock.now();
    const kept = known.deliveries.get(span.from);
    const keepMs = span.to < now - OLD_MS ? OLD_DELIVERIES_KEPT_MS : DELIVERIES_KEPT_MS;
    if (kept && Math.abs(now - kept.countedAt) < keepMs) return kept.counts;
    const counts = await deliveriesByState(db.heavy, organisationId, span);
    known.deliveries.set(span.from, { countedAt: now, counts });
    return counts;
  }

  return {
    async of(organisationId: string, spans: readonly DaySpan[]): Promise<Day[]> {
      const known = await fresh(organisationId);
      // Days differ between time zones.
      const missing = spans.filter(({ from, to }) => known.days.get(from)?.span.to !== to);
      for (const run of runsOf(missing)) await count(organisationId, run, known);
      return spans.flatMap(({ from }) => known.days.get(from)?.day ?? []);
    },

    async deliveries(organisationId: string, spans: readonly DaySpan[]): Promise<Deliveries[]> {
      const known = await fresh(organisationId);
      const found: Deliveries[] = [];
      for (const span of spans) found.push(await deliveriesOf(organisationId, known, span));
      return found;
    },
  };
}

/** Splits days into groups that one query can count: without gaps, and of equal length, which DST changes. */
export function runsOf(spans: readonly DaySpan[]): DaySpan[][] {
  const runs: DaySpan[][] = [];
  for (const span of spans) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const follows = last?.to === span.from && last.to - last.from === span.to - span.from;
    if (run && follows && run.length < MOST_DAYS_AT_ONCE) run.push(span);
    else runs.push([span]);
  }
  return runs;
}

function runOf(spans: readonly DaySpan[]): Run | null {
  const [first] = spans;
  const last = spans.at(-1);
  return first && last ? { from: first.from, to: last.to, dayMs: first.to - first.from } : null;
}

type CallRows = Awaited<ReturnType<typeof callsByState>>;
type BookingRows = Awaited<ReturnType<typeof bookingsMade>>;

function dayFrom(date: string, calls: CallRows, bookings: BookingRows): Day {
  const of = (state: string) => calls.find((row) => row.state === state)?.count ?? 0;
  const ended = {
    completed: of("completed"),
    failed: of("failed"),
    cancelled: of("cancelled"),
    disallowed: of("disallowed"),
  };
  return {
    counts: {
      date,
      ...ended,
      open: sumOf(calls, (row) => row.count) - sumOf(Object.values(ended), (each) => each),
      bookings: sumOf(bookings, (row) => row.count),
      bookings_by_ai: bookings.find(({ source }) => source === "ai")?.count ?? 0,
    },
    talkedSeconds: sumOf(
      calls.filter(({ state }) => state === "completed"),
      (row) => row.duration_seconds,
    ),
    credits: sumOf(calls, (row) => row.credits),
    triggered: sumOf(calls, (row) => row.triggered),
    lateMs: sumOf(calls, (row) => row.late_ms),
  };
}
