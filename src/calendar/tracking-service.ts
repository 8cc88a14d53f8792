// Windows on their dates: what is open, how full it is, and what differs on single dates.
import type { Actor } from "../accounts/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import { organisationById } from "../accounts/organisation-store.ts";
import type { Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { Executor, WindowRow } from "../db/tables.ts";
import { capacityOf, type Capacity } from "./capacity.ts";
import { dateRange, datesOn, dayOf, isOver, localNow, type DateRange } from "./days.ts";
import type { DateQuery, DatedSlot, PatchTrackingInput } from "./model.ts";
import { branchesOf, zoneOf } from "./places-store.ts";
import { datedSlotOf, trackingSlotId } from "./slot-id.ts";
import type { SlotEvents } from "./slot-events.ts";
import { bookedCounts, datesOfBranch, deleteWindowDate, trackedWindows, type TrackedWindow } from "./tracking-store.ts";
import { datedView } from "./views.ts";
import { unknownWindow } from "./window-service.ts";
import { changeFill, ensureWindowDate, heldPlaces, updateWindowDate, windowDate, windowOf } from "./window-store.ts";

interface WindowOnDate {
  window: WindowRow;
  date: string;
  capacity: Capacity;
  overridden: boolean;
}

export function createTrackingService(deps: { db: Database; clock: Clock; audit: Audit; slotEvents: SlotEvents; wake: () => void }) {
  const { db, clock, audit, slotEvents, wake } = deps;

  /** The zone of every branch of an organisation. */
  async function zonesOf(organisationId: string): Promise<(branchId: string) => string> {
    const organisation = await organisationById(db.reader, organisationId);
    const own = new Map((await branchesOf(db.reader, organisationId)).map(({ id, time_zone }) => [id, time_zone]));
    return (branchId) => own.get(branchId) ?? organisation?.time_zone ?? "UTC";
  }

  /** Today is a matter of the branch; without one, of the organisation. */
  async function rangeOf(organisationId: string, query: Pick<DateQuery, "branch_id" | "from" | "to">): Promise<DateRange> {
    const zone = await zoneOf(db.reader, organisationId, query.branch_id?.toLowerCase() ?? "");
    return dateRange(query, localNow(clock, zone).date);
  }

  async function onDates(organisationId: string, query: DateQuery): Promise<WindowOnDate[]> {
    const range = await rangeOf(organisationId, query);
    const filter = {
      organisationId,
      branchId: query.branch_id?.toLowerCase(),
      appointmentTypeId: query.appointment_type_id?.toLowerCase(),
      session: query.session,
    };
    return expand(await trackedWindows(db.reader, filter, range, clock.now()), range);
  }

  return {
    /** One entry per open window and date that has not passed, with what is left. */
    async availability(organisationId: string, query: DateQuery): Promise<DatedSlot[]> {
      const zone = await zonesOf(organisationId);
      const now = new Map<string, ReturnType<typeof localNow>>();
      const nowAt = (branchId: string) => {
        let local = now.get(branchId);
        if (!local) now.set(branchId, (local = localNow(clock, zone(branchId))));
        return local;
      };
      const entries = await onDates(organisationId, query);
      return entries
        .filter(({ window, date, capacity }) => capacity.status === "OPEN" && !isOver(date, window.end_time, nowAt(window.branch_id)))
        .map(({ window, date, capacity }) => datedView(window, date, capacity));
    },

    /** Every window and date, closed ones too. */
    async tracking(organisationId: string, query: DateQuery) {
      return (await onDates(organisationId, query)).map(trackingView);
    },

    /** What differs on one date alone: a holiday, an extra doctor. */
    async override(organisationId: string, slotId: string, input: PatchTrackingInput, actor: Actor) {
      const { calendarId, date } = datedSlotOf(slotId);
      const given = Object.entries(input).filter(([, value]) => value !== undefined);
      if (given.length === 0) throw new AppError("VALIDATION_ERROR", "At least one of max_slots, ai_slots and status is needed.");
      const view = await db.write(async (tx) => {
        const window = await windowOf(tx, organisationId, calendarId);
        if (!window) throw unknownWindow();
        assertFalls(window, date);
        const now = clock.now();
        await ensureWindowDate(tx, window.id, date, now);
        await updateWindowDate(tx, window.id, date, { ...Object.fromEntries(given), updated_at: now });
        const row = await windowDate(tx, window.id, date);
        const maxSlots = row?.max_slots ?? window.max_slots;
        if ((row?.ai_slots ?? 0) > maxSlots) throw invalidField("ai_slots", "ai_slots must not exceed max_slots.");
        await audit.record(tx, { organisationId, actor, action: "window_date.changed", subjectId: window.id, detail: { date, fields: given.map(([field]) => field) } });
        await slotEvents.dateChanged(tx, window, date, now);
        const capacity = capacityOf(window, row, await heldPlaces(tx, window.id, date, now));
        return trackingView({ window, date, capacity, overridden: isOverridden(row) });
      });
      wake();
      return view;
    },

    /** Counts the fill anew from the appointments. Bookings stay; what differs on single dates goes only when asked. */
    async regenerate(organisationId: string, input: { branch_id: string; from?: string; to?: string; reset_overrides?: boolean }, actor: Actor) {
      const branchId = input.branch_id.toLowerCase();
      const range = await rangeOf(organisationId, { ...input, branch_id: branchId });
      const reset = input.reset_overrides === true;
      const data = await db.write(async (tx) => {
        const now = clock.now();
        const rows = await datesOfBranch(tx, organisationId, branchId, range);
        const dropped = reset ? rows.filter(isOverridden).length : 0;
        for (const row of rows) {
          if (reset || !isOverridden(row)) await deleteWindowDate(tx, row.window_id, row.date);
          else await updateWindowDate(tx, row.window_id, row.date, { filled: 0, ai_filled: 0, updated_at: now });
        }
        const counts = await bookedCounts(tx, organisationId, branchId, range);
        for (const { window_id, date, filled, ai_filled } of counts) {
          await changeFill(tx, window_id, date, { filled, aiFilled: Number(ai_filled) }, now);
        }
        await audit.record(tx, { organisationId, actor, action: "tracking.regenerated", subjectId: branchId, detail: { ...range, reset } });
        for (const { window_id, date } of reset ? rows.filter(isOverridden) : []) await announce(tx, organisationId, window_id, date, now);
        return { branch_id: branchId, ...range, dates: counts.length, overrides_dropped: dropped };
      });
      wake();
      return data;
    },
  };

  async function announce(tx: Parameters<SlotEvents["dateChanged"]>[0], organisationId: string, windowId: string, date: string, now: number) {
    const window = await windowOf(tx, organisationId, windowId);
    if (window) await slotEvents.dateChanged(tx, window, date, now);
  }
}

export type TrackingService = ReturnType<typeof createTrackingService>;

export async function zoneOfWindow(executor: Executor, window: WindowRow): Promise<string> {
  return zoneOf(executor, window.organisation_id, window.branch_id);
}

export function assertFalls(window: WindowRow, date: string): void {
  if (dayOf(date) !== window.day) throw invalidField("slot_id", `This window is on ${window.day}; ${date} is a ${dayOf(date)}.`);
}

/** From windows with their rows to windows on all their dates. */
function expand(rows: readonly TrackedWindow[], range: DateRange): WindowOnDate[] {
  const byWindow = new Map<string, { window: WindowRow; tracked: Map<string, TrackedWindow> }>();
  for (const row of rows) {
    let entry = byWindow.get(row.id);
    if (!entry) byWindow.set(row.id, (entry = { window: row, tracked: new Map() }));
    if (row.tracked_date !== null) entry.tracked.set(row.tracked_date, row);
  }
  const entries = [...byWindow.values()].flatMap(({ window, tracked }) =>
    datesOn(window.day, range).map((date) => {
      const row = tracked.get(date);
      const difference = row && {
        max_slots: row.date_max_slots,
        ai_slots: row.date_ai_slots,
        status: row.date_status,
        filled: row.filled ?? 0,
        ai_filled: row.ai_filled ?? 0,
      };
      return { window, date, capacity: capacityOf(window, difference, row?.held ?? 0), overridden: isOverridden(difference) };
    }),
  );
  return entries.sort((a, b) => compare(a.date, b.date) || compare(a.window.start_time, b.window.start_time) || compare(a.window.id, b.window.id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isOverridden(row: { max_slots: number | null; ai_slots: number | null; status: string | null } | undefined): boolean {
  return row !== undefined && (row.max_slots !== null || row.ai_slots !== null || row.status !== null);
}

function trackingView({ window, date, capacity, overridden }: WindowOnDate) {
  return { ...datedView(window, date, capacity, trackingSlotId(window.id, date, window.appointment_type_id)), overridden };
}
