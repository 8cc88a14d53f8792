// Phone numbers as people write them: completed to E.164 as in lists, with the country of the organisation's time zone.
import { completeNumber, homeCountryOf, type HomeCountry } from "../lists/complete-number.ts";
import { phoneGroups } from "./format.ts";

let home: HomeCountry | null = null;

/** Numbers without a country code belong to the organisation's country, derived from its time zone. */
export function completeAsIn(zone: string): void {
  home = homeCountryOf(zone);
}

/** What is sent for the typed text: the complete number, or the text without separators, which the server rejects. */
export function dialled(text: string): string {
  return completed(text) ?? text.replaceAll(/[\s().-]/g, "");
}

/** A transfer target may also be an extension or a SIP address. */
export const transferTarget = (text: string): string => (/^[+\d\s().-]+$/.test(text) ? dialled(text) : text.trim());

/** Null while the number is incomplete. Shorter numbers are still being typed. */
export function completed(text: string): string | null {
  const found = completeNumber(text, home);
  return "number" in found && /^\+\d{8,15}$/.test(found.number) ? found.number : null;
}

/** +91 98100 10001, in text. The spaces do not break a line. */
export const spaced = (number: string): string => phoneGroups(number).join("\u00a0");
