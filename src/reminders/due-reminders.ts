// Creates the calls of due reminders. Each call and its reminder's new state commit in one transaction, so a crash
// cannot lead to a second call. Also applies changed rules, in batches.
import { appointmentOf } from "../calendar/appointment-store.ts";
import { isToldOfClosedDay } from "../calendar/closed-people.ts";
import { appointmentTypeName, branchNameOf, zoneOf } from "../calendar/directory-store.ts";
import { agentById } from "../agents/store.ts";
import { isDoNotDisturb } from "../calls/people/do-not-disturb-store.ts";
import { updateCall } from "../calls/call/store.ts";
import type { CallsWithin } from "../calls/within.ts";
import { SYSTEM_ACTOR } from "../core/actor.ts";
import { isBelieved, MINUTE_MS, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { Agent } from "../agents/records.ts";
import type { Appointment } from "../calendar/records.ts";
import type { Tx } from "../db/tables.ts";
import { identifiersIn } from "../payloads/identifiers.ts";
import type { ReminderOutcome } from "./outcome.ts";
import { placeholderValues, usualSources } from "./placeholder-sources.ts";
import { isFor, isOn, isSameTime, type ReminderPlanning } from "./planning.ts";
import type { Reminder, ReminderRule } from "./records.ts";
import { dueReminders, earliestReminder, updateReminder } from "./reminder-store.ts";
import { planBatch } from "./rule-plan.ts";
import { ruleById, ruleToPlan } from "./rule-store.ts";
import { nextInHours } from "./rule-times.ts";

export interface DueRemindersDeps {
  db: Database;
  clock: Clock;
  planning: ReminderPlanning;
  callsWithin: CallsWithin;
}

/** Each creates at most one call, so a write command stays short. */
const BATCH = 100;
/** Retry interval for an agent without a number, and for a closed day, until the appointment starts. */
const LOOK_AGAIN_MS = 10 * MINUTE_MS;

export class DueReminders implements DueSource {
  readonly name = "reminders";

  constructor(private readonly deps: DueRemindersDeps) {}

  async runDue(): Promise<number | null> {
    const { db, clock, planning } = this.deps;
    const now = clock.now();
    const changed = await ruleToPlan(db.reader);
    if (changed) {
      await db.write(async (tx) => {
        const rule = await ruleToPlan(tx);
        if (rule) await planBatch(tx, planning, rule, now);
      });
      return now;
    }
    if (!isBelieved(clock)) return null;
    const earliest = await earliestReminder(db.reader);
    if (earliest === null || earliest > now) return earliest;
    const count = await db.write(async (tx) => {
      const due = await dueReminders(tx, now, BATCH);
      for (const row of due) await this.#take(tx, row, now);
      return due.length;
    });
    return count === BATCH ? now : earliestReminder(db.reader);
  }

  async #take(tx: Tx, row: Reminder, now: number): Promise<void> {
    if (row.state === "calling") {
      // The appointment starts: the reminder is cancelled.
      await this.deps.planning.takeBack(tx, row, "too_late");
      return;
    }
    const appointment = await appointmentOf(tx, row.organisation_id, row.appointment_id);
    const rule = row.rule_id === null ? undefined : await ruleById(tx, row.organisation_id, row.rule_id);
    const verdict = await this.#verdict(tx, row, appointment, rule, now);
    if (verdict.kind === "call") await this.#call(tx, row, verdict.appointment, rule, now);
    else if (verdict.kind === "wait") await updateReminder(tx, row.id, { next_at: verdict.until, updated_at: now });
    else if (verdict.kind === "take back") await this.deps.planning.takeBack(tx, row, verdict.outcome);
    else await close(tx, row, verdict.outcome, now);
  }

  async #verdict(
    tx: Tx,
    row: Reminder,
    appointment: Appointment | undefined,
    rule: ReminderRule | undefined,
    now: number,
  ): Promise<Verdict> {
    if (!appointment || appointment.status !== "confirmed") {
      return { kind: "take back", outcome: "appointment_cancelled" };
    }
    if (!isSameTime(row, appointment)) return { kind: "take back", outcome: "appointment_moved" };
    if (now >= row.starts_at) return { kind: "close", outcome: "too_late" };
    // The person is moved or called about the closed day. If the day is reopened, the reminder goes on.
    if (await isToldOfClosedDay(tx, appointment))
      return { kind: "wait", until: Math.min(now + LOOK_AGAIN_MS, row.starts_at) };
    if (!row.by_hand) {
      if (!rule || !isOn(rule)) return { kind: "take back", outcome: "rule_off" };
      if (!isFor(rule, appointment)) return { kind: "take back", outcome: "rule_changed" };
      const zone = await zoneOf(tx, row.organisation_id, appointment.branch_id);
      const until = nextInHours(rule, now, zone);
      if (until >= row.starts_at) return { kind: "close", outcome: row.attempts > 0 ? "not_reached" : "too_late" };
      if (until > now) return { kind: "wait", until };
      if (rule.skip_confirmed && appointment.contact_confirmed_at !== null) {
        return { kind: "close", outcome: "already_confirmed" };
      }
    }
    if (appointment.contact_number === null) return { kind: "close", outcome: "no_number" };
    if (await isDoNotDisturb(tx, row.organisation_id, appointment.contact_number)) {
      return { kind: "close", outcome: "do_not_disturb" };
    }
    return { kind: "call", appointment };
  }

  async #call(
    tx: Tx,
    row: Reminder,
    appointment: Appointment,
    rule: ReminderRule | undefined,
    now: number,
  ): Promise<void> {
    const { organisation_id: organisationId } = row;
    const agentId = row.by_hand ? row.agent_id : (rule?.agent_id ?? row.agent_id);
    const agent = await agentById(tx, organisationId, agentId);
    if (!agent) {
      await close(tx, row, "refused", now);
      return;
    }
    const input = {
      agent_id: agentId,
      user_number: appointment.contact_number ?? "",
      user_name: appointment.contact_name,
      user_email: appointment.contact_email,
      user_identifiers: identifiersIn(appointment.contact_identifiers),
      user_time_zone: appointment.contact_time_zone,
      user_region: appointment.contact_region,
      additional_info: await infoOf(tx, appointment, agent, rule),
    };
    try {
      const call = await this.deps.callsWithin.create(tx, organisationId, input, "reminder", SYSTEM_ACTOR);
      await countLateness(tx, call.id, row, now);
      const change = { state: "calling" as const, call_id: call.id, next_at: row.starts_at, updated_at: now };
      await updateReminder(tx, row.id, change);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (!isAboutAgent(error)) await close(tx, row, refusalOf(error), now);
      else await updateReminder(tx, row.id, { next_at: Math.min(now + LOOK_AGAIN_MS, row.starts_at), updated_at: now });
    }
  }
}

