// A reason that a person gives for loosening what protects callees. It is recorded.
import { invalidField } from "./errors.ts";

export const SHORTEST_REASON = 10;
export const LONGEST_REASON = 500;

/** The reason without outer spaces, or null if its length is wrong. */
export function readReason(given: string | null | undefined): string | null {
  const reason = given?.trim() ?? "";
  return reason.length < SHORTEST_REASON || reason.length > LONGEST_REASON ? null : reason;
}

export function checkedReason(field: string, given: string): string {
  const reason = readReason(given);
  if (reason !== null) return reason;
  throw invalidField(field, `${field} must have ${SHORTEST_REASON} to ${LONGEST_REASON} characters.`);
}
