// Applies the end of a reminder's call in the transaction that ends it: the patient's answer, a retry, or not reached.
import { appointmentOf } from "../calendar/appointment-store.ts";
import { zoneOf } from "../calendar/directory-store.ts";
import type { FinalCall, FinalCallWatcher } from "../calls/call/final-calls.ts";
import { MINUTE_MS, type Clock } from "../core/clock.ts";
import type { Appointment } from "../calendar/records.ts";
import type { Tx } from "../db/tables.ts";
import { meaningOf } from "./outcome.ts";
import { isOn, isSameTime } from "./planning.ts";
import type { Reminder } from "./records.ts";
import { reminderOfCall, updateReminder } from "./reminder-store.ts";
import { ruleById } from "./rule-store.ts";
import { nextInHours } from "./rule-times.ts";

export function reminderCallEnds({ clock }: { clock: Clock }): FinalCallWatcher<Reminder | undefined> {
  async function ended(tx: Tx, { call, end }: FinalCall, row: Reminder | undefined): Promise<void> {
    if (row?.state !== "calling") return;
    const updated_at = clock.now();
    const appointment = await appointmentOf(tx, row.organisation_id, row.appointment_id);
    const meaning = meaningOf(call, end, row, appointment);
    const attempts = row.attempts + (call.state === "cancelled" ? 0 : 1);
    const isOpenStill = meaning.kind === "again" || meaning.outcome === "reached";
    // The patient asked for a callback: the reminder continues with that call.
    if (isOpenStill && call.scheduled_call_id !== null) {
      await updateReminder(tx, row.id, {
        call_id: call.scheduled_call_id,
        next_at: row.starts_at,
        attempts,
        updated_at,
      });
      return;
    }
    const again = meaning.kind === "again" ? await nextTry(tx, { ...row, attempts }, appointment, updated_at) : null;
    if (again !== null) {
      await updateReminder(tx, row.id, { state: "pending", next_at: again, due_at: again, attempts, updated_at });
      return;
    }
    const outcome = meaning.kind === "done" ? meaning.outcome : "not_reached";
    const state = outcome === "call_cancelled" ? ("cancelled" as const) : ("done" as const);
    await updateReminder(tx, row.id, { state, outcome, next_at: null, attempts, updated_at });
  }

  return { look: (tx, call) => reminderOfCall(tx, call.id), ended };
}

/** Null if there is none: no attempts left, no rule for it, or no calling hour left before the appointment. */
async function nextTry(
  tx: Tx,
  row: Reminder,
  appointment: Appointment | undefined,
  now: number,
): Promise<number | null> {
  const rule = row.rule_id === null ? undefined : await ruleById(tx, row.organisation_id, row.rule_id);
  if (!rule || !appointment || (!isOn(rule) && !row.by_hand) || row.attempts >= rule.tries) return null;
  if (appointment.status !== "confirmed" || !isSameTime(row, appointment)) return null;
  const zone = await zoneOf(tx, row.organisation_id, appointment.branch_id);
  const at = nextInHours(rule, now + rule.retry_minutes * MINUTE_MS, zone);
  return at < row.starts_at ? at : null;
}
