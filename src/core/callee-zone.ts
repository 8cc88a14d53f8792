// The probable time zones and state of a phone number. An area code tells only where a number was issued, which is the
// best available information.
import { areaOf, zonesOfState } from "./area-codes.ts";
import { isCanadianCode, zonesOutsideUs } from "./other-area-codes.ts";

const INDIA = ["Asia/Kolkata"];

/**
 * For an area code without a zone (toll-free, new, fictional). The zones between them add nothing, and the hours of
 * Alaska are inside those of the others; it is named because its clock changes and Hawaii's does not.
 */
const UNKNOWN_NORTH_AMERICA = ["America/New_York", "America/Los_Angeles", "America/Anchorage", "Pacific/Honolulu"];

export const UNKNOWN_PLACE: CalleePlace = { timeZone: null, region: null };

/** Where the callee is, as given with the call. */
export interface CalleePlace {
  /** IANA name. */
  timeZone: string | null;
  /** Two letters of a state; for +1 only. */
  region: string | null;
}

/** Every zone the callee may be in; a rule about local time must hold in all of them. */
export function calleeZones(number: string, { timeZone, region }: CalleePlace = UNKNOWN_PLACE): readonly string[] {
  if (timeZone !== null) return [timeZone];
  if (region !== null) return zonesOfState(region);
  if (number.startsWith("+91")) return INDIA;
  const code = number.slice(2, 5);
  return areaOf(code)?.zones ?? zonesOutsideUs(code) ?? UNKNOWN_NORTH_AMERICA;
}

export const isCanadian = (number: string): boolean => number.startsWith("+1") && isCanadianCode(number.slice(2, 5));

/** Two-letter US state of the area code; null for a number outside +1 and for an area code without a known state. */
export function calleeState(number: string): string | null {
  return number.startsWith("+1") ? (areaOf(number.slice(2, 5))?.state ?? null) : null;
}
