// Plans the reminders of an appointment: compares them with the rules, in the transaction that changed the appointment
// or the rule. Missing reminders are planned, obsolete ones cancelled.
import { SYSTEM_ACTOR } from "../core/actor.ts";
import { HOUR_MS, type Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import { zoneOf } from "../calendar/directory-store.ts";
import type { CallsWithin } from "../calls/within.ts";
import type { Appointment } from "../calendar/records.ts";
import type { Tx } from "../db/tables.ts";
import { mayBePlannedAgain, type ReminderOutcome } from "./outcome.ts";
import type { Reminder, ReminderRule } from "./records.ts";
import { insertReminder, remindersCalling, remindersOfAppointment, updateReminder } from "./reminder-store.ts";
import { rulesOf } from "./rule-store.ts";
import { dueAt, nextInHours, startsAt } from "./rule-times.ts";

export interface PlanningDeps {
  clock: Clock;
  ids: Ids;
  callsWithin: CallsWithin;
}

/** An appointment in its branch's time zone, for comparison with the rules. */
interface Subject {
  appointment: Appointment;
  zone: string;
  startsAt: number;
  /** Just booked or moved, as opposed to affected by a changed rule. */
  isNews: boolean;
  now: number;
}

export class ReminderPlanning {
  constructor(private readonly deps: PlanningDeps) {}

  /** For the calendar: runs in the transaction of every change of an appointment. */
  async appointmentChanged(tx: Tx, appointment: Appointment, before: Appointment | null): Promise<void> {
    const rules = await rulesOf(tx, appointment.organisation_id);
    const isNews = before === null || !isSameTime(before, appointment);
    // A new appointment has no reminders to cancel.
    if (rules.length === 0 && before === null) return;
    await this.plan(tx, appointment, rules, isNews);
  }

  /**
   * Compares the appointment with these rules only. Reminders of other rules stay, unless the appointment itself makes
   * them obsolete.
   */
  async plan(tx: Tx, appointment: Appointment, rules: readonly ReminderRule[], isNews = false): Promise<void> {
    const rows = await remindersOfAppointment(tx, appointment.id);
    if (rules.length === 0 && rows.length === 0) return;
    const zone = await zoneOf(tx, appointment.organisation_id, appointment.branch_id);
    const now = this.deps.clock.now();
    const subject: Subject = { appointment, zone, startsAt: startsAt(appointment, zone), isNews, now };
    for (const row of rows) {
      const why = isOpen(row) ? takenBackBecause(row, appointment, rules) : null;
      if (why) await this.takeBack(tx, row, why);
    }
    if (appointment.status !== "confirmed" || subject.startsAt <= now) return;
    for (const rule of rules) {
      if (!isOn(rule) || !isFor(rule, appointment)) continue;
      const row = rows.find((each) => !each.by_hand && each.rule_id === rule.id && isSameTime(each, appointment));
      await (row ? this.#planAgain(tx, rule, row, subject) : this.#planFirst(tx, rule, subject));
    }
  }

  /** A live call continues, and its end decides the outcome; then this returns false. */
  async takeBack(tx: Tx, row: Reminder, outcome: ReminderOutcome): Promise<boolean> {
    const { clock, callsWithin } = this.deps;
    const updated_at = clock.now();
    const change = { state: "cancelled" as const, outcome, next_at: null, updated_at };
    // The reminder is cancelled first, so that the cancelled call's end does not change it.
    await updateReminder(tx, row.id, change);
    if (row.state !== "calling" || row.call_id === null) return true;
    if (await callsWithin.cancel(tx, row.organisation_id, row.call_id, SYSTEM_ACTOR)) return true;
    await updateReminder(tx, row.id, { state: "calling", outcome: row.outcome, next_at: null, updated_at });
    return false;
  }

  /**
   * Calls about these appointments that were not dialled yet are cancelled. Their reminders wait as long as the day is
   * closed; see due-reminders.ts.
   */
  async dayClosed(tx: Tx, appointmentIds: readonly string[]): Promise<void> {
    const { clock, callsWithin } = this.deps;
    for (const row of await remindersCalling(tx, appointmentIds)) {
      if (row.call_id === null) continue;
      const now = clock.now();
      // The reminder waits first, so that the cancelled call's end does not change it.
      await updateReminder(tx, row.id, { state: "pending", call_id: null, next_at: now, updated_at: now });
      if (await callsWithin.cancel(tx, row.organisation_id, row.call_id, SYSTEM_ACTOR)) continue;
      const { call_id, next_at } = row;
      await updateReminder(tx, row.id, { state: "calling", call_id, next_at, updated_at: now });
    }
  }

  async #planFirst(tx: Tx, rule: ReminderRule, subject: Subject): Promise<void> {
    const { ids } = this.deps;
    const { appointment, isNews, now } = subject;
    const due = dueAt(rule, appointment, subject.zone);
    // A rule created after its due time does not call at once.
    if (due <= now && !isNews) return;
    const isFresh = isTooFresh(rule, due, subject);
    await insertReminder(tx, {
      id: ids.next("rmd"),
      organisation_id: appointment.organisation_id,
      rule_id: rule.id,
      rule_revision: rule.revision,
      agent_id: rule.agent_id,
      by_hand: false,
      appointment_id: appointment.id,
      date: appointment.date,
      start_time: appointment.start_time,
      starts_at: subject.startsAt,
      state: isFresh ? "done" : "pending",
      outcome: isFresh ? "just_booked" : null,
      due_at: due,
      next_at: isFresh ? null : due,
      attempts: 0,
      call_id: null,
      created_at: now,
      updated_at: now,
    });
  }

  async #planAgain(tx: Tx, rule: ReminderRule, row: Reminder, subject: Subject): Promise<void> {
    const { appointment, zone, now } = subject;
    const due = dueAt(rule, appointment, zone);
    const common = {
      rule_revision: rule.revision,
      agent_id: rule.agent_id,
      starts_at: subject.startsAt,
      updated_at: now,
    };
    if (row.state === "done" && row.outcome === "no_number" && appointment.contact_number !== null) {
      const next_at = nextInHours(rule, Math.max(due, now), zone);
      if (next_at < subject.startsAt) await this.#open(tx, row, { ...common, due_at: next_at, next_at });
      return;
    }
    if (mayBePlannedAgain(row)) {
      if (due > now) await this.#open(tx, row, { ...common, due_at: due, next_at: due });
      return;
    }
    if (!isOpen(row) || (row.rule_revision === rule.revision && row.starts_at === subject.startsAt)) return;
    if (row.state === "calling" || row.attempts > 0) {
      await updateReminder(tx, row.id, common);
    } else if (due <= now) {
      await this.takeBack(tx, row, "rule_changed");
    } else {
      await updateReminder(tx, row.id, { ...common, due_at: due, next_at: due });
    }
  }

  async #open(tx: Tx, row: Reminder, change: Parameters<typeof updateReminder>[2]): Promise<void> {
    await updateReminder(tx, row.id, { ...change, state: "pending", outcome: null, call_id: null });
  }
}

