// Compares what a source says with the stored appointment. Pure: the result is a patch of the row.
import { MINUTE_MS } from "../core/clock.ts";
import { instantOf, wallTime } from "../core/zones.ts";
import { distinctIdentifiers, storedIdentifiers, type Identifier } from "../payloads/identifiers.ts";
import type { OwnedPart } from "../payloads/source.ts";
import type { MirroredAppointment } from "./mirrored.ts";
import { minuteOf } from "./moments.ts";
import type { Appointment, BookingWindow } from "./records.ts";

export type AppointmentPatch = Partial<Omit<Appointment, "id" | "organisation_id">>;

/** Where a source gives no end. */
const USUAL_MS = 30 * MINUTE_MS;
const LAST_MINUTE = "23:59";

export type LocalTime = Pick<Appointment, "date" | "start_time" | "end_time">;

/** Null if nothing is said about the time. An end on another date is cut off at midnight. */
export function localTime(
  { startsAt, endsAt }: Pick<MirroredAppointment, "startsAt" | "endsAt">,
  zone: string,
  before: LocalTime | null,
): LocalTime | null {
  if (startsAt === undefined && (endsAt === undefined || before === null)) return null;
  const instant = (time: string, date: string) => instantOf(date, minuteOf(time), zone);
  const stored = before && { from: instant(before.start_time, before.date), to: instant(before.end_time, before.date) };
  const from = startsAt ?? stored?.from ?? 0;
  const to = endsAt ?? from + (stored ? Math.max(0, stored.to - stored.from) : USUAL_MS);
  const start = wallTime(from, zone);
  const end = wallTime(Math.max(from, to), zone);
  return {
    date: start.date,
    start_time: clockTime(start.minuteOfDay),
    end_time: end.date === start.date ? clockTime(end.minuteOfDay) : LAST_MINUTE,
  };
}

function clockTime(minuteOfDay: number): string {
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}`;
}

/** Columns that the source owns and changes. `window`: of a row in our own calendar. */
export function mirroredPatch(
  row: Appointment,
  told: MirroredAppointment,
  owns: ReadonlySet<OwnedPart>,
  { zone, window, now }: { zone: string; window: BookingWindow | undefined; now: number },
): AppointmentPatch {
  const patch: AppointmentPatch = {};
  const time = owns.has("time") ? localTime(told, zone, row) : null;
  if (time) Object.assign(patch, time);
  if (owns.has("branch") && told.branchId !== undefined) patch.branch_id = told.branchId.toLowerCase();
  if (owns.has("status") && told.status !== row.status) Object.assign(patch, statusColumns(told.status, now));
  if (owns.has("service") && told.appointmentTypeId !== undefined)
    patch.appointment_type_id = told.appointmentTypeId?.toLowerCase() ?? null;
  if (owns.has("practitioner") && told.practitioner !== undefined) {
    patch.practitioner_id = told.practitioner?.id ?? null;
    patch.practitioner_name = told.practitioner?.name ?? null;
  }
  const isMoved = differsIn(row, patch, ["date", "start_time", "branch_id"]);
  if (owns.has("contact") && mayTellContact(row, told, isMoved)) Object.assign(patch, contactColumns(told));
  if (row.window_id !== null && !staysIn(window, row, patch)) Object.assign(patch, { window_id: null, batch: null });
  // The contact's earlier answers were about the old time.
  if (isMoved) Object.assign(patch, { contact_confirmed_at: null, change_requested_at: null });
  return changesOnly(row, { ...patch, ...wishAnswer(row, patch, isMoved) });
}

/** A source may revive what it cancelled. */
export function statusColumns(status: Appointment["status"], now: number): AppointmentPatch {
  return {
    status,
    cancelled_at: status === "cancelled" ? now : null,
    completed_at: status === "completed" ? now : null,
    ...(status === "cancelled" ? {} : { contact_cancelled_at: null }),
  };
}

/** As stored, each once. */
export const identifiersText = (identifiers: readonly Identifier[]): string | null =>
  storedIdentifiers(
    distinctIdentifiers(identifiers.map(({ system, value }) => ({ system: system.trim(), value: value.trim() }))),
  );

export type ToldContact = Pick<
  MirroredAppointment,
  "contactName" | "contactNumber" | "contactEmail" | "identifiers" | "notes"
>;

/** The contact's data, where the source says something about it. */
export function contactColumns(told: ToldContact): AppointmentPatch {
  const { contactName, contactNumber, contactEmail, identifiers, notes } = told;
  const columns = {
    ...(contactName === undefined ? {} : { contact_name: contactName }),
    ...(contactNumber === undefined ? {} : { contact_number: contactNumber }),
    ...(contactEmail === undefined ? {} : { contact_email: contactEmail }),
    ...(identifiers === undefined ? {} : { contact_identifiers: identifiersText(identifiers) }),
    ...(notes === undefined ? {} : { notes }),
  };
  const isKnownAgain = Object.values(columns).some((value) => value !== null);
  return isKnownAgain ? { ...columns, contact_forgotten_at: null } : columns;
}

/**
 * Only what is at least as new as the last word about the contact. After an erasure, only a newer message brings the
 * contact back. A message without a time of its own may be a repeated one: it has to move the appointment.
 */
function mayTellContact(row: Appointment, { changedAt }: MirroredAppointment, isMoved: boolean): boolean {
  if (changedAt !== null && changedAt < (row.contact_changed_at ?? 0)) return false;
  if (row.contact_forgotten_at === null) return true;
  return changedAt === null ? isMoved : changedAt > row.contact_forgotten_at;
}

/** An appointment in our own calendar keeps its slot as long as its time is within the session. */
function staysIn(window: BookingWindow | undefined, row: Appointment, patch: AppointmentPatch): boolean {
  if (!window) return false;
  const { date, start_time, branch_id, status } = { ...row, ...patch };
  const isRevived = row.status === "cancelled" && status !== "cancelled";
  return (
    !isRevived &&
    date === row.date &&
    branch_id === row.branch_id &&
    start_time >= window.start_time &&
    start_time < window.end_time
  );
}

function wishAnswer(row: Appointment, patch: AppointmentPatch, isMoved: boolean): AppointmentPatch {
  if (row.wish_state !== "open") return {};
  if (patch.status === "cancelled") return agreedCancel(row);
  return isMoved && row.wish === "move" ? { wish_state: "agreed" } : {};
}

/** A source that moves by cancelling agrees to both wishes. */
export function agreedCancel(row: Appointment): AppointmentPatch {
  const isByContact = row.wish === "cancel" && row.wish_call_id !== null;
  return { wish_state: "agreed", ...(isByContact ? { contact_cancelled_at: row.wished_at } : {}) };
}

function differsIn(row: Appointment, patch: AppointmentPatch, names: readonly (keyof AppointmentPatch)[]): boolean {
  return names.some((name) => patch[name] !== undefined && patch[name] !== row[name]);
}

export function changesOnly(row: Appointment, patch: AppointmentPatch): AppointmentPatch {
  const changed = Object.entries(patch).filter(([name, value]) => row[name as keyof Appointment] !== value);
  return Object.fromEntries(changed);
}
