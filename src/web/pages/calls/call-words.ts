// Texts for the state, outcome and error of a call, on every page.
import type { CallListRow } from "../../../dashboard/call-page.ts";
import { formatShortTime } from "../../format.ts";
import { callStates, dispositions, holdReasons, said } from "../../words.ts";

const words = said.calls.callWords;

export const stateText = (state: string): string => callStates[state] ?? state;
export const holdText = (reason: string): string => holdReasons[reason] ?? reason;
export const dispositionText = (disposition: string): string => dispositions[disposition] ?? disposition;

export function isWaiting(state: string): boolean {
  return state === "scheduled" || state === "queued";
}

/** Ringing or in conversation. */
export function isUnderWay(state: string): boolean {
  return ["initiated", "ringing", "in_progress"].includes(state);
}

/** Why a call waits, and when it is checked again; null if it does not wait. */
export function waitingText(
  row: Pick<CallListRow, "status" | "hold_reason" | "next_attempt_at">,
  zone: string,
): string | null {
  if (!isWaiting(row.status) || row.hold_reason === null) return null;
  const next = row.next_attempt_at === null ? [] : [words.nextLook(formatShortTime(row.next_attempt_at, zone))];
  return [holdText(row.hold_reason), ...next].join(", ");
}

export function outcomeText(row: Pick<CallListRow, "disposition" | "error">): string | null {
  if (row.disposition !== null) return dispositionText(row.disposition);
  return row.error === null ? null : faultText(row.error);
}

/** Why a call failed, in the reader's language. */
export const faultText = ({ code, message }: { code: string; message: string }): string =>
  said.shared.errors.ofCall(code, message);

export function contactText(row: Pick<CallListRow, "contact_name">): string {
  return row.contact_name ?? words.noName;
}
