// Windows on their dates: availability, fill and overrides of single dates.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import { organisationById } from "../accounts/organisation-store.ts";
import type { Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { addDays } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import type { Executor } from "../db/tables.ts";
import { capacityOf, hasMoreRoom } from "./capacity.ts";
import { windowsOnDates, type Readers } from "./dated-windows.ts";
import { dateRange, dayOf, isOver, localNow, rangeFrom, type LocalNow } from "./days.ts";
import type { DateQuery, DatedSlot, PatchTrackingInput } from "./model.ts";
import { branchesOf, zoneOf } from "./directory-store.ts";
import { beginsIn, type Begins } from "./moments.ts";
import type { BookingWindow, WindowDate } from "./records.ts";
import { availabilitySlotId, datedSlotOf, trackingSlotId } from "./slot-id.ts";
import type { SlotEvents } from "./slot-events.ts";
import { bookedCounts, datesOfBranch } from "./tracking-store.ts";
import { datedView, windowView } from "./views.ts";
import { isOverridden, type WindowOnDate } from "./window-dates.ts";
import { unknownWindow } from "./window-service.ts";
import { ensureWindowDate, heldSlots, updateWindowDate, windowDate, windowOf } from "./window-store.ts";

/** Columns of a date without overrides. */
const AS_THE_WINDOW = { max_slots: null, ai_slots: null, status: null };

type WallClocks = (branchId: string) => LocalNow;

/** `calendar_id`: of one window. */
export type TrackingQuery = DateQuery & { calendar_id?: string };

export interface TrackingServiceDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  slotEvents: SlotEvents;
  wake: () => void;
}

export class TrackingService {
  constructor(private readonly deps: TrackingServiceDeps) {}

  /** One entry per open window and future date, with the remaining slots. */
  async availability(organisationId: string, query: DateQuery, readers: Readers = this.deps.db): Promise<DatedSlot[]> {
    const nowAt = await this.#wallClocks(organisationId);
    const entries = await this.#onDates(organisationId, query, nowAt, readers);
    return entries
      .filter(
        ({ window, date, capacity }) =>
          capacity.status === "OPEN" && !isOver(date, window.end_time, nowAt(window.branch_id)),
      )
      .map(({ window, date, capacity }) => datedView(window, date, capacity));
  }

