// Where a contact is, as clients give it: checks of the time zone and the state, and the fields of appointments and
// waiting-list entries.
import { Type } from "@sinclair/typebox";
import { US_STATES } from "./area-codes.ts";
import { invalidField } from "./errors.ts";
import { nullable } from "./schema.ts";
import { isTimeZone } from "./zones.ts";

const ZONE_TEXT = "IANA time zone of the contact, such as America/Chicago. Calls take it as user_time_zone.";
const REGION_TEXT = "Two letters of the contact's US state, for +1. Calls take it as user_region.";

/** Fields of a request. */
export const PLACE_INPUT = {
  contact_time_zone: Type.Optional(nullable(Type.String({ maxLength: 64, description: ZONE_TEXT }))),
  contact_region: Type.Optional(nullable(Type.String({ maxLength: 8, description: REGION_TEXT }))),
};

/** Fields of an answer. */
export const PLACE_VIEW = {
  contact_time_zone: nullable(Type.String({ description: ZONE_TEXT })),
  contact_region: nullable(Type.String({ description: REGION_TEXT })),
};

export interface ContactPlace {
  contact_time_zone: string | null;
  contact_region: string | null;
}

type PlaceInput = { [Field in keyof ContactPlace | "contact_number"]?: string | null | undefined };

/** The columns after a change of `before`. The state must fit the number, because calls are refused otherwise. */
export function contactPlace(
  input: PlaceInput,
  before: ContactPlace & { contact_number: string | null } = NOWHERE,
): ContactPlace {
  const { contact_number, contact_time_zone, contact_region } = input;
  const number = contact_number === undefined ? before.contact_number : contact_number;
  const zone = contact_time_zone === undefined ? before.contact_time_zone : contact_time_zone;
  const region = contact_region === undefined ? before.contact_region : contact_region;
  return {
    contact_time_zone: checkedZone(zone, "contact_time_zone"),
    contact_region: checkedRegion(region, number, "contact_region"),
  };
}

const NOWHERE = { contact_number: null, contact_time_zone: null, contact_region: null };

export function checkedZone(text: string | null, field: string): string | null {
  const zone = orNull(text);
  if (zone === null || isTimeZone(zone)) return zone;
  throw invalidField(field, `${field} must be an IANA time zone such as Asia/Kolkata or America/Chicago.`);
}

export function checkedRegion(text: string | null, number: string | null, field: string): string | null {
  const region = orNull(text)?.toUpperCase() ?? null;
  if (region === null) return null;
  if (!US_STATES.includes(region))
    throw invalidField(field, `${field} must be the two letters of a US state, such as CA.`);
  if (number?.startsWith("+91"))
    throw invalidField(field, `${field} is for numbers in the United States. Leave it out for +91.`);
  return region;
}

/** An empty text means no value. */
export const orNull = (text: string | null): string | null => (text === "" ? null : text);
