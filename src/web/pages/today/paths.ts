// Paths of the worklist and of its links.
import { pathOf } from "../../pages.ts";

export const TODAY_PATH = pathOf("today");

/** The calendar at the day of an appointment, or its start page without one. */
export function calendarAt(appointment: { branch_id: string; date: string } | null): string {
  if (!appointment) return pathOf("calendar");
  return `${pathOf("calendar")}?${new URLSearchParams({ branch: appointment.branch_id, day: appointment.date })}`;
}
