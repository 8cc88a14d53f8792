// Background work of closures and reopenings, one batch per transaction. The stored state says where to resume after a
// restart.
import type { Actor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import type { AppointmentChanges } from "./appointment-changes.ts";
import { appointmentOf } from "./appointment-store.ts";
import { closeDate, rangeOf } from "./closing.ts";
import { MOST_PEOPLE } from "./closure-model.ts";
import {
  branchesOfClosures,
  closureAtWork,
  closureDates,
  deleteClosureDate,
  otherClosureOn,
  peopleOf,
  setStatusBefore,
  someClosureDates,
  updateClosure,
  updatePerson,
  windowsInScope,
} from "./closure-store.ts";
import { datesOn } from "./days.ts";
import { createPlaces, type Places } from "./next-place.ts";
import { openPlaces } from "./open-places.ts";
import type { BookingWindow, Closure, ClosurePerson, ClosureState } from "./records.ts";
import { availabilitySlotId } from "./slot-id.ts";
import type { SlotEvents } from "./slot-events.ts";
import { updateWindowDate, windowDate, windowOf } from "./window-store.ts";

const AT_WORK: readonly ClosureState[] = ["closing", "moving", "reopening"];

const MOST_DATES = 100;
const MOST_MOVED = 50;
/** Limit per run, so other jobs get their turn. */
const MOST_STEPS = 20;

export interface ClosureWorkDeps {
  db: Database;
  clock: Clock;
  slotEvents: SlotEvents;
  appointments: AppointmentChanges;
  /** Set by the composition root. */
  closedDayWatchers: readonly ClosedDayWatcher[];
}

/** Called in the transaction that has closed all dates, with the appointments that are moved or called about them. */
export type ClosedDayWatcher = (tx: Tx, appointmentIds: readonly string[]) => Promise<void>;

export class ClosureWork {
  readonly name = "closures";

  constructor(private readonly deps: ClosureWorkDeps) {}

  /** Called by the scheduler. */
  async runDue(): Promise<number | null> {
    for (let i = 0; i < MOST_STEPS; i++) if (!(await this.step())) return null;
    return this.deps.clock.now();
  }

  /** Runs one batch of the oldest closure that has work left. Returns whether there was one. */
  async step(): Promise<boolean> {
    const { db } = this.deps;
    if (!(await closureAtWork(db.reader, AT_WORK))) return false;
    return db.write(async (tx) => {
      // Closes all dates first, so no appointment is moved to a day about to be closed.
      const closure = (await closureAtWork(tx, ["closing", "reopening"])) ?? (await closureAtWork(tx, ["moving"]));
      if (!closure) return false;
      if (closure.state === "reopening") await this.#reopenSome(tx, closure);
      else if (closure.state === "closing") await this.#closeSome(tx, closure);
      else await this.#moveSome(tx, closure);
      return true;
    });
  }

  async #closeSome(tx: Tx, closure: Closure): Promise<void> {
    const branches = await branchesOfClosures(tx, [closure.id]);
    const windows = await windowsInScope(tx, {
      organisationId: closure.organisation_id,
      branchIds: branches.map(({ branch_id }) => branch_id),
      windowId: closure.window_id,
      range: rangeOf(closure),
    });
    const done = new Set((await closureDates(tx, closure.id)).map(keyOf));
    const due = windows
      .flatMap((window) => datesOn(window.day, rangeOf(closure)).map((date): [BookingWindow, string] => [window, date]))
      .filter(([window, date]) => !done.has(keyOf({ window_id: window.id, date })))
      .slice(0, MOST_DATES);
    for (const [window, date] of due) await closeDate(tx, this.deps, closure, window, date);
    if (due.length === MOST_DATES) return;
    const people = await peopleOf(tx, closure.id, { state: "waiting", limit: MOST_PEOPLE });
    const ids = people.map(({ appointment_id }) => appointment_id);
    for (const watch of this.deps.closedDayWatchers) await watch(tx, ids);
    await this.#become(tx, closure, "moving");
  }

  async #moveSome(tx: Tx, closure: Closure): Promise<void> {
    const people = await peopleOf(tx, closure.id, { choice: "move", state: "waiting", limit: MOST_MOVED });
    const places = new Map<string, Places>();
    for (const person of people) await updatePerson(tx, person, await this.#moved(tx, closure, person, places));
    if (people.length === MOST_MOVED) return;
    // campaigns/closure-calls.ts makes the calls.
    const [toCall] = await peopleOf(tx, closure.id, { choice: "call", state: "waiting", limit: 1 });
    await this.#become(tx, closure, toCall ? "calling" : "closed");
  }

  #become(tx: Tx, { id }: Closure, state: ClosureState): Promise<void> {
    return updateClosure(tx, id, { state, updated_at: this.deps.clock.now() });
  }

  async #moved(
    tx: Tx,
    closure: Closure,
    person: ClosurePerson,
    places: Map<string, Places>,
  ): Promise<Partial<ClosurePerson>> {
    const { clock, appointments } = this.deps;
    const { organisation_id } = closure;
    const row = await appointmentOf(tx, organisation_id, person.appointment_id);
    if (row?.status !== "confirmed" || row.window_id !== person.window_id || row.date !== person.date)
      return { state: "gone" };
    let target = { window: person.to_window_id, date: person.to_date };
    if (target.window === null) {
      let open = places.get(row.branch_id);
      const within = { reader: tx, heavy: null };
      if (!open)
        places.set(
          row.branch_id,
          (open = createPlaces(await openPlaces(within, clock, organisation_id, row.branch_id, closure.from_date))),
        );
      const place = open.take(row);
      target = { window: place?.window.calendar_id ?? null, date: place?.date ?? null };
    }
    if (target.window === null || target.date === null) return { state: "refused" };
    const slot_id = availabilitySlotId(target.window, target.date);
    try {
      await appointments.change(tx, organisation_id, row.id, { slot_id }, actorOf(closure));
    } catch (error) {
      // Rejected before anything was written: the slot is full, closed or over since the preview.
      if (error instanceof AppError && ["SLOT_FULL", "VALIDATION_ERROR"].includes(error.code))
        return { state: "refused" };
      throw error;
    }
    return { state: "done", to_window_id: target.window, to_date: target.date };
  }

  async #reopenSome(tx: Tx, closure: Closure): Promise<void> {
    const { clock, slotEvents } = this.deps;
    const now = clock.now();
    const dates = await someClosureDates(tx, closure.id, MOST_DATES);
    for (const row of dates) {
      await deleteClosureDate(tx, row);
      const other = await otherClosureOn(tx, row);
      // Another closure keeps the date closed: it takes over the status from before both.
      if (other) {
        await setStatusBefore(tx, { ...other, status_before: row.status_before });
        continue;
      }
      // The date may have been opened or changed by hand in the meantime.
      if ((await windowDate(tx, row.window_id, row.date))?.status !== "CLOSED") continue;
      await updateWindowDate(tx, row.window_id, row.date, { status: row.status_before, updated_at: now });
      const window = await windowOf(tx, closure.organisation_id, row.window_id);
      if (!window) continue;
      await slotEvents.dateChanged(tx, window, row.date, now);
      await slotEvents.opened(tx, window, row.date, now);
    }
    if (dates.length < MOST_DATES) await this.#become(tx, closure, "reopened");
  }
}

export const createClosureWork = (deps: ClosureWorkDeps): ClosureWork => new ClosureWork(deps);

export function actorOf({ actor_kind, actor_id }: Pick<Closure, "actor_kind" | "actor_id">): Actor {
  return { kind: actor_kind, id: actor_id };
}

function keyOf({ window_id, date }: { window_id: string; date: string }): string {
  return availabilitySlotId(window_id, date);
}
