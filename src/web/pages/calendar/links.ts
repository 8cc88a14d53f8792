// The calendar's address: which branch, which week, which day. Everything that is shown can be linked to and gone back
// to.
export interface CalendarView {
  branch: string;
  /** Its Monday. */
  week: string;
  day?: string | null;
  /** The calendar_id of a window of that day. */
  window?: string | null;
  /** The day as a list for printing. */
  list?: boolean;
}

export function calendarLink({ branch, week, day, window, list }: CalendarView): string {
  const query = new URLSearchParams({ branch, week });
  if (day) query.set("day", day);
  if (list) query.set("list", "1");
  if (window) query.set("window", window);
  return `/dashboard/calendar?${query.toString()}`;
}
