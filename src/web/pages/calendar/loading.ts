// Requests of the calendar, in the form in which the pages show the data.
import { api, call } from "../../client.ts";
import { addDays } from "../../format.ts";
import type { Directory, EditedAppointment, EditedWindow, WindowOnDate } from "./calendar-context.ts";

export async function loadDirectory(): Promise<Directory> {
  const [configuration, services, sources] = await Promise.all([
    call(api.calendar.configuration.get()),
    call(api.calendar.services.get()),
    call(api.sources.get()),
  ]);
  return { ...configuration, services, sources };
}

export interface Week {
  branchId: string;
  monday: string;
  slots: WindowOnDate[];
  /** Including closed ones. */
  windows: EditedWindow[];
}

export async function loadWeek(branchId: string, monday: string): Promise<Week> {
  const [slots, windows] = await Promise.all([
    call(api.calendar.tracking.get({ query: { branch_id: branchId, from: monday, to: addDays(monday, 6) } })),
    call(api.calendar.windows.get({ query: { branch_id: branchId } })),
  ]);
  return { branchId, monday, slots, windows };
}

export interface DayAppointments {
  branchId: string;
  date: string;
  /** Newest first. */
  appointments: EditedAppointment[];
  hasMore: boolean;
}

const PAGE_SIZE = 100;
const MOST_PAGES = 10;

export async function loadDay(branchId: string, date: string): Promise<DayAppointments> {
  const appointments: EditedAppointment[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = {
      branch_id: branchId,
      from: date,
      to: date,
      limit: String(PAGE_SIZE),
      ...(cursor === null ? {} : { cursor }),
    };
    const answer: { data: EditedAppointment[]; next_cursor: string | null } = await call(
      api.appointments.get({ query }),
    );
    appointments.push(...answer.data);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  return { branchId, date, appointments, hasMore: cursor !== null };
}
