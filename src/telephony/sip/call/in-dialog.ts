// Answers the peer's in-dialog requests: re-INVITE and UPDATE (hold, codec, refresh), INFO, OPTIONS; rejects the rest.
import { ALLOWED_METHODS, SUPPORTED, type CallContext } from "./call-context.ts";
import { refreshTarget, type Dialog } from "./dialog.ts";
import { mediaType } from "../message/header-fields.ts";
import type { SipRequest, SipResponse } from "../message/message.ts";
import { SDP_TYPE, sdpOf, type OfferAnswer } from "./offer-answer.ts";
import { SipParseError } from "../message/parse-error.ts";
import { RELIABLE } from "./reliable.ts";
import { replyTo, warningOf, type ReplyParts } from "../transaction/reply.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { LEAST_SESSION_SECONDS, sessionIntervalOf } from "./session-timer.ts";

export interface InDialogRequest {
  context: CallContext;
  dialog: Dialog;
  media: OfferAnswer;
  transaction: ServerTransaction;
  /** An offer is pending in one direction: a second one must wait (RFC 3261, section 14.2). */
  isPending: boolean;
  awaitAck: (response: SipResponse, transaction: ServerTransaction, done: (ack: SipRequest) => void) => void;
  agreeTimer: (response: SipResponse, wasOurInvite: boolean) => void;
}

export function answerInDialog(asked: InDialogRequest): void {
  const { context, transaction } = asked;
  const { request } = transaction;
  const answer = (status: number, parts: ReplyParts = {}) => transaction.respond(replyTo(request, status, parts));
  switch (request.method) {
    case "INVITE":
    case "UPDATE":
      answerOffer(asked);
      return;
    case "OPTIONS":
      answer(200, { headers: { allow: ALLOWED_METHODS, accept: SDP_TYPE, supported: SUPPORTED } });
      return;
    case "INFO": {
      const key = keyOf(request);
      answer(200);
      if (key !== null) context.listener.keyPressed?.(context.callId, key);
      return;
    }
    case "NOTIFY":
      answer(489);
      return;
    case "REFER":
      // REFER is always declined: peers must not make this machine dial.
      answer(603);
      return;
    default:
      answer(405, { headers: { allow: ALLOWED_METHODS } });
  }
}

function answerOffer({ context, dialog, media, transaction, isPending, awaitAck, agreeTimer }: InDialogRequest): void {
  const { request } = transaction;
  const refuse = (status: number, headers: Record<string, string> = {}) =>
    transaction.respond(replyTo(request, status, { headers }));
  const unsupported = unsupportedOptions(request);
  if (unsupported !== "") {
    refuse(420, { unsupported });
    return;
  }
  if (isPending) {
    refuse(491);
    return;
  }
  const interval = sessionIntervalOf(request.headers);
  if (interval && interval.seconds < LEAST_SESSION_SECONDS) {
    refuse(422, { "min-se": String(LEAST_SESSION_SECONDS) });
    return;
  }
  const isInvite = request.method === "INVITE";
  const offer = sdpOf(request);
  let body: Buffer | null = null;
  try {
    if (offer !== null) body = media.answer(offer);
    else if (isInvite) body = media.offer();
  } catch (error) {
    if (!(error instanceof SipParseError)) throw error;
    refuse(488, warningOf(error.message));
    return;
  }
  refreshTarget(dialog, request);
  const response = replyTo(request, 200, {
    headers: {
      contact: context.trunk.contact(),
      allow: ALLOWED_METHODS,
      supported: SUPPORTED,
      ...timerHeaders(request),
      ...(body && { "content-type": SDP_TYPE }),
    },
    ...(body && { body }),
  });
  transaction.respond(response);
  agreeTimer(response, false);
  if (isInvite) awaitAck(response, transaction, (ack) => takeLateAnswer(ack, media, offer === null));
}

/** An INVITE without an offer gets ours in the 200, and the answer arrives in the ACK. */
export function takeLateAnswer(ack: SipRequest, media: OfferAnswer, isExpected: boolean): void {
  const sdp = sdpOf(ack);
  if (!isExpected || sdp === null) return;
  try {
    media.accept(sdp);
  } catch (error) {
    if (!(error instanceof SipParseError)) throw error;
  }
}

/**
 * RFC 4028, section 9: accepts the requested refresher. By default the caller refreshes if it supports timers,
 * otherwise we do.
 */
export function timerHeaders(request: SipRequest): Record<string, string> {
  const interval = sessionIntervalOf(request.headers);
  if (!interval) return {};
  const knowsTimers = request.headers.all("supported").includes("timer");
  const refresher = interval.refresher ?? (knowsTimers ? "uac" : "uas");
  return {
    "session-expires": `${interval.seconds};refresher=${refresher}`,
    ...(refresher === "uac" && { require: "timer" }),
  };
}

/** Option tags accepted in Require. */
const OPTIONS_WE_KNOW = ["timer", "replaces", RELIABLE];

/** Required option tags that we do not support; empty if there are none. */
export function unsupportedOptions(request: SipRequest): string {
  return request.headers
    .all("require")
    .filter((option) => !OPTIONS_WE_KNOW.includes(option.toLowerCase()))
    .join(", ");
}

/** `Signal=5` of application/dtmf-relay, or the plain key of application/dtmf. */
function keyOf(request: SipRequest): string | null {
  const type = mediaType(request.headers.get("content-type"));
  const text = request.body.toString("latin1", 0, 200);
  const [, key] =
    type === "application/dtmf-relay"
      ? (/^\s*signal\s*=\s*([0-9*#A-D])/im.exec(text) ?? [])
      : type === "application/dtmf"
        ? (/^\s*([0-9*#A-D])\s*$/i.exec(text) ?? [])
        : [];
  return key?.toUpperCase() ?? null;
}
