// A call that a trunk makes to us: it rings until somebody answers or rejects it, or the caller gives up.
import { ALLOWED_METHODS, SUPPORTED, type Call, type CallContext } from "./call-context.ts";
import { admit, dialogOfCallee } from "./dialog.ts";
import { takeLateAnswer, timerHeaders } from "./in-dialog.ts";
import { SDP_TYPE, sdpOf, type OfferAnswer } from "./offer-answer.ts";
import { SipParseError } from "../message/parse-error.ts";
import {
  demandsReliability,
  OUR_NUMBER,
  RELIABLE,
  ringReliably,
  type ReliableRinging,
} from "../transaction/reliable.ts";
import { replyTo, warningOf } from "../transaction/reply.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { createSession, type Session } from "./answered-call.ts";

export interface InboundCall extends Call {
  /** Our own tag of its dialog. */
  readonly tag: string;
  answer(media: OfferAnswer): void;
  /** The reason, where there is one, is told to the caller's side and to who reads the call's record. */
  reject(sipCode: number, reason?: string): void;
  /** CANCEL: the caller gave up. */
  cancelled(): void;
}

/** Longer than any caller waits; without it a forgotten call would hold its line for ever. */
const LONGEST_RINGING_MS = 60_000;
/** An offer that comes while the first one has no answer yet (RFC 3311, section 5.2). */
const ASK_AGAIN_SECONDS = "2";

export function startInboundCall(context: CallContext, invite: ServerTransaction): InboundCall {
  const { request } = invite;
  const toTag = context.randomText();
  const dialog = dialogOfCallee(request, toTag);
  let session: Session | null = null;
  let reliable: ReliableRinging | null = null;
  const cancelLimit = context.clock.after(LONGEST_RINGING_MS, () => reject(480));
  const cancelRinging = () => {
    cancelLimit();
    reliable?.stop();
  };

  function ring(): void {
    const headers = { contact: context.trunk.contact() };
    if (!demandsReliability(request)) invite.respond(replyTo(request, 180, { toTag, headers }));
    // The first reliable response must bring the offer where the caller made none; ours is ready when we answer.
    else if (sdpOf(request) !== null) {
      const confirmable = { ...headers, require: RELIABLE, rseq: String(OUR_NUMBER) };
      reliable = ringReliably(context, invite, replyTo(request, 180, { toTag, headers: confirmable }), neverConfirmed);
    }
  }

  function neverConfirmed(): void {
    if (session || invite.isAnswered) return;
    cancelRinging();
    invite.respond(replyTo(request, 500, { toTag }));
    const message = "The caller's side never confirmed that it rings.";
    context.ended({ by: "network", outcome: "infrastructure_error", sipCode: 500, message });
  }

  function confirmed(transaction: ServerTransaction): void {
    const verdict = admit(dialog, transaction.request);
    const isOurs = verdict === "admitted" && reliable?.confirmedBy(transaction.request) === true;
    const status = isOurs ? 200 : verdict === "out of order" ? 500 : 481;
    transaction.respond(replyTo(transaction.request, status));
  }

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
  ring();
  return {
    tag: toTag,
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
    session: () => session,
    refer: (target) => session?.refer(target),
    acknowledged: (ack) => session?.acknowledged(ack),
    handle(transaction) {
      const { method } = transaction.request;
      if (method === "PRACK") {
        confirmed(transaction);
        return;
      }
      if (session) {
        session.handle(transaction);
        return;
      }
      if (method === "UPDATE" && admit(dialog, transaction.request) === "admitted") {
        transaction.respond(replyTo(transaction.request, 500, { headers: { "retry-after": ASK_AGAIN_SECONDS } }));
        return;
      }
      // An early BYE of the caller ends the call as CANCEL would (RFC 3261, section 15).
      const isBye = method === "BYE" && transaction.request.to.parameters["tag"] === toTag;
      transaction.respond(replyTo(transaction.request, isBye ? 200 : 481));
      if (isBye) this.cancelled();
    },
  };
}
