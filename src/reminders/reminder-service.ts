// Service for reminders: upcoming and past reminders, and reminders by hand.
import type { Audit } from "../accounts/audit.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import { unknownAppointment } from "../calendar/appointment-changes.ts";
import { appointmentOf } from "../calendar/appointment-store.ts";
import { isToldOfClosedDay } from "../calendar/closed-people.ts";
import { zoneOf } from "../calendar/directory-store.ts";
import { isDoNotDisturb } from "../calls/people/do-not-disturb-store.ts";
import type { Actor } from "../core/actor.ts";
import { HOUR_MS, toIso, type Clock } from "../core/clock.ts";
import { invalidField } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import { isUuid } from "../core/ids.ts";
import { decodeCursor, encodeCursor, pageSize } from "../core/pages.ts";
import type { Database } from "../db/database.ts";
import type { Appointment } from "../calendar/records.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { Alongside } from "../db/alongside.ts";
import type { ListRemindersInput, ReminderView, RemindInput, SkipReason } from "./model.ts";
import { isFor, isOn, isOpen, isSameTime, type ReminderPlanning } from "./planning.ts";
import type { Reminder, ReminderRule } from "./records.ts";
import { insertReminder, pageOfReminders, remindersOfAppointment, type ShownReminder } from "./reminder-store.ts";
import { callingAgent } from "./rule-service.ts";
import { expectedAppointments, rulesOf } from "./rule-store.ts";
import { startsAt } from "./rule-times.ts";

export interface ReminderServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  readNotes: ReadNotes;
  planning: ReminderPlanning;
  wake: () => void;
}

/** Keeps a write command short. */
const BATCH = 100;
/** Limit for a day of one branch. */
const MOST_OF_A_DAY = 2_000;
/** A reminder by hand replaces a rule's reminder that is due within this time. */
const BY_HAND_INSTEAD_MS = 12 * HOUR_MS;

export interface Reminded {
  planned: number;
  skipped: Partial<Record<SkipReason, number>>;
}

export interface RemindedOne {
  appointment_id: string;
  status: "planned" | "skipped";
  reason: SkipReason | null;
}

interface Wish {
  organisationId: string;
  agentId: string | null;
  skipConfirmed: boolean;
  rules: readonly ReminderRule[];
}

type Judged = { kind: "skip"; reason: SkipReason } | { kind: "remind"; open: Reminder[]; startsAt: number };

export class ReminderService {
  constructor(private readonly deps: ReminderServiceDeps) {}

