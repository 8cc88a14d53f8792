// A call that a trunk makes to us: it rings until somebody answers or rejects it, or the caller gives up.
import { ALLOWED_METHODS, SUPPORTED, type Call, type CallContext } from "./call-context.ts";
import { dialogOfCallee } from "./dialog.ts";
import { takeLateAnswer, timerHeaders } from "./in-dialog.ts";
import { SDP_TYPE, sdpOf, type OfferAnswer } from "./offer-answer.ts";
import { SipParseError } from "./parse-error.ts";
import { replyTo, warningOf } from "./reply.ts";
import type { ServerTransaction } from "./server-transaction.ts";
import { createSession, type Session } from "./session.ts";

export interface InboundCall extends Call {
  answer(media: OfferAnswer): void;
  /** The reason, where there is one, is told to the caller's side and to who reads the call's record. */
  reject(sipCode: number, reason?: string): void;
  /** CANCEL: the caller gave up. */
  cancelled(): void;
}

/** Longer than any caller waits; without it a forgotten call would hold its line for ever. */
const LONGEST_RINGING_MS = 60_000;

export function startInboundCall(context: CallContext, invite: ServerTransaction): InboundCall {
  const { request } = invite;
  const toTag = context.randomText();
  const dialog = dialogOfCallee(request, toTag);
  let session: Session | null = null;
  const cancelRinging = context.clock.after(LONGEST_RINGING_MS, () => reject(480));

  function reject(sipCode: number, reason?: string): void {
    if (session || invite.isAnswered) return;
    cancelRinging();
    invite.respond(replyTo(request, sipCode, { toTag, headers: warningOf(reason) }));
    const message = `We did not take the call${reason === undefined ? "" : `: ${reason}`}.`;
    context.ended({ by: "us", outcome: "rejected", sipCode, message });
  }

  function answer(media: OfferAnswer): void {
    if (session || invite.isAnswered) return;
    const offer = sdpOf(request);
    let body: Buffer;
    try {
      body = offer === null ? media.offer() : media.answer(offer);
    } catch (error) {
      if (!(error instanceof SipParseError)) throw error;
      reject(488, error.message);
      return;
    }
    cancelRinging();
    const headers = {
      contact: context.trunk.contact(),
      allow: ALLOWED_METHODS,
      supported: SUPPORTED,
      ...timerHeaders(request),
      "content-type": SDP_TYPE,
    };
    const response = replyTo(request, 200, { toTag, headers, body });
    dialog.isConfirmed = true;
    session = createSession(context, dialog, media, request.headers.all("allow"));
    invite.respond(response);
    session.agreeTimer(response, false);
    session.awaitAck(response, invite, (ack) => {
      takeLateAnswer(ack, media, offer === null);
      context.listener.answered(context.callId);
    });
  }

  invite.respond(replyTo(request, 100));
  invite.respond(replyTo(request, 180, { toTag, headers: { contact: context.trunk.contact() } }));
  return {
    answer,
    reject,
    cancelled() {
      if (session || invite.isAnswered) return;
      cancelRinging();
      invite.respond(replyTo(request, 487, { toTag }));
      context.ended({
        by: "peer",
        outcome: "no_answer",
        sipCode: 487,
        message: "The caller gave up before we answered.",
      });
    },
    hangUp(reason) {
      if (session) session.hangUp(reason);
      else reject(480);
    },
    refer: (target) => session?.refer(target),
    acknowledged: (ack) => session?.acknowledged(ack),
    handle(transaction) {
      if (session) {
        session.handle(transaction);
        return;
      }
      // An early BYE of the caller ends the call as CANCEL would (RFC 3261, section 15).
      const isBye = transaction.request.method === "BYE" && transaction.request.to.parameters["tag"] === toTag;
      transaction.respond(replyTo(transaction.request, isBye ? 200 : 481));
      if (isBye) this.cancelled();
    },
  };
}
