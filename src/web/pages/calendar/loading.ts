// Requests of the calendar, in the form in which the pages show the data.
import type { Appointment } from "../../../payloads/appointment.ts";
import type { Slot } from "../../../payloads/slot.ts";
import { api, call } from "../../client.ts";
import { addDays } from "../../format.ts";
import type { Directory, WindowOnDate } from "./calendar-context.ts";

export async function loadDirectory(): Promise<Directory> {
  const [configuration, services] = await Promise.all([
    call(api.calendar.configuration.get()),
    call(api.calendar.services.get()),
  ]);
  return { ...configuration, services };
}

export interface Week {
  branchId: string;
  monday: string;
  slots: WindowOnDate[];
  /** Including closed ones. */
  windows: Slot[];
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
  appointments: Appointment[];
  hasMore: boolean;
}

const PAGE_SIZE = 100;
const MOST_PAGES = 10;

export async function loadDay(branchId: string, date: string): Promise<DayAppointments> {
  const appointments: Appointment[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = {
      branch_id: branchId,
      from: date,
      to: date,
      limit: String(PAGE_SIZE),
      ...(cursor === null ? {} : { cursor }),
    };
    const answer: { data: Appointment[]; next_cursor: string | null } = await call(api.appointments.get({ query }));
    appointments.push(...answer.data);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  return { branchId, date, appointments, hasMore: cursor !== null };
}
