// Kinds of worklist items, and the ends of calls that create them.
import { emergencyOutcomeIn } from "../payloads/emergency.ts";
import type { FinalCall } from "../calls/call/final-calls.ts";
import { OVERDUE, type PersonHold } from "../calls/queue/policy.ts";
import { RESTORED_HOLD } from "../db/backup/hold-due-calls.ts";

/** Kinds from calls, most urgent first. */
export const CALL_KINDS = [
  "emergency",
  "not_understood",
  "person_wanted",
  "another_time",
  "unfulfilled",
  "call_failed",
] as const;
/** The person may need help now: shown before everything else, newest first. */
export const URGENT_KINDS: readonly CallKind[] = ["emergency", "not_understood"];
/** Calls of the organisation that wait for a person's decision: one item per reason. */
export const HELD_KINDS = { calls_held: RESTORED_HOLD, calls_overdue: OVERDUE } as const satisfies Record<
  string,
  PersonHold
>;
export type HeldKind = keyof typeof HELD_KINDS;
export const WORKLIST_KINDS = [
  ...CALL_KINDS,
  "calls_held",
  "calls_overdue",
  "wish_open",
  "source_file",
  "source_folder",
  "campaign_failed",
  "trunk_down",
  "endpoint_down",
  "campaign_finished",
] as const;
export type CallKind = (typeof CALL_KINDS)[number];
export type WorklistKind = (typeof WORKLIST_KINDS)[number];

export interface Finding {
  kind: CallKind;
  /** The agent's note, or the error code. */
  detail: string;
}

/** Results noted by agents at the end of a call (voice/conversation/result.ts) that need a person. */
const ANSWERS: Readonly<Record<string, CallKind>> = {
  emergency: "emergency",
  not_understood: "not_understood",
  person_wanted: "person_wanted",
  transfer_refused: "person_wanted",
  handed_over: "person_wanted",
  change_requested: "another_time",
  nothing_open: "unfulfilled",
  not_saved: "unfulfilled",
  unsettled: "unfulfilled",
  wrong_number: "unfulfilled",
  not_reached: "call_failed",
  machine_answered: "call_failed",
  message_left: "call_failed",
};

/** Wishes of the callee, or answers of the hospital's own system, that need no action by staff. */
const WISHES = ["do_not_disturb", "registry_refused", "dropped_by_hospital"];

/** Null if no action is needed. `isTriedAgain`: retried by its agent or its campaign. */
export function findingOf({ call, end }: FinalCall, isTriedAgain: boolean): Finding | null {
  if (call.state === "completed") {
    const answer = end?.kind === "completed" ? answerIn(end.extractedDetails) : null;
    if (isNameless(call, answer, end)) return { kind: "unfulfilled", detail: "name_missing" };
    const kind = answer === null ? undefined : ANSWERS[answer];
    if (answer === null || kind === undefined || (kind === "call_failed" && isTriedAgain)) return null;
    const handover =
      kind === "emergency" && end?.kind === "completed" ? emergencyOutcomeIn(end.extractedDetails) : null;
    return { kind, detail: handover === null ? answer : `${answer}_${handover}` };
  }
  const hasFailed = call.state === "failed" || call.state === "disallowed";
  const code = call.error_code ?? "";
  if (!hasFailed || call.direction === "inbound" || WISHES.includes(code) || isTriedAgain) return null;
  return { kind: "call_failed", detail: code };
}

const GIVEN: readonly unknown[] = ["booked", "waitlisted"];

/** An inbound caller booked a slot without an understood name: staff have to ask for it. */
function isNameless(call: FinalCall["call"], answer: string | null, end: FinalCall["end"]): boolean {
  if (call.direction !== "inbound" || call.contact_name !== null || !GIVEN.includes(answer)) return false;
  return end?.kind === "completed" && typeof end.extractedDetails?.["caller_name"] !== "string";
}

/** Whether the person was spoken to and nothing is left to do. */
export function isSolved({ call }: FinalCall, finding: Finding | null): boolean {
  return call.state === "completed" && finding === null && call.outcome !== "voicemail";
}

function answerIn(details: Record<string, unknown> | null): string | null {
  const answer = details?.["answer"] ?? details?.["keypad_answer"];
  return typeof answer === "string" ? answer : null;
}
