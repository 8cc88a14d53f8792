// Maps rejection statuses to call outcomes.
import type { FailureCode } from "../../port.ts";

interface Outcome {
  code: FailureCode;
  /** For people; no number, no name. */
  message: string;
}

const BY_STATUS: Readonly<Record<number, Outcome>> = {
  403: { code: "rejected", message: "The trunk or the callee forbids the call." },
  404: { code: "invalid_number", message: "The number does not exist, or the trunk wants it dialled in another form." },
  408: { code: "no_answer", message: "Nobody could be reached in time." },
  410: { code: "invalid_number", message: "The number is no longer in use." },
  433: { code: "rejected", message: "The callee takes no anonymous calls." },
  480: { code: "no_answer", message: "The callee cannot be reached at the moment." },
  484: { code: "invalid_number", message: "The number is incomplete, or the trunk wants it dialled in another form." },
  485: { code: "invalid_number", message: "The number is ambiguous." },
  486: { code: "busy", message: "The line is busy." },
  487: { code: "no_answer", message: "Nobody answered before the trunk ended the call." },
  488: { code: "carrier_error", message: "The trunk accepts none of our codecs (G722, PCMA, PCMU)." },
  600: { code: "busy", message: "The callee is busy everywhere." },
  603: { code: "rejected", message: "The callee declined the call." },
  604: { code: "invalid_number", message: "The number exists nowhere." },
  606: { code: "carrier_error", message: "The callee's side accepts none of our codecs (G722, PCMA, PCMU)." },
  607: { code: "rejected", message: "The callee marked the call as unwanted." },
  608: { code: "rejected", message: "The call was rejected by a filter on the way." },
};

/** Every final status from 300 on. */
export function outcomeOfStatus(status: number): Outcome {
  const known = BY_STATUS[status];
  if (known) return known;
  if (status < 400) return { code: "carrier_error", message: "The trunk redirects the call, which is not followed." };
  if (status >= 600) return { code: "rejected", message: `The callee's side declined the call (SIP ${status}).` };
  return { code: "carrier_error", message: `The trunk refused the call (SIP ${status}).` };
}

/** Payment, authentication and overload concern only the trunk and us. 488 and 606 may come from the callee's phone. */
const TRUNK_ALONE: readonly number[] = [401, 402, 407, 429];

/** Whether a rejection before ringing says nothing about the callee, so that the call can wait for the trunk. */
export function isAboutTrunkAlone(status: number): boolean {
  return TRUNK_ALONE.includes(status) || (status >= 500 && status < 600);
}

/** Whether the trunk, not the callee, is at fault: these count for the circuit breaker. */
export function isTrunkFault(code: FailureCode | null): boolean {
  return code === "carrier_error" || code === "infrastructure_error";
}
