// What a system of the hospital says about one of its appointments, and the checks that need no database.
import { DAY_MS } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { isUuid } from "../core/ids.ts";
import { isSafeText } from "../core/names.ts";
import { assertDiallable } from "../core/phone.ts";
import { LONGEST_IDENTIFIER, LONGEST_SYSTEM, MOST_IDENTIFIERS, type Identifier } from "../payloads/identifiers.ts";
import { LONGEST_EXTERNAL_ID } from "../payloads/source.ts";
import type { AppointmentStatus } from "./records.ts";

export interface Practitioner {
  id: string | null;
  name: string | null;
}

/** An appointment as its source has it. Undefined: the source says nothing about it. Null: the source has none. */
export interface MirroredAppointment {
  /** Names the appointment in its source. */
  externalId: string;
  /** The source's own time of this change, in milliseconds; null if the source gives none. */
  changedAt: number | null;
  status: AppointmentStatus;
  /** Milliseconds; a new appointment needs it. */
  startsAt?: number;
  /** Without it, a new appointment takes half an hour, and a moved one as long as before. */
  endsAt?: number;
  /** A new appointment needs it, unless the organisation has one branch. */
  branchId?: string;
  appointmentTypeId?: string | null;
  practitioner?: Practitioner | null;
  contactName?: string | null;
  contactNumber?: string | null;
  contactEmail?: string | null;
  identifiers?: readonly Identifier[];
  notes?: string | null;
}

export interface MirrorRefusal {
  kind: "refused";
  /** As the API names it. */
  field: string;
  /** In words for the source's operator. */
  reason: string;
}

/** `stale`: the source said something newer before. */
export type MirrorOutcome =
  | { kind: "created" | "updated" | "unchanged" | "stale"; appointmentId: string }
  | MirrorRefusal;

export const refusal = (field: string, reason: string): MirrorRefusal => ({ kind: "refused", field, reason });

/** A source's clock may be ahead of ours; a time further ahead would make every later message stale. */
const MOST_AHEAD_MS = DAY_MS;
const EARLIEST_START = Date.UTC(2000, 0, 1);
const LATEST_START = Date.UTC(2100, 0, 1);
const LONGEST_MS = DAY_MS;

const TEXTS: readonly [keyof MirroredAppointment, field: string, longest: number][] = [
  ["contactName", "contact_name", 200],
  ["contactEmail", "contact_email", 254],
];
const LONGEST_NOTES = 2_000;
const LONGEST_PRACTITIONER = 200;

/** Null if the message is sound. */
export function faultIn(told: MirroredAppointment, now: number): MirrorRefusal | null {
  const { externalId, changedAt, branchId, appointmentTypeId, practitioner, notes } = told;
  if (externalId.trim() === "" || !isText(externalId, LONGEST_EXTERNAL_ID))
    return refusal("external_id", `external_id must be text of 1 to ${LONGEST_EXTERNAL_ID} characters.`);
  if (changedAt !== null && (!Number.isSafeInteger(changedAt) || changedAt < 0 || changedAt > now + MOST_AHEAD_MS))
    return refusal("changed_at", "changed_at must be a time at most one day ahead. Check the clock of the source.");
  if (branchId !== undefined && !isUuid(branchId)) return refusal("branch_id", "branch_id must be a UUID.");
  if (appointmentTypeId && !isUuid(appointmentTypeId))
    return refusal("appointment_type_id", "appointment_type_id must be a UUID.");
  for (const [name, field, longest] of TEXTS) {
    const text = told[name] as string | null | undefined;
    if (text && !isText(text, longest))
      return refusal(field, `${field} must be at most ${longest} characters without control characters.`);
  }
  if (notes && (notes.length > LONGEST_NOTES || !notes.isWellFormed()))
    return refusal("notes", `notes must be at most ${LONGEST_NOTES} characters.`);
  for (const text of [practitioner?.id, practitioner?.name])
    if (text && !isText(text, LONGEST_PRACTITIONER))
      return refusal("practitioner", `practitioner has at most ${LONGEST_PRACTITIONER} characters in id and name.`);
  return timeFault(told) ?? numberFault(told.contactNumber) ?? identifierFault(told.identifiers ?? []);
}

const isText = (text: string, longest: number) => text.length <= longest && isSafeText(text);

function timeFault({ startsAt, endsAt }: MirroredAppointment): MirrorRefusal | null {
  const isIn = (at: number) => Number.isSafeInteger(at) && at >= EARLIEST_START && at < LATEST_START;
  if (startsAt !== undefined && !isIn(startsAt)) return refusal("starts_at", "starts_at must be from 2000 to 2099.");
  if (endsAt !== undefined && !isIn(endsAt)) return refusal("ends_at", "ends_at must be from 2000 to 2099.");
  if (startsAt === undefined || endsAt === undefined) return null;
  if (endsAt >= startsAt && endsAt - startsAt <= LONGEST_MS) return null;
  return refusal("ends_at", "ends_at must be after starts_at, by at most one day.");
}

export function numberFault(number: string | null | undefined): MirrorRefusal | null {
  if (!number) return null;
  try {
    assertDiallable(number, "contact_number");
    return null;
  } catch (error) {
    if (error instanceof AppError) return refusal("contact_number", error.message);
    throw error;
  }
}

export function identifierFault(identifiers: readonly Identifier[]): MirrorRefusal | null {
  if (identifiers.length > MOST_IDENTIFIERS)
    return refusal("contact_identifiers", `contact_identifiers has at most ${MOST_IDENTIFIERS} entries.`);
  const isFilled = (text: string, longest: number) => text.trim() !== "" && isText(text, longest);
  const areSound = identifiers.every(
    ({ system, value }) => isFilled(system, LONGEST_SYSTEM) && isFilled(value, LONGEST_IDENTIFIER),
  );
  return areSound
    ? null
    : refusal(
        "contact_identifiers",
        `system has 1 to ${LONGEST_SYSTEM} characters and value 1 to ${LONGEST_IDENTIFIER}, none of them a control character.`,
      );
}
