// URL of the calendar: branch, week and day. Every view has its own URL, for links and the back button.
export interface CalendarView {
  branch: string;
  /** Monday of the week. */
  week: string;
  day?: string | null;
  /** The calendar_id of a window on that day. */
  window?: string | null;
  /** Shows the day as a printable list. */
  list?: boolean;
}

export function calendarLink({ branch, week, day, window, list }: CalendarView): string {
  const query = new URLSearchParams({ branch, week });
  if (day) query.set("day", day);
  if (list) query.set("list", "1");
  if (window) query.set("window", window);
  return `/dashboard/calendar?${query.toString()}`;
}