  async list(organisationId: string, input: ListRemindersInput, actor: Actor) {
    const { db, readNotes } = this.deps;
    const limit = pageSize(input.limit);
    const before = input.cursor === undefined ? undefined : decodeCursor(input.cursor, input);
    const rows = await pageOfReminders(db.reader, {
      organisationId,
      view: input.view,
      ruleId: input.rule_id,
      reach: actor.reach,
      after: before && { at: before.createdAt, id: before.id },
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    await readNotes.note({ organisationId, actor, action: "reminder.listed", detail: { count: page.length } });
    const at = (row: ShownReminder) => (input.view === "next" ? row.due_at : row.updated_at);
    return {
      data: page.map(reminderView),
      next_cursor: rows.length > limit && last ? encodeCursor({ createdAt: at(last), id: last.id }, input) : null,
    };
  }

  /** Reminders of one appointment, for its page. */
  async ofAppointment(organisationId: string, appointmentId: string) {
    const { reader } = this.deps.db;
    const appointment = await appointmentOf(reader, organisationId, appointmentId);
    if (!appointment) throw unknownAppointment();
    const rows = await remindersOfAppointment(reader, appointmentId);
    return rows.map(({ state, outcome, due_at, updated_at, call_id, by_hand, attempts }) => ({
      state,
      outcome,
      due_at: toIso(due_at),
      updated_at: toIso(updated_at),
      call_id,
      by_hand,
      attempts,
    }));
  }

  /** Dry run: who would be called, and who would be skipped and why. */
  async check(organisationId: string, input: RemindInput): Promise<Reminded> {
    const { reader } = this.deps.db;
    const wish = await this.#wish(reader, organisationId, input);
    const found: Reminded = { planned: 0, skipped: {} };
    for await (const batch of this.#batches(organisationId, input)) {
      for (const appointment of batch) count(found, await this.#judge(reader, wish, appointment));
    }
    return found;
  }

  /** The calls are dialled as soon as lines and the agent's hours allow. */
  async remind(organisationId: string, input: RemindInput, actor: Actor): Promise<Reminded> {
    const { db, wake } = this.deps;
    const wish = await this.#wish(db.reader, organisationId, input);
    const found: Reminded = { planned: 0, skipped: {} };
    for await (const batch of this.#batches(organisationId, input)) {
      const judgements = await db.write(async (tx) => {
        const made: Judged[] = [];
        for (const { id } of batch) {
          const judged = await this.#remindWithin(tx, wish, id, actor);
          if (judged) made.push(judged);
        }
        return made;
      });
      for (const judged of judgements) count(found, judged);
    }
    wake();
    return found;
  }

  /** For one appointment; `alongside` commits with it. */
  async remindOne(
    organisationId: string,
    appointmentId: string,
    agentId: string | null,
    actor: Actor,
    alongside: Alongside<RemindedOne> = async () => {},
  ): Promise<RemindedOne> {
    const { db, wake } = this.deps;
    const wish = await this.#wish(db.reader, organisationId, { agent_id: agentId });
    const reminded = await db.write(async (tx) => {
      const judged = await this.#remindWithin(tx, wish, appointmentId, actor);
      if (!judged) throw unknownAppointment();
      const made: RemindedOne =
        judged.kind === "remind"
          ? { appointment_id: appointmentId, status: "planned", reason: null }
          : { appointment_id: appointmentId, status: "skipped", reason: judged.reason };
      await alongside(tx, made);
      return made;
    });
    wake();
    return reminded;
  }

  /** The agent that would call about each appointment; those without one are left out. */
  async callersOf(
    organisationId: string,
    appointmentIds: readonly string[],
    agentId: string | null,
  ): Promise<ReadonlyMap<string, string>> {
    const { reader } = this.deps.db;
    const callers = new Map<string, string>();
    if (appointmentIds.length === 0) return callers;
    const rules = (await rulesOf(reader, organisationId)).filter(isOn);
    for (const id of appointmentIds) {
      const appointment = await appointmentOf(reader, organisationId, id);
      const caller = appointment && agentFor({ agentId, rules }, appointment);
      if (caller) callers.set(id, caller.agentId);
    }
    return callers;
  }

  /** Reads the appointment again, because it may have been cancelled since. Null if there is none. */
  async #remindWithin(tx: Tx, wish: Wish, id: string, actor: Actor): Promise<Judged | null> {
    const { organisationId } = wish;
    const appointment = await appointmentOf(tx, organisationId, id);
    if (!appointment) return null;
    const judged = await this.#judge(tx, wish, appointment);
    if (judged.kind === "skip") return judged;
    await this.#plan(tx, wish, appointment, judged);
    await this.deps.audit.record(tx, { organisationId, actor, action: "reminder.requested", subjectId: id });
    return judged;
  }

  async #wish(executor: Executor, organisationId: string, input: RemindInput): Promise<Wish> {
    const agentId = input.agent_id ?? null;
    if (agentId !== null) await callingAgent(executor, organisationId, agentId);
    const rules = (await rulesOf(executor, organisationId)).filter(isOn);
    if (agentId === null && rules.length === 0) throw invalidField("agent_id", "Choose who calls: no rule says who.");
    return { organisationId, agentId, skipConfirmed: input.skip_confirmed ?? false, rules };
  }

  /** The chosen appointments, or those of a day. */
  async *#batches(organisationId: string, input: RemindInput): AsyncGenerator<Appointment[]> {
    const { reader } = this.deps.db;
    const { appointment_ids, branch_id, date } = input;
    if (appointment_ids !== undefined) {
      const ids = [...new Set(appointment_ids)];
      for (let at = 0; at < ids.length; at += BATCH) {
        const rows = await Promise.all(
          ids.slice(at, at + BATCH).map((id) => appointmentOf(reader, organisationId, id)),
        );
        const present = rows.filter((row) => row !== undefined);
        if (present.length < rows.length) throw unknownAppointment();
        yield present;
      }
      return;
    }
    if (branch_id === undefined || !isUuid(branch_id)) throw invalidField("branch_id", "Choose a branch.");
    if (date === undefined) throw invalidField("date", "Choose a day.");
    let after: Appointment | undefined;
    for (let seen = 0; seen < MOST_OF_A_DAY; seen += BATCH) {
      const question = { organisationId, branchId: branch_id.toLowerCase(), appointmentTypeId: null };
      const rows = await expectedAppointments(reader, { ...question, from: date, to: date, after, limit: BATCH });
      if (rows.length > 0) yield rows;
      if (rows.length < BATCH) return;
      after = rows.at(-1);
    }
  }

