// Weekly windows: create, change and disable. Windows are never deleted.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import { assertUnchanged } from "../core/entity-tag.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import { addDays } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import type { Alongside } from "../db/alongside.ts";
import { DAYS, type Day, type Slot } from "../payloads/slot.ts";
import { closeWhereBranchIs } from "./closing.ts";
import { expectedFrom } from "./appointment-store.ts";
import { localNow } from "./days.ts";
import type { CreateWindowInput, PatchWindowInput } from "./model.ts";
import { registerAppointmentType, registerBranch, zoneOf } from "./directory-store.ts";
import type { BookingWindow, DaySession } from "./records.ts";
import { calendarIdOf } from "./slot-id.ts";
import type { SlotEvents } from "./slot-events.ts";
import { windowView } from "./views.ts";
import { insertWindow, updateWindow, windowOf, windowsOf } from "./window-store.ts";

export interface WindowServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  config: Config;
  audit: Audit;
  slotEvents: SlotEvents;
  wake: () => void;
}

export interface NewWindowOptions {
  /** False: the people on the waiting list are not called about the new places until staff say so. */
  callsWaitingList?: boolean | undefined;
}

export function createWindowService(deps: WindowServiceDeps) {
  const { db, clock, config, audit, slotEvents, wake } = deps;

  async function changeWithin(tx: Tx, organisationId: string, id: string, patch: Partial<BookingWindow>, actor: Actor) {
    const present = await mustFind(tx, organisationId, id);
    assertUnchanged(actor, windowView(present));
    const change = { ...hoursOfNewSession(config, present, patch), ...patch };
    const window = { ...present, ...change, updated_at: clock.now() };
    assertSound(window);
    await updateWindow(tx, id, { ...change, updated_at: window.updated_at });
    await audit.record(tx, {
      organisationId,
      actor,
      action: "window.changed",
      subjectId: id,
      detail: { fields: Object.keys(patch) },
    });
    await slotEvents.windowChanged(tx, window);
    if (window.day !== present.day) await closeWhereBranchIs(tx, deps, window);
    if (opensPlaces(present, window)) await slotEvents.opened(tx, window, null, window.updated_at);
    return window;
  }

  async function change(organisationId: string, slotId: string, patch: Partial<BookingWindow>, actor: Actor) {
    const id = calendarIdOf(slotId);
    const changed = await db.write((tx) => changeWithin(tx, organisationId, id, patch, actor));
    wake();
    return windowView(changed);
  }

  return {
    /** `alongside` commits with the window. */
    async create(
      organisationId: string,
      input: CreateWindowInput,
      actor: Actor,
      alongside: Alongside<Slot> = async () => {},
      options: NewWindowOptions = {},
    ): Promise<Slot> {
      const made = await createAll(deps, organisationId, [input], actor, options, (tx, views) =>
        alongside(tx, only(views)),
      );
      return only(made);
    },

    /** Atomic: creates all of them or none. For a plan of several days or of another branch. */
    createAll: (
      organisationId: string,
      inputs: readonly CreateWindowInput[],
      actor: Actor,
      options: NewWindowOptions = {},
    ) => createAll(deps, organisationId, inputs, actor, options),

    async get(organisationId: string, slotId: string) {
      const window = await windowOf(db.reader, organisationId, calendarIdOf(slotId));
      if (!window) throw unknownWindow();
      return windowView(window);
    },

    async list(organisationId: string, branchId: string | undefined) {
      const rows = await windowsOf(db.reader, organisationId, branchId?.toLowerCase());
      // The database sorts by branch and time; weekdays are sorted here.
      return rows
        .map(windowView)
        .toSorted((a, b) => a.branch_id.localeCompare(b.branch_id) || weekOrder(a.day) - weekOrder(b.day));
    },

    update(organisationId: string, slotId: string, input: PatchWindowInput, actor: Actor) {
      const patch = patchOf(input);
      if (Object.keys(patch).length === 0) {
        throw new AppError(
          "VALIDATION_ERROR",
          "At least one field is needed: day, session, start_time, end_time, max_slots, ai_slots, batch_name or status.",
        );
      }
      return change(organisationId, slotId, patch, actor);
    },

    disable: (organisationId: string, slotId: string, actor: Actor) =>
      change(organisationId, slotId, { status: "CLOSED" }, actor),

    /** closure-service.ts handles the booked appointments. */
    disableWithin: async (tx: Tx, organisationId: string, id: string, actor: Actor): Promise<void> =>
      void (await changeWithin(tx, organisationId, id, { status: "CLOSED" }, actor)),

    /** Number of upcoming appointments and the last date, shown before a window is disabled. */
    async booked(organisationId: string, slotId: string): Promise<{ people: number; last_date: string | null }> {
      const window = await windowOf(db.reader, organisationId, calendarIdOf(slotId));
      if (!window) throw unknownWindow();
      const { date, time } = localNow(clock, await zoneOf(db.reader, organisationId, window.branch_id));
      return expectedFrom(db.reader, window.id, window.end_time > time ? date : addDays(date, 1));
    },
  };
}

