// The calendars that trials book in, each of a branch of its own: times once a day, several times a day, or none before
// the first of the next month.
import { randomUUID } from "node:crypto";
import { dayOf } from "../../../src/calendar/days.ts";
import { DAYS } from "../../../src/payloads/slot.ts";
import { addDays, wallTime } from "../../../src/core/zones.ts";
import { ask } from "../api-client.ts";
import type { Running } from "../binary.ts";
import { nextFirst } from "./line-cases.ts";
import { ZONE, type Trial } from "./trial.ts";

export interface OpenTimes {
  branchId: string;
  /** Of each weekday's first window. */
  slotIds: readonly string[];
}

interface Window {
  session: "Morning" | "Afternoon";
  start_time: string;
  end_time: string;
}

/** Known before the calendar is there: an agent is set to it. */
export const DAILY_BRANCH = randomUUID();

const NINE: Window = { session: "Morning", start_time: "09:00", end_time: "10:00" };
const SEVERAL: readonly Window[] = [
  NINE,
  { session: "Morning", start_time: "10:30", end_time: "11:30" },
  { session: "Afternoon", start_time: "14:00", end_time: "15:00" },
  { session: "Afternoon", start_time: "15:30", end_time: "16:30" },
];

interface Clinic {
  server: Running;
  calendars: Map<string, Promise<OpenTimes>>;
}

export function calendarNamed(
  { server, calendars }: Clinic,
  name: NonNullable<Trial["times"]> | "daily",
): Promise<OpenTimes> {
  let times = calendars.get(name);
  if (!times) calendars.set(name, (times = openTimes(server, name)));
  return times;
}

async function openTimes(server: Running, name: NonNullable<Trial["times"]> | "daily"): Promise<OpenTimes> {
  const branchId = name === "daily" ? DAILY_BRANCH : randomUUID();
  const slotIds: string[] = [];
  for (const day of DAYS) {
    const windows = name === "several" ? SEVERAL : [NINE];
    const made: string[] = [];
    for (const window of windows) {
      const body = { branch_id: branchId, day, ai_slots: 40, max_slots: 80, ...window };
      const { status, data, text } = await ask(server, "POST", "/v1/appointment-slots", { body });
      if (status !== 201) throw new Error(text);
      made.push(String(data["slot_id"]));
    }
    slotIds.push(made[0] ?? "");
  }
  if (name === "from_the_first") await closeThisMonth(server, slotIds);
  return { branchId, slotIds };
}

async function closeThisMonth(server: Running, slotIds: readonly string[]): Promise<void> {
  const today = wallTime(Date.now(), ZONE).date;
  for (let date = today; date < nextFirst(today); date = addDays(date, 1)) {
    const slotId = `${slotIds[DAYS.indexOf(dayOf(date))] ?? ""}||${date}`;
    const path = `/v1/appointment-slots/schedule-tracking/${encodeURIComponent(slotId)}`;
    const { status, text } = await ask(server, "PATCH", path, { body: { status: "CLOSED" } });
    if (status !== 200) throw new Error(text);
  }
}
