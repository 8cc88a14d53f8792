// Closures of days across windows and branches: preview, close, reopen. Affected appointments are moved, called or
// left, as chosen for all or for each.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import type { Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import { decodeCursor, encodeCursor, pageSize } from "../core/pages.ts";
import { addDays } from "../core/zones.ts";
import type { Alongside } from "../db/alongside.ts";
import type { Database } from "../db/database.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { viewOf } from "./appointment-changes.ts";
import { appointmentOf } from "./appointment-store.ts";
import { notePeople } from "./closing.ts";
import { dueCalls, noteCalled, type DueCalls } from "./closure-people.ts";
import type { ClosureWork } from "./closure-work.ts";
import {
  MOST_PEOPLE,
  type CloseInput,
  type ClosurePreview,
  type ClosureView,
  type ClosureScopeInput,
  type ListClosuresInput,
  type ReopenInput,
} from "./closure-model.ts";
import {
  closureOf,
  closuresBefore,
  closuresFrom,
  expectedInScope,
  insertClosure,
  peopleOf,
  updateClosure,
  updatePerson,
  type ClosureScope,
} from "./closure-store.ts";
import { closureViews, placeShown } from "./closure-views.ts";
import { windowsOnDates } from "./dated-windows.ts";
import { dateRange, isOver, localNow } from "./days.ts";
import { branchesOf, zoneOf } from "./directory-store.ts";
import { beginsIn } from "./moments.ts";
import { createPlaces, type Places } from "./next-place.ts";
import { openPlaces } from "./open-places.ts";
import type { Appointment, Closure, ClosurePerson } from "./records.ts";
import { availabilitySlotId, datedSlotOf } from "./slot-id.ts";
import { windowOf } from "./window-store.ts";
import type { WindowService } from "./window-service.ts";
import type { WindowOnDate } from "./window-dates.ts";

/** Two years: the range of published holiday lists. */
const MOST_DAYS_AHEAD = 2 * 366;
const MOST_SHOWN = 200;
/** Steps done within the request; the rest runs in the background. */
const STEPS_AT_ONCE = 5;

export interface ClosureServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  readNotes: ReadNotes;
  work: ClosureWork;
  windows: Pick<WindowService, "disableWithin">;
  /** Whether the organisation has this agent and it makes outbound calls. Set by the composition root. */
  callsOut: (tx: Tx, organisationId: string, agentId: string) => Promise<boolean>;
  /** Set by the composition root. */
  closureWatchers: readonly ClosureWatcher[];
  wake: () => void;
}

/** Called in the transaction that reopens days, unless the calls about them continue. */
export type ClosureWatcher = (tx: Tx, reopened: Closure, actor: Actor) => Promise<void>;

interface NamedScope extends ClosureScope {
  name: string | null;
}

export class ClosureService {
  constructor(private readonly deps: ClosureServiceDeps) {}

