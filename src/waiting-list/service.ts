// Service for the waiting list, for people and agents: join, list, change, remove, call now.
import type { Audit } from "../accounts/audit.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import { registerAppointmentType, registerBranch, zoneOf } from "../calendar/directory-store.ts";
import { localNow } from "../calendar/days.ts";
import { calendarIdOf } from "../calendar/slot-id.ts";
import type { TrackingService } from "../calendar/tracking-service.ts";
import { windowOf } from "../calendar/window-store.ts";
import { isDoNotDisturb } from "../calls/people/do-not-disturb-store.ts";
import type { CallService } from "../calls/service.ts";
import type { Config } from "../config/schema.ts";
import { SYSTEM_ACTOR, type Actor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import { contactPlace, type ContactPlace } from "../core/given-place.ts";
import type { Ids } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import { decodeCursor, encodeCursor, pageSize } from "../core/pages.ts";
import { addDays } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import type { Alongside } from "../db/alongside.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { checkedText, storedIdentifiers, type Identifier } from "../payloads/identifiers.ts";
import type { TimeWish } from "../calendar/desk-port.ts";
import {
  agentForBranch,
  assertCallable,
  assertCalls,
  checkedWishes,
  daysWished,
  givenColumns,
} from "./checked-entry.ts";
import type { CreateWaitingInput, ListWaitingInput, PatchWaitingInput, Waiting } from "./model.ts";
import { leaveAgain } from "./leave-again.ts";
import { offerUnderWay } from "./offer-store.ts";
import { callerOf, capacityOn, type Place, type WaitingOffers } from "./offers.ts";
import type { WaitingEntry } from "./records.ts";
import { askableUntil, callableAt, hoursFor, sessionsWished, suits, waitingSettings } from "./rules.ts";
import { entryOf, insertEntry, listEntries, sameEntry, updateEntry } from "./store.ts";
import { waitingViews } from "./view.ts";

export interface WaitingListDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  config: Config;
  logger: Logger;
  audit: Audit;
  readNotes: ReadNotes;
  tracking: TrackingService;
  calls: Pick<CallService, "cancel">;
  offers: WaitingOffers;
  wake: () => void;
}

/** A caller who asks to join in a call. */
export interface WaitingCaller {
  callId: string;
  organisationId: string;
  branchId: string | null;
  appointmentTypeId: string | null;
  contactName: string | null;
  contactNumber: string;
  contactEmail: string | null;
  identifiers?: readonly Identifier[];
  contactPlace?: ContactPlace;
  agentId: string;
}

/** The range of dates that the calendar answers for. */
const MOST_DAYS_LOOKED_AT = 91;

export class WaitingListService {
  constructor(private readonly deps: WaitingListDeps) {}

