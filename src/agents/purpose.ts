// The purpose of an agent's calls, and its registrations on the distributed ledger (DLT) of India's operators.
import { invalidField } from "../core/errors.ts";
import { PURPOSES, type Purpose } from "../payloads/lawful.ts";

export function checkedPurpose(field: string, value: string): Purpose {
  const purpose = PURPOSES.find((known) => known === value);
  if (purpose === undefined) throw invalidField(field, `${field} must be one of ${PURPOSES.join(", ")}.`);
  return purpose;
}

/** Operators assign ids of 19 digits; other lengths are accepted, because each operator runs a platform of its own. */
export const DLT_ID = /^[0-9]{4,30}$/;

export function checkedDltId(field: string, value: string | null): string | null {
  const id = value?.trim() ?? "";
  if (id === "") return null;
  if (!DLT_ID.test(id)) {
    throw invalidField(field, `${field} must have 4 to 30 digits, as your operator's DLT platform shows it.`);
  }
  return id;
}