  /** Lists the dates to be closed and the affected appointments, each with the next free slot of the same service. */
  async preview(organisationId: string, input: ClosureScopeInput, actor: Actor): Promise<ClosurePreview> {
    const { db, readNotes } = this.deps;
    const scopes = await this.#scopes(db.reader, organisationId, input);
    const rows = new Map<string, Appointment>();
    let windows = 0;
    for (const scope of scopes) {
      windows += await this.#openIn(scope);
      for (const row of await expectedInScope(db.reader, scope, MOST_PEOPLE + 1)) {
        if (!(await this.#isOver(row))) rows.set(row.id, row);
      }
    }
    const people = [...rows.values()].slice(0, MOST_PEOPLE);
    const places = new Map<string, Places>();
    const shown: ClosurePreview["people"] = [];
    for (const row of people) {
      const place = (await this.#placesAt(row.branch_id, organisationId, scopes, places)).take(row);
      shown.push({ appointment: await viewOf(db.reader, row), next_place: place ? placeShown(place) : null });
    }
    await readNotes.note({ organisationId, actor, action: "appointment.listed", detail: { count: people.length } });
    return { windows, people: shown, has_more: rows.size > people.length };
  }

  /** Creates one closure per range. The choices are stored with it; the work follows, and resumes after a restart. */
  async close(
    organisationId: string,
    input: CloseInput,
    actor: Actor,
    alongside: Alongside<{ closure_ids: string[] }> = async () => {},
  ): Promise<{ closure_ids: string[] }> {
    const { db, clock, ids, audit, wake, work, windows, callsOut } = this.deps;
    const isCalled = input.otherwise === "call" || (input.people ?? []).some(({ choice }) => choice === "call");
    if (isCalled && !input.agent_id) throw invalidField("agent_id", "Name the agent that calls.");
    const made = await db.write(async (tx) => {
      const now = clock.now();
      if (isCalled && !(await callsOut(tx, organisationId, input.agent_id ?? "")))
        throw invalidField("agent_id", "agent_id names no agent that calls out.");
      if (input.disables_window) {
        if (!input.window_id) throw invalidField("window_id", "Name the window that is disabled.");
        await windows.disableWithin(tx, organisationId, input.window_id.toLowerCase(), actor);
      }
      const closures: string[] = [];
      for (const scope of await this.#scopes(tx, organisationId, input)) {
        const row: Closure = {
          id: ids.next("cls"),
          organisation_id: organisationId,
          name: scope.name,
          from_date: scope.range.from,
          to_date: scope.range.to,
          window_id: scope.windowId,
          state: "closing",
          otherwise: input.otherwise,
          agent_id: isCalled ? (input.agent_id ?? null) : null,
          campaign_id: null,
          actor_kind: actor.kind,
          actor_id: actor.id,
          created_at: now,
          updated_at: now,
        };
        await insertClosure(tx, row, scope.branchIds);
        await notePeople(tx, row, await this.#chosen(tx, row.id, scope, input));
        await audit.record(tx, {
          organisationId,
          actor,
          action: "closure.made",
          subjectId: row.id,
          detail: { ...scope.range, branches: [...scope.branchIds], otherwise: input.otherwise },
        });
        closures.push(row.id);
      }
      await alongside(tx, { closure_ids: closures });
      return closures;
    });
    await this.#workABit(work);
    wake();
    return { closure_ids: made };
  }

  /** Cancels calls about these days that have not been dialled, unless the caller keeps them. */
  async reopen(organisationId: string, id: string, actor: Actor, input: ReopenInput = {}): Promise<{ ok: true }> {
    const { db, clock, audit, wake, work, closureWatchers } = this.deps;
    await db.write(async (tx) => {
      const closure = await mustFind(tx, organisationId, id);
      if (closure.state === "reopening" || closure.state === "reopened")
        throw new AppError("CONFLICT", "These days are already open again.");
      // Contacts who have not been moved or called yet keep their appointment.
      for (const person of await peopleOf(tx, id, { state: "waiting", limit: MOST_PEOPLE }))
        await updatePerson(tx, person, { state: "gone" });
      await updateClosure(tx, id, { state: "reopening", updated_at: clock.now() });
      const detail = { keeps_calling: input.keeps_calling ?? false };
      await audit.record(tx, { organisationId, actor, action: "closure.reopened", subjectId: id, detail });
      if (!input.keeps_calling) for (const watch of closureWatchers) await watch(tx, closure, actor);
    });
    await this.#workABit(work);
    wake();
    return { ok: true };
  }

  /** Closures that are not over, with their progress. */
  async list(organisationId: string): Promise<ClosureView[]> {
    const { db, clock } = this.deps;
    const yesterday = addDays(localNow(clock, "UTC").date, -1);
    const rows = await closuresFrom(db.reader, organisationId, yesterday, MOST_SHOWN);
    return closureViews(db.reader, rows);
  }

  /** Every closure, newest first. */
  async page(organisationId: string, input: ListClosuresInput) {
    const { db } = this.deps;
    const limit = pageSize(input.limit);
    const before = input.cursor === undefined ? undefined : decodeCursor(input.cursor, input);
    const rows = await closuresBefore(db.reader, organisationId, before, limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      data: await closureViews(db.reader, page),
      next_cursor:
        rows.length > limit && last ? encodeCursor({ createdAt: last.created_at, id: last.id }, input) : null,
    };
  }

  async get(organisationId: string, id: string): Promise<ClosureView> {
    const { reader } = this.deps.db;
    const [view] = await closureViews(reader, [await mustFind(reader, organisationId, id)]);
    if (!view) throw unknownClosure();
    return view;
  }

  /** Appointments that could not be moved: the slot was taken in the meantime, or none was free. */
  async refused(organisationId: string, id: string, actor: Actor) {
    const { db, readNotes } = this.deps;
    await mustFind(db.reader, organisationId, id);
    const people = await peopleOf(db.reader, id, { state: "refused", limit: MOST_PEOPLE });
    const rows = await Promise.all(
      people.map(({ appointment_id }) => appointmentOf(db.reader, organisationId, appointment_id)),
    );
    await readNotes.note({ organisationId, actor, action: "appointment.listed", detail: { count: rows.length } });
    return Promise.all(rows.flatMap((row) => (row ? [viewOf(db.reader, row)] : [])));
  }

  /** The oldest closure with contacts to call, and those contacts. Null if there is none. */
  toCall = (): Promise<DueCalls | null> => dueCalls(this.deps.db.reader);

  /** Runs in the transaction that stores the calls; `campaignId` is null if no contact could be called. */
  called = (
    tx: Tx,
    closureId: string,
    campaignId: string | null,
    reached: ReadonlyMap<string, string | null>,
  ): Promise<void> => noteCalled(tx, { closureId, campaignId, reached, now: this.deps.clock.now() });

  /** The request is already stored: if a step fails, for example on a full disk, the scheduler retries it later. */
  async #workABit(work: ClosureWork): Promise<void> {
    try {
      for (let i = 0; i < STEPS_AT_ONCE; i++) if (!(await work.step())) return;
    } catch (error) {
      if (!(error instanceof AppError && error.code === "UNAVAILABLE")) throw error;
    }
  }

  async #scopes(executor: Executor, organisationId: string, input: ClosureScopeInput): Promise<NamedScope[]> {
    const known = new Set((await branchesOf(executor, organisationId)).map(({ id }) => id));
    const branchIds = [...new Set(input.branch_ids.map((id) => id.toLowerCase()))];
    if (!branchIds.every((id) => known.has(id))) throw invalidField("branch_ids", "There is no such branch.");
    const windowId = input.window_id?.toLowerCase() ?? null;
    if (windowId !== null && !(await windowOf(executor, organisationId, windowId)))
      throw invalidField("window_id", "There is no such window.");
    const today = addDays(localNow(this.deps.clock, "UTC").date, -1);
    return input.ranges.map(({ from, to, name }) => {
      const range = dateRange({ from, to }, today);
      if (range.to < today) throw invalidField("to", "These days are over.");
      if (range.to > addDays(today, MOST_DAYS_AHEAD))
        throw invalidField("to", "That is too far ahead: two years at most.");
      return { organisationId, branchIds, windowId, range, name: trimmedOrNull(name) };
    });
  }

  async #openIn(scope: ClosureScope): Promise<number> {
    const { db, clock } = this.deps;
    let open = 0;
    for (const branchId of scope.branchIds) {
      const filter = { organisationId: scope.organisationId, branchId };
      const begins = beginsIn(await zoneOf(db.reader, scope.organisationId, branchId));
      const question = { filter, range: scope.range, beginsAt: () => begins, now: clock.now() };
      const places = await windowsOnDates(db, question);
      open += places.filter((place) => place.capacity.status === "OPEN" && isIn(scope, place)).length;
    }
    return open;
  }

  async #isOver({ organisation_id, branch_id, date, end_time }: Appointment): Promise<boolean> {
    const { db, clock } = this.deps;
    return isOver(date, end_time, localNow(clock, await zoneOf(db.reader, organisation_id, branch_id)));
  }