  async add(
    organisationId: string,
    input: CreateWaitingInput,
    source: WaitingEntry["source"],
    actor: Actor,
    alongside: Alongside<Waiting> = async () => {},
  ): Promise<Waiting> {
    const { db, config } = this.deps;
    const branchId = input.branch_id.toLowerCase();
    const wishes = checkedWishes(input, await this.#days(organisationId, branchId));
    assertCallable(input.contact_number, config.calls.allowed_ranges);
    if (input.agent_id) await assertCalls(db.reader, organisationId, input.agent_id);
    const agentId = input.agent_id ?? (await agentForBranch(db.reader, organisationId, branchId));
    return db.write(async (tx) => {
      const entry = {
        ...this.#fresh(organisationId, source),
        ...wishes,
        branch_id: branchId,
        appointment_type_id: input.appointment_type_id?.toLowerCase() ?? null,
        agent_id: agentId,
        contact_name: input.contact_name ?? null,
        contact_number: input.contact_number,
        contact_email: input.contact_email ?? null,
        contact_identifiers: checkedText(input.contact_identifiers, "contact_identifiers"),
        notes: input.notes ?? null,
        ...contactPlace(input),
      };
      if (await sameEntry(tx, entry)) {
        throw new AppError("CONFLICT", "This number is already waiting for the same.");
      }
      await this.#insert(tx, entry, actor);
      const view = await this.#view(entry, tx);
      await alongside(tx, view);
      return view;
    });
  }

  /** Joins at once, in a call. Adds no second entry for the same wish. False if joining is impossible. */
  async join(caller: WaitingCaller, wish: TimeWish | null): Promise<boolean> {
    const { db, config, logger } = this.deps;
    const { organisationId, branchId, contactNumber } = caller;
    if (branchId === null) return false;
    try {
      assertCallable(contactNumber, config.calls.allowed_ranges);
      const days = await this.#days(organisationId, branchId);
      const wished = daysWished(wish, days.today);
      const wishes = checkedWishes({ ...wished, sessions: sessionsWished(wish) }, days);
      const agentId = await agentForBranch(db.reader, organisationId, branchId, caller.agentId);
      await db.write(async (tx) => {
        const entry = {
          ...this.#fresh(organisationId, "ai"),
          ...wishes,
          branch_id: branchId,
          appointment_type_id: caller.appointmentTypeId,
          agent_id: agentId,
          contact_name: caller.contactName,
          contact_number: contactNumber,
          contact_email: caller.contactEmail,
          contact_identifiers: storedIdentifiers(caller.identifiers ?? []),
          ...(caller.contactPlace ?? contactPlace({})),
          call_id: caller.callId,
        };
        if (!(await sameEntry(tx, entry))) await this.#insert(tx, entry, SYSTEM_ACTOR);
      });
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      logger.warn("A caller could not be put on the waiting list.", {
        call_id: caller.callId,
        error: messageOf(error),
      });
      return false;
    }
  }

  /** Undoes `join` in the same call. */
  unjoin(caller: WaitingCaller): Promise<boolean> {
    return leaveAgain(this.deps, caller);
  }

  /** In order of turn; without a status, entries that wait or are being called. */
  async list(organisationId: string, input: ListWaitingInput, actor: Actor) {
    const { db, readNotes } = this.deps;
    const limit = pageSize(input.limit);
    const rows = await listEntries(db.reader, {
      organisationId,
      branchId: input.branch_id?.toLowerCase(),
      reach: actor.reach,
      states: input.status === undefined ? ["waiting", "offered"] : [input.status],
      after: input.cursor === undefined ? undefined : decodeCursor(input.cursor, input),
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    await readNotes.note({ organisationId, actor, action: "waiting.listed", detail: { count: page.length } });
    return {
      data: await waitingViews(db.reader, page),
      next_cursor:
        rows.length > limit && last ? encodeCursor({ createdAt: last.created_at, id: last.id }, input) : null,
    };
  }

  /** Keeps the entry's turn. */
  async change(organisationId: string, id: string, input: PatchWaitingInput, actor: Actor): Promise<Waiting> {
    const { db, clock, audit, config } = this.deps;
    const fields = Object.keys(input);
    if (fields.length === 0) throw new AppError("VALIDATION_ERROR", "At least one field is needed.");
    const present = await entryOf(db.reader, organisationId, id);
    if (!present) throw unknownEntry();
    await this.#changedWishes(input, present);
    if (input.contact_number !== undefined) assertCallable(input.contact_number, config.calls.allowed_ranges);
    if (input.agent_id) await assertCalls(db.reader, organisationId, input.agent_id);
    const changed = await db.write(async (tx) => {
      const row = await entryOf(tx, organisationId, id);
      if (!row) throw unknownEntry();
      if (row.state !== "waiting") throw notWaiting(row);
      const now = clock.now();
      // Uses the present row, which may have changed since it was read.
      const wishes = await this.#changedWishes(input, row, tx);
      const change = { ...wishes, ...givenColumns(input, row), updated_at: now };
      await this.#register(tx, { ...row, ...change }, now);
      await updateEntry(tx, id, change);
      await audit.record(tx, { organisationId, actor, action: "waiting.changed", subjectId: id, detail: { fields } });
      return { ...row, ...change };
    });
    return this.#view(changed);
  }

  async #changedWishes(input: PatchWaitingInput, before: WaitingEntry, executor: Executor = this.deps.db.reader) {
    const branch_id = input.branch_id?.toLowerCase() ?? before.branch_id;
    const days = await this.#days(before.organisation_id, branch_id, executor);
    return { ...checkedWishes(input, days, before), branch_id };
  }

  /** Cancels a pending call about a slot; a live one continues. Idempotent. */
  async remove(organisationId: string, id: string, actor: Actor) {
    const { db, clock, audit, calls, wake } = this.deps;
    const callId = await db.write(async (tx) => {
      const row = await entryOf(tx, organisationId, id);
      if (!row) throw unknownEntry();
      if (row.state !== "waiting" && row.state !== "offered") return null;
      const offer = await offerUnderWay(tx, id);
      await updateEntry(tx, id, { state: "removed", updated_at: clock.now() });
      await audit.record(tx, { organisationId, actor, action: "waiting.removed", subjectId: id });
      return offer?.call_id ?? null;
    });
    if (callId !== null) await calls.cancel(organisationId, callId, actor).catch(whereUnderWay);
    wake();
    return { waiting_id: id, status: "removed" as const };
  }

  /** Out of turn: reserves the first suitable free slot and calls the person. */
  async callNow(organisationId: string, id: string, actor: Actor): Promise<Waiting> {
    const { db, wake } = this.deps;
    const present = await entryOf(db.reader, organisationId, id);
    if (!present) throw unknownEntry();
    const slots = await this.#slotsFor(present);
    const called = await db.write(async (tx) => {
      const entry = await entryOf(tx, organisationId, id);
      if (!entry) throw unknownEntry();
      if (entry.state !== "waiting") throw notWaiting(entry);
      await this.#callFreePlace(tx, entry, slots, actor);
      return { ...entry, state: "offered" as const };
    });
    wake();
    return this.#view(called);
  }

  async #callFreePlace(tx: Tx, entry: WaitingEntry, slots: readonly { slot_id: string; date: string }[], actor: Actor) {
    const { clock, config, offers } = this.deps;
    const settings = waitingSettings(config);
    const now = clock.now();
    if (await isDoNotDisturb(tx, entry.organisation_id, entry.contact_number)) {
      throw new AppError("CONFLICT", "This number is on the do-not-disturb list.");
    }
    const agent = await callerOf(tx, entry);
    if (!agent) throw new AppError("CONFLICT", "Choose an agent that can call: an outbound one with a number.");
    if (callableAt(hoursFor(agent, settings), entry, now) !== now) {
      throw new AppError("CONFLICT", "It is outside the calling hours.");
    }
    for (const { slot_id, date } of slots) {
      const window = await windowOf(tx, entry.organisation_id, calendarIdOf(slot_id));
      // The wishes may have changed since the slots were searched.
      if (!window || !suits(entry, window, date)) continue;
      const place: Place = { window, date, zone: await zoneOf(tx, entry.organisation_id, window.branch_id) };
      const { status, available, aiAvailable } = await capacityOn(tx, window, date, now);
      const left = entry.source === "ai" ? aiAvailable : available;
      if (status === "CLOSED" || left <= 0 || askableUntil(window, date, place.zone, settings) <= now) continue;
      await offers.offer(tx, { entry, agent, place, openedAt: 0 }, actor);
      return;
    }
    throw new AppError("CONFLICT", "No place that suits is free at the moment.");
  }

  async #slotsFor(entry: WaitingEntry) {
    const { tracking } = this.deps;
    const { today } = await this.#days(entry.organisation_id, entry.branch_id);
    const from = entry.from_date < today ? today : entry.from_date;
    const farthest = addDays(from, MOST_DAYS_LOOKED_AT);
    if (entry.to_date < from) return [];
    const slots = await tracking.availability(entry.organisation_id, {
      branch_id: entry.branch_id,
      from,
      to: entry.to_date > farthest ? farthest : entry.to_date,
      ...(entry.appointment_type_id === null ? {} : { appointment_type_id: entry.appointment_type_id }),
    });
    return slots.filter(
      ({ available_slots, branch_id, appointment_type, session, date }) =>
        (available_slots ?? 0) > 0 && suits(entry, { branch_id, appointment_type_id: appointment_type, session }, date),
    );
  }