export type WindowService = ReturnType<typeof createWindowService>;

async function createAll(
  deps: WindowServiceDeps,
  organisationId: string,
  inputs: readonly CreateWindowInput[],
  actor: Actor,
  options: NewWindowOptions,
  alongside: Alongside<Slot[]> = async () => {},
): Promise<Slot[]> {
  const windows = inputs.map((input) => newWindow(deps, organisationId, input));
  const views = windows.map(windowView);
  await deps.db.write(async (tx) => {
    for (const window of windows) await insertNew(tx, deps, window, actor, options);
    await alongside(tx, views);
  });
  deps.wake();
  return views;
}

function only([window]: readonly Slot[]): Slot {
  if (!window) throw new Error("A window was made and is not there.");
  return window;
}

function newWindow(
  { clock, ids, config }: WindowServiceDeps,
  organisationId: string,
  input: CreateWindowInput,
): BookingWindow {
  const now = clock.now();
  const [sessionStart, sessionEnd] = sessionHours(config, input.session);
  const window: BookingWindow = {
    id: ids.uuid(),
    organisation_id: organisationId,
    branch_id: input.branch_id.toLowerCase(),
    day: input.day,
    session: input.session,
    batch: input.batch_name ?? null,
    start_time: input.start_time ?? sessionStart,
    end_time: input.end_time ?? sessionEnd,
    appointment_type_id: input.appointment_type_id?.toLowerCase() ?? null,
    max_slots: input.max_slots ?? input.ai_slots,
    ai_slots: input.ai_slots,
    status: input.status ?? "OPEN",
    created_at: now,
    updated_at: now,
  };
  assertSound(window);
  return window;
}

async function insertNew(
  tx: Tx,
  deps: WindowServiceDeps,
  window: BookingWindow,
  actor: Actor,
  { callsWaitingList = true }: NewWindowOptions,
): Promise<void> {
  const { organisation_id, branch_id, appointment_type_id, created_at } = window;
  await registerBranch(tx, organisation_id, branch_id, created_at);
  if (appointment_type_id) await registerAppointmentType(tx, organisation_id, appointment_type_id, created_at);
  await insertWindow(tx, window);
  await deps.audit.record(tx, {
    organisationId: organisation_id,
    actor,
    action: "window.created",
    subjectId: window.id,
  });
  await deps.slotEvents.windowChanged(tx, window);
  await closeWhereBranchIs(tx, deps, window);
  if (window.status === "OPEN" && callsWaitingList) await deps.slotEvents.opened(tx, window, null, created_at);
}

/** Whether the change may have opened slots. */
function opensPlaces(before: BookingWindow, after: BookingWindow): boolean {
  if (after.status === "CLOSED") return false;
  const isOtherTime = before.day !== after.day || before.start_time !== after.start_time;
  const isMore = after.max_slots > before.max_slots || after.ai_slots > before.ai_slots;
  return before.status === "CLOSED" || isOtherTime || before.session !== after.session || isMore;
}

/** The week starts on Monday. */
function weekOrder(day: string): number {
  return (DAYS.indexOf(day as Day) + 6) % 7;
}

export function unknownWindow(): AppError {
  return new AppError("NOT_FOUND", "There is no window with this slot_id.");
}

export function sessionHours(config: Config, session: DaySession): [start: string, end: string] {
  const { morning, afternoon, evening } = config.calendar.sessions;
  return { Morning: morning, Afternoon: afternoon, Evening: evening }[session];
}

/** A window with its session's default hours takes the default hours of the new session; custom hours stay. */
function hoursOfNewSession(
  config: Config,
  present: BookingWindow,
  patch: Partial<BookingWindow>,
): Partial<BookingWindow> {
  if (patch.session === undefined || patch.session === present.session) return {};
  const [oldStart, oldEnd] = sessionHours(config, present.session);
  if (present.start_time !== oldStart || present.end_time !== oldEnd) return {};
  const [start_time, end_time] = sessionHours(config, patch.session);
  return { start_time, end_time };
}

async function mustFind(tx: Tx, organisationId: string, id: string): Promise<BookingWindow> {
  const window = await windowOf(tx, organisationId, id);
  if (!window) throw unknownWindow();
  return window;
}

function assertSound(window: BookingWindow): void {
  if (window.ai_slots > window.max_slots) throw invalidField("ai_slots", "ai_slots must not exceed max_slots.");
  if (window.start_time >= window.end_time) throw invalidField("start_time", "start_time must be before end_time.");
}

function patchOf(input: PatchWindowInput): Partial<BookingWindow> {
  const { batch_name, ...rest } = input;
  return { ...rest, ...(batch_name === undefined ? {} : { batch: batch_name }) };
}