  /** Every window and date, including closed ones. */
  async tracking(organisationId: string, query: TrackingQuery, readers: Readers = this.deps.db) {
    const nowAt = await this.#wallClocks(organisationId);
    return (await this.#onDates(organisationId, query, nowAt, readers)).map(trackingView);
  }

  /** Override of one date: a holiday, an extra doctor. */
  async override(organisationId: string, slotId: string, input: PatchTrackingInput, actor: Actor) {
    const { db, clock, audit, slotEvents, wake } = this.deps;
    const { calendarId, date } = datedSlotOf(slotId);
    const fields = Object.keys(input);
    if (fields.length === 0)
      throw new AppError("VALIDATION_ERROR", "At least one of max_slots, ai_slots and status is needed.");
    const view = await db.write(async (tx) => {
      const window = await windowOf(tx, organisationId, calendarId);
      if (!window) throw unknownWindow();
      assertFalls(window, date, await zoneOfWindow(tx, window));
      const now = clock.now();
      const before = capacityOf(window, await windowDate(tx, window.id, date));
      await ensureWindowDate(tx, window.id, date, now);
      await updateWindowDate(tx, window.id, date, { ...input, updated_at: now });
      const row = await windowDate(tx, window.id, date);
      const maxSlots = row?.max_slots ?? window.max_slots;
      if ((row?.ai_slots ?? 0) > maxSlots) throw invalidField("ai_slots", "ai_slots must not exceed max_slots.");
      await audit.record(tx, {
        organisationId,
        actor,
        action: "window_date.changed",
        subjectId: window.id,
        detail: { date, fields },
      });
      await slotEvents.dateChanged(tx, window, date, now);
      if (hasMoreRoom(before, capacityOf(window, row))) await slotEvents.opened(tx, window, date, now);
      const capacity = capacityOf(window, row, await heldSlots(tx, window.id, date, now));
      return trackingView({ window: windowView(window), date, capacity, overridden: isOverridden(row) });
    });
    wake();
    return view;
  }

  /** Recounts the fill from the appointments. Bookings stay; overrides of single dates are removed only on request. */
  async regenerate(
    organisationId: string,
    input: { branch_id: string; from?: string; to?: string; reset_overrides?: boolean },
    actor: Actor,
  ) {
    const { db, clock, audit, wake } = this.deps;
    const branchId = input.branch_id.toLowerCase();
    const range = dateRange(input, (await this.#wallClocks(organisationId))(branchId).date);
    const reset = input.reset_overrides === true;
    const data = await db.write(async (tx) => {
      const now = clock.now();
      const tracked = new Map(
        (await datesOfBranch(tx, organisationId, branchId, range)).map((row) => [keyOf(row), row]),
      );
      const booked = new Map(
        (await bookedCounts(tx, organisationId, branchId, range)).map((count) => [keyOf(count), count]),
      );
      let dropped = 0;
      // Writes only wrong rows: writing all 13,000 dates took a second, which blocked every other write.
      for (const [key, { window_id, date }] of new Map([...tracked, ...booked])) {
        const row = tracked.get(key);
        const fill = { filled: booked.get(key)?.filled ?? 0, ai_filled: booked.get(key)?.ai_filled ?? 0 };
        const drops = reset && isOverridden(row);
        if (row?.filled === fill.filled && row.ai_filled === fill.ai_filled && !drops) continue;
        if (drops) dropped += 1;
        await ensureWindowDate(tx, window_id, date, now);
        await updateWindowDate(tx, window_id, date, { ...(drops ? AS_THE_WINDOW : {}), ...fill, updated_at: now });
        await this.#announce(tx, organisationId, window_id, date, row, now);
      }
      await audit.record(tx, {
        organisationId,
        actor,
        action: "tracking.regenerated",
        subjectId: branchId,
        detail: { ...range, reset },
      });
      return { branch_id: branchId, ...range, dates: booked.size, overrides_dropped: dropped };
    });
    wake();
    return data;
  }

  /** Local time of each branch; a branch without a time zone uses the organisation's. */
  async #wallClocks(organisationId: string): Promise<WallClocks> {
    const { db, clock } = this.deps;
    const organisation = await organisationById(db.reader, organisationId);
    const own = new Map((await branchesOf(db.reader, organisationId)).map(({ id, time_zone }) => [id, time_zone]));
    const shown = new Map<string, LocalNow>();
    return (branchId) => {
      const zone = own.get(branchId) ?? organisation?.time_zone ?? "UTC";
      let now = shown.get(zone);
      if (!now) shown.set(zone, (now = localNow(clock, zone)));
      return now;
    };
  }

  async #onDates(
    organisationId: string,
    query: TrackingQuery,
    nowAt: WallClocks,
    readers: Readers,
  ): Promise<WindowOnDate[]> {
    const { clock } = this.deps;
    const branchId = query.branch_id?.toLowerCase();
    const range = dateRange(query, nowAt(branchId ?? "").date);
    // Without a start date, each branch starts at its own today, which may be a day before or after the organisation's.
    const eachFromToday = branchId === undefined && query.from === undefined;
    const rangeAt = (branch: string) => (eachFromToday ? rangeFrom(nowAt(branch).date, query.to) : range);
    const asked = eachFromToday ? { from: addDays(range.from, -1), to: addDays(range.to, 1) } : range;
    const filter = {
      organisationId,
      branchId,
      windowId: query.calendar_id,
      appointmentTypeId: query.appointment_type_id?.toLowerCase(),
      session: query.session,
    };
    const byZone = new Map<string, Begins>();
    const beginsAt = (branch: string): Begins => {
      const { zone } = nowAt(branch);
      let begins = byZone.get(zone);
      if (!begins) byZone.set(zone, (begins = beginsIn(zone)));
      return begins;
    };
    return windowsOnDates(readers, { filter, range: asked, rangeAt, beginsAt, now: clock.now() });
  }

  async #announce(
    tx: Parameters<SlotEvents["dateChanged"]>[0],
    organisationId: string,
    windowId: string,
    date: string,
    before: WindowDate | undefined,
    now: number,
  ) {
    const { slotEvents } = this.deps;
    const window = await windowOf(tx, organisationId, windowId);
    if (!window) return;
    await slotEvents.dateChanged(tx, window, date, now);
    const after = capacityOf(window, await windowDate(tx, windowId, date));
    if (hasMoreRoom(capacityOf(window, before), after)) await slotEvents.opened(tx, window, date, now);
  }
}

export const createTrackingService = (deps: TrackingServiceDeps): TrackingService => new TrackingService(deps);

export async function zoneOfWindow(executor: Executor, window: BookingWindow): Promise<string> {
  return zoneOf(executor, window.organisation_id, window.branch_id);
}

export function assertFalls(window: BookingWindow, date: string, zone: string): void {
  if (dayOf(date) !== window.day)
    throw invalidField("slot_id", `This window is on ${window.day}; ${date} is a ${dayOf(date)}.`);
  if (!beginsIn(zone)(date, window.start_time)) {
    throw invalidField(
      "slot_id",
      `There is no ${window.start_time} on ${date} in ${zone}: the clock is set forward past it. Choose another slot.`,
    );
  }
}

function keyOf({ window_id, date }: { window_id: string; date: string }): string {
  return availabilitySlotId(window_id, date);
}

function trackingView({ window, date, capacity, overridden }: WindowOnDate) {
  return {
    ...datedView(window, date, capacity, trackingSlotId(window.calendar_id, date, window.appointment_type)),
    overridden,
  };
}
