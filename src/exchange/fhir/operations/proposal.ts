// Ids of proposed appointments: the window, the date and the service, so that a proposal needs no row. A FHIR id has at
// most 64 characters, none of them an underscore or a bar.
import { isUuid } from "../../../core/ids.ts";
import { availabilitySlotId, isCalendarDate } from "../../../calendar/slot-id.ts";

export interface Proposal {
  calendarId: string;
  /** YYYY-MM-DD */
  date: string;
  serviceId: string | null;
}

const FORM = /^(?<window>[0-9a-z]{1,25})\.(?<date>\d{8})(?:\.(?<service>[0-9a-z]{1,25}))?$/;

/** 25 digits and letters instead of 36 characters: two of them and the date fit. */
export function proposalId({ calendarId, date, serviceId }: Proposal): string {
  const parts = [shortened(calendarId), date.replaceAll("-", "")];
  if (serviceId !== null) parts.push(shortened(serviceId));
  return parts.join(".");
}

/** Null if it is no id of a proposal. */
export function proposalIn(id: string): Proposal | null {
  const { window, date: digits = "", service } = FORM.exec(id)?.groups ?? {};
  if (window === undefined) return null;
  const calendarId = lengthened(window);
  const serviceId = service === undefined ? null : lengthened(service);
  const date = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
  if (!isUuid(calendarId) || (serviceId !== null && !isUuid(serviceId)) || !isCalendarDate(date)) return null;
  return { calendarId, date, serviceId };
}

export const slotIdOf = ({ calendarId, date }: Pick<Proposal, "calendarId" | "date">): string =>
  availabilitySlotId(calendarId, date);

const shortened = (uuid: string): string => BigInt(`0x${uuid.replaceAll("-", "")}`).toString(36);

/** Not a UUID if the number is too large. */
function lengthened(digits: string): string {
  let value = 0n;
  for (const digit of digits) value = value * 36n + BigInt(parseInt(digit, 36));
  const hex = value.toString(16).padStart(32, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
