// Ids of resources. FHIR allows letters, digits, hyphens and dots only, so `apt_…` is written `apt-…`.
import { isCalendarDate } from "../../calendar/slot-id.ts";
import { isUuid } from "../../core/ids.ts";

export const fhirId = (ownId: string): string => ownId.replace("_", "-");

/** Null if no record of this kind can have the id. */
export function ownId(prefix: "apt" | "call" | "hld" | "src" | "whe", id: string): string | null {
  return id.startsWith(`${prefix}-`) && /^[\w-]{1,64}$/.test(id) ? id.replace("-", "_") : null;
}

export interface SlotKey {
  calendarId: string;
  date: string;
}

/** A Slot is a window on one date: `<calendar_id>-<YYYY-MM-DD>`. */
export const slotIdOf = ({ calendarId, date }: SlotKey): string => `${calendarId}-${date}`;

const UUID_LENGTH = 36;

export function slotKeyOf(id: string): SlotKey | null {
  const [calendarId, separator, date] = [id.slice(0, UUID_LENGTH), id[UUID_LENGTH], id.slice(UUID_LENGTH + 1)];
  return separator === "-" && isUuid(calendarId) && isCalendarDate(date)
    ? { calendarId: calendarId.toLowerCase(), date }
    : null;
}

/** `Location/x`, also as an absolute address of this server. Null for other references. */
export function idIn(reference: string | undefined, type: string): string | null {
  const [, found, id] = /(?:^|\/)([A-Za-z]+)\/([A-Za-z0-9\-.]{1,64})$/.exec(reference ?? "") ?? [];
  return found === type && id !== undefined ? id : null;
}