  async #judge(executor: Executor, wish: Wish, appointment: Appointment): Promise<Judged> {
    const skip = (reason: SkipReason): Judged => ({ kind: "skip", reason });
    const { organisation_id, contact_number } = appointment;
    if (appointment.status !== "confirmed") return skip("not_expected");
    const begins = startsAt(appointment, await zoneOf(executor, organisation_id, appointment.branch_id));
    if (begins <= this.deps.clock.now()) return skip("over");
    if (await isToldOfClosedDay(executor, appointment)) return skip("day_closed");
    if (contact_number === null) return skip("no_number");
    if (await isDoNotDisturb(executor, organisation_id, contact_number)) return skip("do_not_disturb");
    if (wish.skipConfirmed && appointment.contact_confirmed_at !== null) return skip("confirmed");
    const open = (await remindersOfAppointment(executor, appointment.id)).filter(isOpen);
    if (open.some(({ state, by_hand }) => state === "calling" || by_hand)) return skip("under_way");
    if (agentFor(wish, appointment) === null) {
      throw invalidField("agent_id", "Choose who calls: no rule says who, for every appointment.");
    }
    return { kind: "remind", open, startsAt: begins };
  }

  async #plan(
    tx: Tx,
    wish: Wish,
    appointment: Appointment,
    { open, startsAt: starts_at }: Extract<Judged, { kind: "remind" }>,
  ): Promise<void> {
    const { clock, ids, planning } = this.deps;
    const now = clock.now();
    for (const row of open) {
      const isSoon = isSameTime(row, appointment) && row.due_at - now < BY_HAND_INSTEAD_MS;
      if (isSoon) await planning.takeBack(tx, row, "taken_back");
    }
    const chosen = agentFor(wish, appointment);
    if (!chosen) return;
    await insertReminder(tx, {
      id: ids.next("rmd"),
      organisation_id: appointment.organisation_id,
      rule_id: chosen.rule?.id ?? null,
      rule_revision: chosen.rule?.revision ?? 0,
      agent_id: chosen.agentId,
      by_hand: true,
      appointment_id: appointment.id,
      date: appointment.date,
      start_time: appointment.start_time,
      starts_at,
      state: "pending",
      outcome: null,
      due_at: now,
      next_at: now,
      attempts: 0,
      call_id: null,
      created_at: now,
      updated_at: now,
    });
  }
}

/** The agent to call with: the chosen one, otherwise that of the first matching rule. */
function agentFor({ agentId, rules }: Pick<Wish, "agentId" | "rules">, appointment: Appointment) {
  const rule = rules.find((each) => isFor(each, appointment) && (agentId === null || each.agent_id === agentId));
  const chosen = agentId ?? rule?.agent_id;
  return chosen === undefined ? null : { agentId: chosen, rule };
}

function count(found: Reminded, judged: Judged): void {
  if (judged.kind === "remind") found.planned++;
  else found.skipped[judged.reason] = (found.skipped[judged.reason] ?? 0) + 1;
}

function reminderView(row: ShownReminder): ReminderView {
  return {
    reminder_id: row.id,
    rule_id: row.rule_id,
    by_hand: row.by_hand,
    appointment_id: row.appointment_id,
    branch_id: row.branch_id,
    appointment_type_id: row.appointment_type_id,
    contact_name: row.contact_name,
    contact_number: row.contact_number,
    date: row.date,
    start_time: row.start_time,
    state: row.state,
    outcome: row.outcome,
    due_at: toIso(row.state === "pending" ? (row.next_at ?? row.due_at) : row.due_at),
    attempts: row.attempts,
    call_id: row.call_id,
    updated_at: toIso(row.updated_at),
  };
}
