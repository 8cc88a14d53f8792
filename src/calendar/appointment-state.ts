// State machine of an appointment, as one pure table.
import type { AppointmentStatus } from "./records.ts";

export const APPOINTMENT_STATUSES = [
  "confirmed",
  "completed",
  "cancelled",
  "no_show",
] as const satisfies readonly AppointmentStatus[];

/** Cancelled and completed are final. A no-show may still come, or may have been marked by mistake. */
const MOVES: Readonly<Record<AppointmentStatus, readonly AppointmentStatus[]>> = {
  confirmed: ["completed", "cancelled", "no_show"],
  no_show: ["completed", "confirmed"],
  completed: [],
  cancelled: [],
};

export function mayBecome(from: AppointmentStatus, to: AppointmentStatus): boolean {
  return MOVES[from].includes(to);
}

export function isFinalStatus(status: AppointmentStatus): boolean {
  return MOVES[status].length === 0;
}

/** Only a cancelled appointment releases its slot. */
export function takesSlot(status: AppointmentStatus): boolean {
  return status !== "cancelled";
}
