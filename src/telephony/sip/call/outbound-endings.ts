// Endings of unanswered outbound calls, as worded in the call's record, which everyone with access to the call can
// read.
import type { ReportedEnding } from "./call-context.ts";
import type { OfferAnswer } from "./offer-answer.ts";
import { isAboutTrunkAlone, outcomeOfStatus } from "../trunk/response-outcome.ts";

/** The same text for a closed port as for a timeout, because everyone with access to the call can read it. */
export const NOT_ANSWERED: ReportedEnding = {
  by: "network",
  outcome: "infrastructure_error",
  sipCode: null,
  message: "The trunk does not answer.",
};

export const NO_REACTION: ReportedEnding = {
  by: "timeout",
  outcome: "infrastructure_error",
  sipCode: null,
  message: "The trunk did not react to the call at all.",
};

export const RANG_TOO_LONG: ReportedEnding = {
  by: "timeout",
  outcome: "no_answer",
  sipCode: null,
  message: "Nobody answered in time.",
};

export const PEER_LEFT_EARLY: ReportedEnding = {
  by: "peer",
  outcome: "rejected",
  sipCode: null,
  message: "The other side ended the call before answering it.",
};

export const GIVEN_UP: ReportedEnding = {
  by: "us",
  outcome: "interrupted",
  sipCode: null,
  message: "We gave the call up before it was answered.",
};

/** Responses of peers that cannot accept an SRTP offer. */
const MEDIA_REFUSED = [415, 488, 606];
const ENCRYPTION_REFUSED =
  "The trunk refused the audio. It must be encrypted (SRTP, AES_CM_128_HMAC_SHA1_80 or _32), since its setting srtp is " +
  "required: switch SRTP with SDES on at the other side, or set srtp to preferred.";

export function isMediaRefused(status: number): boolean {
  return MEDIA_REFUSED.includes(status);
}

/** For final responses from 300 on. `advice`, if given, is more specific than the status. */
export function endingOfRefusal(
  status: number,
  { isEncryptionRequired }: Pick<OfferAnswer, "isEncryptionRequired">,
  { advice, hasRung }: { advice: string | null; hasRung: boolean },
): ReportedEnding {
  const { code, message } = outcomeOfStatus(status);
  const why = isMediaRefused(status) && isEncryptionRequired ? ENCRYPTION_REFUSED : message;
  const putBack = !hasRung && isAboutTrunkAlone(status) && ({ putBack: true } as const);
  return { by: "peer", outcome: code, sipCode: status, message: advice ?? why, ...putBack };
}