export const isOpen = ({ state }: Reminder): boolean => state === "pending" || state === "calling";
export const isOn = ({ enabled, deleted_at }: ReminderRule): boolean => enabled && deleted_at === null;

export function isFor(rule: ReminderRule, appointment: Appointment): boolean {
  return (
    (rule.branch_id === null || rule.branch_id === appointment.branch_id) &&
    (rule.appointment_type_id === null || rule.appointment_type_id === appointment.appointment_type_id)
  );
}

export function isSameTime(
  a: Pick<Appointment, "date" | "start_time">,
  b: Pick<Appointment, "date" | "start_time">,
): boolean {
  return a.date === b.date && a.start_time === b.start_time;
}

function takenBackBecause(
  row: Reminder,
  appointment: Appointment,
  rules: readonly ReminderRule[],
): ReminderOutcome | null {
  if (appointment.status === "cancelled") return "appointment_cancelled";
  if (appointment.status !== "confirmed") return "appointment_over";
  if (!isSameTime(row, appointment)) return "appointment_moved";
  const rule = row.by_hand ? undefined : rules.find(({ id }) => id === row.rule_id);
  if (!rule) return null;
  if (!isOn(rule)) return "rule_off";
  return isFor(rule, appointment) ? null : "rule_changed";
}

/**
 * A patient who has just chosen the time knows it. Appointments from the hospital's own system are called at their
 * hour, because it may import a whole day shortly before.
 */
function isTooFresh(rule: ReminderRule, due: number, { appointment, isNews, now }: Subject): boolean {
  const since = isNews ? now : appointment.created_at;
  const isImported = appointment.source === "api" || appointment.source === "source";
  const choseIt = !isImported || appointment.contact_moved_at !== null;
  return due - since < (choseIt ? rule.settle_hours * HOUR_MS : 1);
}