  #fresh(organisationId: string, source: WaitingEntry["source"]) {
    const { clock, ids } = this.deps;
    const now = clock.now();
    return {
      id: ids.next("wtl"),
      organisation_id: organisationId,
      notes: null,
      state: "waiting" as const,
      source,
      call_id: null,
      appointment_id: null,
      created_at: now,
      updated_at: now,
    };
  }

  async #insert(tx: Tx, row: WaitingEntry, actor: Actor): Promise<void> {
    await this.#register(tx, row, row.created_at);
    await insertEntry(tx, row);
    await this.deps.audit.record(tx, {
      organisationId: row.organisation_id,
      actor,
      action: "waiting.added",
      subjectId: row.id,
      detail: { source: row.source },
    });
  }

  async #register(tx: Tx, row: WaitingEntry, now: number): Promise<void> {
    const { organisation_id, branch_id, appointment_type_id } = row;
    await registerBranch(tx, organisation_id, branch_id, now);
    if (appointment_type_id !== null) await registerAppointmentType(tx, organisation_id, appointment_type_id, now);
  }

  async #days(organisationId: string, branchId: string, executor: Executor = this.deps.db.reader) {
    const { clock, config } = this.deps;
    const { date: today } = localNow(clock, await zoneOf(executor, organisationId, branchId));
    return { today, daysAhead: config.waiting_list.days_ahead };
  }

  async #view(row: WaitingEntry, executor: Executor = this.deps.db.reader): Promise<Waiting> {
    const [view] = await waitingViews(executor, [row]);
    if (!view) throw new Error("An entry without a view.");
    return view;
  }
}

export const createWaitingListService = (deps: WaitingListDeps): WaitingListService => new WaitingListService(deps);

const unknownEntry = () => new AppError("NOT_FOUND", "Nobody with this id is on the waiting list.");

const notWaiting = ({ state }: WaitingEntry) =>
  new AppError(
    "CONFLICT",
    state === "offered" ? "They are being called about a place right now." : "They are no longer waiting.",
  );

/** The call was dialled meanwhile, or has ended. */
function whereUnderWay(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}