/** The call inherits the reminder's lateness, from an appliance that was off or a clock that was not trusted. */
async function countLateness(tx: Tx, callId: string, { next_at, updated_at }: Reminder, now: number): Promise<void> {
  const dueAt = Math.max(next_at ?? now, updated_at);
  if (now - dueAt > MINUTE_MS) await updateCall(tx, callId, { blocked_since: dueAt, updated_at: now });
}

type Verdict =
  | { kind: "call"; appointment: Appointment }
  | { kind: "wait"; until: number }
  | { kind: "take back" | "close"; outcome: ReminderOutcome };

async function close(tx: Tx, row: Reminder, outcome: ReminderOutcome, now: number): Promise<void> {
  await updateReminder(tx, row.id, { state: "done", outcome, next_at: null, updated_at: now });
}

/** Values of the call: the appointment and the placeholders it fills. */
async function infoOf(
  tx: Tx,
  appointment: Appointment,
  agent: Agent,
  rule: ReminderRule | undefined,
): Promise<Record<string, string>> {
  const { organisation_id, branch_id, appointment_type_id } = appointment;
  const sources = rule?.agent_id === agent.id ? rule.placeholders : usualSources(agent);
  const facts = {
    date: appointment.date,
    start_time: appointment.start_time,
    name: appointment.contact_name,
    service: await appointmentTypeName(tx, organisation_id, appointment_type_id),
    branch: await branchNameOf(tx, organisation_id, branch_id),
  };
  return {
    ...placeholderValues(sources, facts, agent.language),
    appointment_id: appointment.id,
    branch_id,
    ...(appointment_type_id === null ? {} : { appointment_type_id }),
  };
}

const isAboutAgent = ({ details }: AppError): boolean => details.some(({ field }) => field === "agent_id");

function refusalOf({ code }: AppError): ReminderOutcome {
  return code === "INVALID_PHONE_NUMBER" || code === "UNSUPPORTED_COUNTRY" ? "invalid_number" : "refused";
}
