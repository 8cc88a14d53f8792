// Context of the calendar page: the branch, its local time, names, and opening dialogs.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { DatedSlot } from "../../../calendar/model.ts";
import type { Appointment } from "../../../payloads/appointment.ts";
import type { Slot } from "../../../payloads/slot.ts";
import type { Versioned } from "../../../core/entity-tag.ts";
import { words } from "./words.ts";

export interface Branch {
  branch_id: string;
  name: string | null;
  time_zone: string;
  /** Null if it uses the organisation's time zone. */
  own_time_zone: string | null;
}

export interface Service {
  appointment_type_id: string;
  appointment_type_name: string | null;
}

/** A system of the hospital that owns appointments. */
export interface KnownSource {
  source_id: string;
  name: string;
  owns: readonly string[];
}

export interface Directory {
  time_zone: string;
  sources: KnownSource[];
  branches: Branch[];
  services: Service[];
  sessions: { session: Slot["session"]; start_time: string; end_time: string }[];
}

/** A window on one date. */
export type WindowOnDate = DatedSlot & { overridden: boolean };

/** Days to close, both ends inclusive. */
export interface ClosedRange {
  from: string;
  to: string;
  name: string;
}

/** As the server sends them, for editing. */
export type EditedWindow = Versioned<Slot>;
export type EditedAppointment = Versioned<Appointment> & {
  /** Why a person on a closed day is not reminded: moved, or called. */
  closed_for: "move" | "call" | null;
};

export type Task =
  | { kind: "new-appointment"; slot: DatedSlot | null; from: string }
  | { kind: "appointment"; appointment: EditedAppointment }
  | { kind: "contact"; appointment: EditedAppointment }
  | { kind: "reschedule"; appointment: Appointment }
  | { kind: "status"; appointment: Appointment; status: "completed" | "no_show" | "cancelled" }
  | { kind: "remind"; appointments: readonly Appointment[]; day: string | null }
  | { kind: "new-window"; day: string }
  | { kind: "window"; window: EditedWindow }
  | { kind: "date"; slot: WindowOnDate; window: EditedWindow }
  | { kind: "new-windows"; day: string }
  | { kind: "copy-plan" }
  | { kind: "import-holidays" }
  | {
      kind: "close-days";
      ranges: readonly ClosedRange[];
      windowId: string | null;
      isFixed: boolean;
      disablesWindow?: true;
    }
  | { kind: "directory" };

export interface Calendar {
  directory: Directory;
  branch: Branch;
  /** Current date in the branch's time zone. */
  today: string;
  /** HH:MM, in the same time zone. */
  time: string;
  /** Whether this person may make changes. */
  may: boolean;
  open: (task: Task) => void;
  /** Closes the dialog, shows the message and reloads the data. */
  finish: (done: string) => void;
  reloadDirectory: () => void;
}

export const CalendarContext = createContext<Calendar | null>(null);

export function useCalendar(): Calendar {
  const calendar = useContext(CalendarContext);
  if (!calendar) throw new Error("This part belongs on the calendar page.");
  return calendar;
}

/** Abbreviates a UUID without a name to its two ends. */
export function shortId(id: string): string {
  return `${id.slice(0, 8)}…${id.slice(-4)}`;
}

export function branchName({ branch_id, name }: Pick<Branch, "branch_id" | "name">): string {
  return name ?? words.unnamed(shortId(branch_id));
}

export function serviceName(services: readonly Service[], id: string): string {
  return (
    services.find(({ appointment_type_id }) => appointment_type_id === id)?.appointment_type_name ??
    words.unnamed(shortId(id))
  );
}

export const serviceOptions = (services: readonly Service[]) =>
  services.map(({ appointment_type_id: id }) => [id, serviceName(services, id)] as const);

export const branchOptions = (branches: readonly Branch[]) =>
  branches.map((each) => [each.branch_id, branchName(each)] as const);

/** The source that owns the appointment; undefined for one in our own calendar, and after its source was removed. */
export const ownerOf = (sources: readonly KnownSource[], { slot_id, source_id }: Appointment) =>
  slot_id === null ? sources.find((each) => each.source_id === source_id) : undefined;

/** Name or number of the contact, as far as known. */
export function nameOf({ contact_name, contact_number }: Appointment): string {
  return contact_name ?? contact_number ?? words.noName;
}

export function isOver(
  { date, end_time }: { date: string; end_time: string },
  { today, time }: Pick<Calendar, "today" | "time">,
): boolean {
  return date < today || (date === today && end_time <= time);
}

/** Slots that are neither booked nor free: reserved by the agent during calls. */
export function keptSlots({ max_slots, filled_slots, available_slots }: DatedSlot): number {
  return Math.max(0, max_slots - (filled_slots ?? 0) - (available_slots ?? 0));
}
