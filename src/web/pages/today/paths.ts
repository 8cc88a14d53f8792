// Where the worklist is, and where its lines lead.
export const TODAY_PATH = "/dashboard/today";

/** The calendar at the day of an appointment, or as it is. */
export function calendarAt(appointment: { branch_id: string; date: string } | null): string {
  if (!appointment) return "/dashboard/calendar";
  return `/dashboard/calendar?${new URLSearchParams({ branch: appointment.branch_id, day: appointment.date })}`;
}
