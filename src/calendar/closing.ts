// Closes one window on one date for a closure: stores the previous status of the date and the affected appointments.
import type { Tx } from "../db/tables.ts";
import type { Clock } from "../core/clock.ts";
import { expectedIn } from "./appointment-store.ts";
import { closuresOver, insertClosureDate, insertPeople, isDateOf, lookedAfter } from "./closure-store.ts";
import { datesOn, isOver, localNow, type DateRange } from "./days.ts";
import { zoneOf } from "./directory-store.ts";
import type { BookingWindow, Closure, ClosurePerson } from "./records.ts";
import type { SlotEvents } from "./slot-events.ts";
import { ensureWindowDate, updateWindowDate, windowDate } from "./window-store.ts";

export interface ClosingDeps {
  clock: Clock;
  slotEvents: SlotEvents;
}

export async function closeDate(
  tx: Tx,
  { clock, slotEvents }: ClosingDeps,
  closure: Closure,
  window: BookingWindow,
  date: string,
): Promise<void> {
  const now = clock.now();
  const before = await windowDate(tx, window.id, date);
  await insertClosureDate(tx, {
    closure_id: closure.id,
    window_id: window.id,
    date,
    status_before: before?.status ?? null,
  });
  const zone = await zoneOf(tx, window.organisation_id, window.branch_id);
  // Contacts of a session that is already over are neither moved nor called.
  if (isOver(date, window.end_time, localNow(clock, zone))) return;
  if (before?.status !== "CLOSED") {
    await ensureWindowDate(tx, window.id, date, now);
    await updateWindowDate(tx, window.id, date, { status: "CLOSED", updated_at: now });
    await slotEvents.dateChanged(tx, window, date, now);
  }
  // The date accepts no bookings from here on. Includes bookings made between the preview and now.
  const people = await expectedIn(tx, closure.organisation_id, window.id, date);
  await notePeople(
    tx,
    closure,
    people.map(({ id }) => ({
      closure_id: closure.id,
      appointment_id: id,
      window_id: window.id,
      date,
      choice: closure.otherwise,
      to_window_id: null,
      to_date: null,
    })),
  );
}

/**
 * Stores the decision for each affected appointment; skips appointments that another closure of the day moves or calls.
 */
export async function notePeople(
  tx: Tx,
  closure: Closure,
  people: readonly Omit<ClosurePerson, "state">[],
): Promise<void> {
  const ids = people.map(({ appointment_id }) => appointment_id);
  const others = await lookedAfter(tx, closure, ids);
  const stateOf = ({ appointment_id, choice }: Omit<ClosurePerson, "state">): ClosurePerson["state"] => {
    if (choice === "leave") return "done";
    return others.has(appointment_id) ? "gone" : "waiting";
  };
  await insertPeople(
    tx,
    people.map((person) => ({ ...person, state: stateOf(person) })),
  );
}

/** Applies existing closures of a branch to a window that is created or moved to another day. */
export async function closeWhereBranchIs(tx: Tx, deps: ClosingDeps, window: BookingWindow): Promise<void> {
  const { organisation_id, branch_id } = window;
  const today = localNow(deps.clock, await zoneOf(tx, organisation_id, branch_id)).date;
  for (const closure of await closuresOver(tx, organisation_id, branch_id, today)) {
    for (const date of datesOn(window.day, rangeOf(closure))) {
      const isKnown = date < today || (await isDateOf(tx, closure.id, window.id, date));
      if (!isKnown) await closeDate(tx, deps, closure, window, date);
    }
  }
}

export function rangeOf({ from_date, to_date }: Closure): DateRange {
  return { from: from_date, to: to_date };
}
