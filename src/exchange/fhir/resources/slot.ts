// Slot: a window on one date. It is free while the window takes another appointment on that date.
import type { Slot } from "fhir/r4";
import { daysBetween, isOver, localNow, MOST_DAYS } from "../../../calendar/days.ts";
import type { DatedSlot } from "../../../calendar/model.ts";
import { momentsOf } from "../../../calendar/moments.ts";
import type { TrackingService } from "../../../calendar/tracking-service.ts";
import { createTurns, DAY_MS, toIso, type Clock } from "../../../core/clock.ts";
import { invalidField } from "../../../core/errors.ts";
import { addDays } from "../../../core/zones.ts";
import type { Database } from "../../../db/database.ts";
import { slotIdOf, slotKeyOf, type SlotKey } from "../ids.ts";
import { ID, type Asker, type Kind, type Page, type Search } from "../kind.ts";
import { isMatch, periodOf, referenceOf } from "../search.ts";
import { SLOT_CAPACITY } from "../systems.ts";
import { codesOf, serviceTypeOf } from "./schedule.ts";

export interface SlotDeps {
  tracking: Pick<TrackingService, "tracking">;
  clock: Clock;
  db: Pick<Database, "heavy">;
  /** Of a branch. */
  zoneOf(organisationId: string, branchId: string): Promise<string>;
  base: string;
}

export function slotResource(slot: DatedSlot, zone: string, clock: Clock): Slot {
  const { calendar_id, date, start_time, end_time, appointment_type } = slot;
  const { starts_at, ends_at } = momentsOf({ date, start_time, end_time }, zone);
  const isOverNow = isOver(date, end_time, localNow(clock, zone));
  const left = slot.status === "CLOSED" || isOverNow ? 0 : (slot.available_slots ?? 0);
  return {
    resourceType: "Slot",
    id: slotIdOf({ calendarId: calendar_id, date }),
    extension: [{ url: SLOT_CAPACITY, valueInteger: left }],
    ...serviceTypeOf(appointment_type),
    schedule: { reference: `Schedule/${calendar_id}` },
    status: left > 0 ? "free" : statusOfFull(slot, isOverNow),
    start: starts_at,
    end: ends_at,
  };
}

function statusOfFull({ status, max_slots, filled_slots }: DatedSlot, isOverNow: boolean): Slot["status"] {
  if (status === "CLOSED" || isOverNow) return "busy-unavailable";
  // The rest is held for the moment.
  return (filled_slots ?? 0) < max_slots ? "busy-tentative" : "busy";
}

export function slots(deps: SlotDeps): Kind<Slot> {
  const schedule = ({ schedule: { reference } }: Slot) => [reference];
  return {
    type: "Slot",
    scope: "slots:read",
    says: "A window on one date. The extension slot-capacity says how many appointments it still takes.",
    params: [
      ID,
      { name: "schedule", type: "reference", targets: ["Schedule"], says: "Its window.", of: schedule },
      {
        name: "start",
        type: "date",
        says: `Start. A search covers at most ${MOST_DAYS} days: without a first day from today, without a last day as many.`,
        of: ({ start }) => [start],
      },
      {
        name: "status",
        type: "token",
        says: "`free`, `busy`, `busy-tentative` (held for the moment) or `busy-unavailable`.",
        of: ({ status }) => [{ system: "http://hl7.org/fhir/slotstatus", code: status }],
      },
      {
        name: "service-type",
        type: "token",
        says: "The service that the window is restricted to.",
        of: ({ serviceType }) => codesOf(serviceType),
      },
    ],
    includes: [{ name: "schedule", targets: ["Schedule"], of: schedule }],
    read: (asker, ids) => read(deps, asker, ids),
    candidates: (asker, search, page) => candidates(deps, asker, search, page),
  };
}

