// Checks the fields of a new hold: what it is about, its reason and its end.
import { DAY_MS } from "../../core/clock.ts";
import { AppError, invalidField, missingField } from "../../core/errors.ts";
import { parseIsoTime } from "../../core/iso-time.ts";
import { isE164 } from "../../core/phone.ts";
import type { Executor } from "../../db/tables.ts";
import { personOfCall, WHOLE_ORGANISATION } from "./hold-store.ts";
import type { CreateHoldInput } from "./model.ts";

/** The longest time to which a hold can be limited. */
const LONGEST_MS = 100 * 365 * DAY_MS;
const SHORTEST_REASON = 3;

/** The subject key. A call of another organisation is unknown. */
export async function holdKey(executor: Executor, organisationId: string, input: CreateHoldInput): Promise<string> {
  const { subject, call_id, contact_number } = input;
  if (subject !== "call" && call_id !== undefined)
    throw invalidField("call_id", "call_id is only allowed with the subject call.");
  if (subject !== "person" && contact_number !== undefined)
    throw invalidField("contact_number", "contact_number is only allowed with the subject person.");
  if (subject === "organisation") return WHOLE_ORGANISATION;
  if (subject === "person") {
    if (contact_number === undefined) throw invalidField("contact_number", missingField("contact_number"));
    if (isE164(contact_number)) return contact_number;
    throw invalidField("contact_number", "contact_number must be in E.164 format, for example +919876543210.");
  }
  if (call_id === undefined) throw invalidField("call_id", missingField("call_id"));
  if ((await personOfCall(executor, call_id))?.organisation_id === organisationId) return call_id;
  throw new AppError("NOT_FOUND", "There is no call with this id.");
}

/** Null: until it is released. */
export function holdEnd({ until }: CreateHoldInput, now: number): number | null {
  if (until === undefined || until === null) return null;
  const at = parseIsoTime("until", until);
  if (at <= now) throw invalidField("until", "until must be in the future.");
  if (at > now + LONGEST_MS) throw invalidField("until", "until must be within 100 years.");
  return at;
}

export function holdReason(text: string): string {
  const reason = text.trim();
  if (reason.length >= SHORTEST_REASON) return reason;
  throw invalidField("reason", `reason must have at least ${SHORTEST_REASON} characters.`);
}
