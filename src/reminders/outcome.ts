// Outcomes of a reminder: one table of all, and one function that derives them from the end of a call.
import type { CallEnd } from "../calls/call/call-end.ts";
import type { Appointment } from "../calendar/records.ts";
import type { Call } from "../calls/call/records.ts";
import type { Reminder } from "./records.ts";

export const REMINDER_OUTCOMES = [
  // The patient's answer.
  "confirmed",
  "moved",
  "cancelled",
  "change_requested",
  "reached",
  // Not reached, or not callable.
  "not_reached",
  "no_number",
  "do_not_disturb",
  "invalid_number",
  "no_credits",
  "refused",
  "too_late",
  // No call needed.
  "already_confirmed",
  "just_booked",
  // Cancelled before the call.
  "appointment_cancelled",
  "appointment_over",
  "appointment_moved",
  "rule_changed",
  "rule_off",
  "call_cancelled",
  "taken_back",
  "restored",
] as const;
export type ReminderOutcome = (typeof REMINDER_OUTCOMES)[number];

/** After these outcomes a reminder may be planned again for the same time, because no call was made. */
const TAKEN_BACK: readonly string[] = ["appointment_moved", "rule_changed", "rule_off"];

export const mayBePlannedAgain = ({ state, outcome, attempts }: Reminder): boolean =>
  state === "cancelled" && attempts === 0 && outcome !== null && TAKEN_BACK.includes(outcome);

export type CallMeaning = { kind: "again" } | { kind: "done"; outcome: ReminderOutcome };

const FAILURES: Readonly<Record<string, ReminderOutcome>> = {
  do_not_disturb: "do_not_disturb",
  insufficient_credits: "no_credits",
  no_consent: "refused",
  registry_refused: "refused",
  invalid_number: "invalid_number",
  dropped_by_hospital: "refused",
};
/**
 * Errors before the patient heard the agent, which allow a retry. A refused call is not retried, nor one that was heard
 * in part.
 */
const WORTH_A_TRY: readonly string[] = ["busy", "no_answer", "carrier_error", "infrastructure_error", "interrupted"];

/** `again` if the patient did not hear the reminder and a retry may reach them. */
export function meaningOf(
  call: Call,
  end: CallEnd | null,
  reminder: Pick<Reminder, "date" | "start_time">,
  appointment: Appointment | undefined,
): CallMeaning {
  if (call.state === "cancelled") return { kind: "done", outcome: "call_cancelled" };
  const answer = answerIn(call, reminder, appointment);
  if (answer) return { kind: "done", outcome: answer };
  if (call.state === "completed") {
    const isVoicemail = end?.kind === "completed" && end.analytics?.disposition === "voicemail";
    return isVoicemail ? { kind: "again" } : { kind: "done", outcome: "reached" };
  }
  const code = call.error_code ?? "";
  const known = Object.hasOwn(FAILURES, code) ? FAILURES[code] : undefined;
  if (known) return { kind: "done", outcome: known };
  const wasHeard = call.answered_at !== null;
  return WORTH_A_TRY.includes(code) && !wasHeard ? { kind: "again" } : { kind: "done", outcome: "not_reached" };
}

/** The patient's change to the appointment in this call; null if unknown or none. */
function answerIn(
  call: Call,
  { date, start_time }: Pick<Reminder, "date" | "start_time">,
  appointment: Appointment | undefined,
): ReminderOutcome | null {
  if (!appointment || call.appointment_id !== appointment.id) return null;
  const since = call.triggered_at ?? call.created_at;
  const isSince = (at: number | null) => at !== null && at >= since;
  if (isSince(appointment.contact_cancelled_at)) return "cancelled";
  // The hospital's own system decides; the patient's answer is the same.
  const wish = appointment.wish_call_id === call.id ? appointment.wish : null;
  if (wish !== null) return wish === "cancel" ? "cancelled" : "change_requested";
  const hasMoved = appointment.date !== date || appointment.start_time !== start_time;
  if (hasMoved && isSince(appointment.contact_moved_at)) return "moved";
  if (isSince(appointment.contact_confirmed_at)) return "confirmed";
  return isSince(appointment.change_requested_at) ? "change_requested" : null;
}