async function read(deps: SlotDeps, asker: Asker, ids: readonly string[]): Promise<Slot[]> {
  const keys = ids.flatMap((id) => slotKeyOf(id) ?? []);
  const wanted = new Set(keys.map(slotIdOf));
  const found: DatedSlot[] = [];
  for (const question of questionsOf(keys)) found.push(...(await datedSlots(deps, asker, question)));
  const asked = found.filter(({ calendar_id, date }) => wanted.has(slotIdOf({ calendarId: calendar_id, date })));
  return Promise.all(asked.map((slot) => resourceOf(deps, asker, slot)));
}

/** One question for the dates of a window that are close to each other: a page of appointments has few windows. */
function questionsOf(keys: readonly SlotKey[]): Question[] {
  const questions: Question[] = [];
  for (const { calendarId, date } of keys.toSorted((a, b) => (slotIdOf(a) < slotIdOf(b) ? -1 : 1))) {
    const last = questions.at(-1);
    if (last?.calendarId === calendarId && daysBetween(last.from, date) < MOST_DAYS) last.to = date;
    else questions.push({ from: date, to: date, calendarId });
  }
  return questions;
}

interface Question {
  from: string;
  to: string;
  calendarId?: string | undefined;
}

function datedSlots(
  { tracking, db }: SlotDeps,
  { organisationId }: Asker,
  { from, to, calendarId }: Question,
): Promise<DatedSlot[]> {
  const query = { from, to, ...(calendarId !== undefined && { calendar_id: calendarId }) };
  // Every window is read: on a reader thread, however short the range is.
  return tracking.tracking(organisationId, query, { reader: db.heavy, heavy: null });
}

async function resourceOf({ zoneOf, clock }: SlotDeps, { organisationId }: Asker, slot: DatedSlot): Promise<Slot> {
  return slotResource(slot, await zoneOf(organisationId, slot.branch_id), clock);
}

const DAYS_AT_ONCE = 7;

/** Week by week, in order of date and id. */
async function candidates(deps: SlotDeps, asker: Asker, search: Search, { after, limit }: Page) {
  const range = rangeOf(deps.clock, asker, search);
  const calendarId = referenceOf(search, "schedule", "Schedule", deps.base);
  const last = after === null ? null : slotKeyOf(after);
  const from = last && last.date > range.from ? last.date : range.from;
  const to = earlier(addDays(from, DAYS_AT_ONCE - 1), range.to);
  const found = from > to ? [] : await datedSlots(deps, asker, { from, to, calendarId });
  const isLeft = (slot: DatedSlot) => last === null || orderOf(slot) > `${last.date} ${last.calendarId}`;
  const rest = found.filter(isLeft).toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const resources: Slot[] = [];
  // A thousand windows take longer than other requests may wait.
  const turn = createTurns();
  for (const slot of rest) {
    const resource = await resourceOf(deps, asker, slot);
    if (isMatch(search, resource)) resources.push(resource);
    if (resources.length > limit)
      return { resources: resources.slice(0, limit), next: resources[limit - 1]?.id ?? null };
    await turn();
  }
  return { resources, next: to < range.to ? endOf(to) : null };
}

const orderOf = ({ date, calendar_id }: DatedSlot) => `${date} ${calendar_id}`;
const earlier = (a: string, b: string) => (a < b ? a : b);

/** Behind every Slot of a date. */
const endOf = (date: string) => slotIdOf({ calendarId: "ffffffff-ffff-ffff-ffff-ffffffffffff", date });

/** Dates are local to their branches, which may be a day apart from UTC. */
function rangeOf(clock: Clock, { zone }: Asker, search: Search): { from: string; to: string } {
  const { from, before } = periodOf(search, "start", zone);
  const first = from ?? (before === undefined ? clock.now() : Math.min(clock.now(), before - DAY_MS));
  const end = before ?? first + MOST_DAYS * DAY_MS;
  if (end - first > MOST_DAYS * DAY_MS)
    throw invalidField("start", `start covers at most ${MOST_DAYS} days. Send two of them: start=ge… and start=lt…`);
  return { from: dateOf(first - DAY_MS), to: dateOf(Math.max(first, end) + DAY_MS) };
}

const dateOf = (time: number) => toIso(time).slice(0, 10);
