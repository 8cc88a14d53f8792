// Replaces (RFC 3891): another telephone takes over a call at the end of an attended transfer on the other side. The
// call, its audio port and its record stay; only the dialog is new.
import type { CallBook } from "./call-book.ts";
import { ALLOWED_METHODS, SUPPORTED, type Call, type CallContext, type Replaceable } from "./call-context.ts";
import { dialogOfCallee } from "./dialog.ts";
import { takeLateAnswer, timerHeaders } from "./in-dialog.ts";
import type { SipRequest } from "../message/message.ts";
import { SDP_TYPE, sdpOf, type OfferAnswer } from "./offer-answer.ts";
import { formalRefusal } from "./out-of-dialog.ts";
import { SipParseError } from "../message/parse-error.ts";
import { replyTo, warningOf } from "../transaction/reply.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { createAnsweredCall } from "./answered-call.ts";
import type { Flow } from "../transport/flow.ts";
import { parseParameters } from "../message/uri.ts";

interface Replacement {
  callId: string;
  /** Our tag, and the peer's. */
  toTag: string;
  fromTag: string;
  isEarlyOnly: boolean;
}

/** The dialog that the INVITE wants to replace; null if none. */
function replacementOf(request: SipRequest): Replacement | "malformed" | null {
  const [value, ...others] = request.headers.all("replaces");
  if (value === undefined) return null;
  const semicolon = value.indexOf(";");
  const callId = value.slice(0, Math.max(semicolon, 0)).trim();
  const parameters = parseParameters(value.slice(Math.max(semicolon, 0))) as Partial<Record<string, string>>;
  const { "to-tag": toTag, "from-tag": fromTag } = parameters;
  const isWhole = callId !== "" && toTag !== undefined && fromTag !== undefined;
  if (!isWhole || others.length > 0) return "malformed";
  return { callId, toTag, fromTag, isEarlyOnly: parameters["early-only"] !== undefined };
}

/** Rejection status (section 3); null if the call may be taken over. A ringing call has no `answeredCall`. */
function refusalOf(wanted: Replacement, answeredCall: Replaceable | null): number | null {
  const { dialog } = answeredCall ?? {};
  if (!answeredCall || wanted.toTag !== dialog?.localTag || wanted.fromTag !== dialog.remoteTag) return 481;
  if (answeredCall.isOver) return 603;
  if (wanted.isEarlyOnly) return 486;
  return answeredCall.isPending ? 491 : null;
}

/** Answers the INVITE and ends the old dialog. Null, without changes, if its audio is unusable. */
function takeOver(
  context: CallContext,
  transaction: ServerTransaction,
  media: OfferAnswer,
  old: Replaceable,
): Call | null {
  const { request } = transaction;
  const toTag = context.randomText();
  const offer = sdpOf(request);
  let body: Buffer;
  try {
    body = offer === null ? media.offer() : media.answer(offer);
  } catch (error) {
    if (!(error instanceof SipParseError)) throw error;
    transaction.respond(replyTo(request, 488, { toTag, headers: warningOf(error.message) }));
    return null;
  }
  const dialog = dialogOfCallee(request, toTag);
  dialog.isConfirmed = true;
  const answeredCall = createAnsweredCall(context, dialog, media, request.headers.all("allow"));
  const headers = {
    contact: context.trunk.contact(),
    allow: ALLOWED_METHODS,
    supported: SUPPORTED,
    ...timerHeaders(request),
    "content-type": SDP_TYPE,
  };
  const response = replyTo(request, 200, { toTag, headers, body });
  transaction.respond(response);
  answeredCall.agreeTimer(response, false);
  answeredCall.awaitAck(response, transaction, (ack) => takeLateAnswer(ack, media, offer === null));
  old.makeWay();
  return {
    answeredCall: () => answeredCall,
    hangUp: (reason) => answeredCall.hangUp(reason),
    refer: (target) => answeredCall.refer(target),
    handle: (asked) => answeredCall.handle(asked),
    acknowledged: (ack) => answeredCall.acknowledged(ack),
  };
}

export interface ReplacementOptions {
  transaction: ServerTransaction;
  calls: CallBook;
  /** Its Call-ID is already in use. */
  isKnown: boolean;
  isStopping: boolean;
  toTag: string;
  nowMs: number;
  /** Context of the call for a new dialog; null if the call is gone. */
  reopen: (callId: string, flow: Flow) => { context: CallContext; media: OfferAnswer } | null;
}

/**
 * True if the INVITE has Replaces; it is answered then. Only the trunk of a call may replace its dialog: others get the
 * same response as for an unknown dialog.
 */
export function answeredAsReplacement(options: ReplacementOptions): boolean {
  const { transaction, calls, isStopping, toTag } = options;
  const { request, flow } = transaction;
  const wanted = replacementOf(request);
  if (wanted === null) return false;
  const refuse = (status: number, headers: Record<string, string> = {}) => {
    transaction.respond(replyTo(request, status, { toTag, headers }));
    return true;
  };
  const formal = formalRefusal(request, options.isKnown);
  if (formal) return refuse(formal.status, formal.headers);
  if (wanted === "malformed") return refuse(400);
  const old = calls.ofMessage(wanted.callId, flow)?.answeredCall?.() ?? null;
  const callId = calls.idOf(wanted.callId);
  const refusal = isStopping ? 503 : refusalOf(wanted, old);
  if (refusal !== null || !old || callId === undefined) return refuse(refusal ?? 481);
  const reopened = options.reopen(callId, flow);
  if (!reopened) return refuse(503);
  const { context, media } = reopened;
  const call = takeOver(context, transaction, media, old);
  if (!call) return true;
  // The BYE of the old dialog was already sent over its own flow.
  context.home = flow;
  const { trunk } = context;
  calls.takenOver(callId, request.callId, (came) => trunk.takes(came, flow.transport), call);
  calls.trace(request, flow, "received", options.nowMs);
  return true;
}