  /** Open slots at the branch, without those about to be closed. */
  async #placesAt(
    branchId: string,
    organisationId: string,
    scopes: readonly ClosureScope[],
    known: Map<string, Places>,
  ): Promise<Places> {
    const { db, clock } = this.deps;
    let places = known.get(branchId);
    if (!places) {
      // Reads as far ahead of each range as the calendar allows.
      const open = new Map<string, WindowOnDate>();
      for (const { range } of scopes.toSorted((a, b) => a.range.from.localeCompare(b.range.from))) {
        for (const place of await openPlaces(db, clock, organisationId, branchId, range.from))
          open.set(availabilitySlotId(place.window.calendar_id, place.date), place);
      }
      places = createPlaces([...open.values()].filter((place) => !scopes.some((scope) => isIn(scope, place))));
      known.set(branchId, places);
    }
    return places;
  }

  async #chosen(tx: Tx, closureId: string, scope: ClosureScope, input: CloseInput) {
    const rows: Omit<ClosurePerson, "state">[] = [];
    for (const { appointment_id, choice, slot_id } of input.people ?? []) {
      const row = await appointmentOf(tx, scope.organisationId, appointment_id);
      if (row?.status !== "confirmed" || row.window_id === null) continue;
      if (!isBookedIn(scope, row) || (await this.#isOver(row))) continue;
      const to = choice === "move" && slot_id ? datedSlotOf(slot_id) : null;
      rows.push({
        closure_id: closureId,
        appointment_id,
        window_id: row.window_id,
        date: row.date,
        choice,
        to_window_id: to?.calendarId ?? null,
        to_date: to?.date ?? null,
      });
    }
    return rows;
  }
}

export const createClosureService = (deps: ClosureServiceDeps): ClosureService => new ClosureService(deps);

function isIn({ branchIds, windowId, range }: ClosureScope, { window, date }: WindowOnDate): boolean {
  if (date < range.from || date > range.to || !branchIds.includes(window.branch_id)) return false;
  return windowId === null || windowId === window.calendar_id;
}

function isBookedIn({ branchIds, windowId, range }: ClosureScope, row: Appointment): boolean {
  if (row.date < range.from || row.date > range.to || !branchIds.includes(row.branch_id)) return false;
  return windowId === null || windowId === row.window_id;
}

function trimmedOrNull(name: string | null | undefined): string | null {
  const trimmed = name?.trim() ?? "";
  return trimmed === "" ? null : trimmed;
}

async function mustFind(executor: Executor, organisationId: string, id: string): Promise<Closure> {
  const closure = await closureOf(executor, organisationId, id);
  if (!closure) throw unknownClosure();
  return closure;
}

const unknownClosure = () => new AppError("NOT_FOUND", "There is no closure with this id.");
