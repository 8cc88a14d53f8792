// An inbound call from a trunk: it rings until it is answered, rejected or cancelled.
import { ALLOWED_METHODS, SUPPORTED, type Call, type CallContext, type ReportedEnding } from "./call-context.ts";
import { admit, dialogOfCallee, type Dialog } from "./dialog.ts";
import { takeLateAnswer, timerHeaders } from "./in-dialog.ts";
import type { SipRequest } from "../message/message.ts";
import { SDP_TYPE, sdpOf, type OfferAnswer } from "./offer-answer.ts";
import { SipParseError } from "../message/parse-error.ts";
import { demandsReliability, OUR_NUMBER, RELIABLE, ringReliably, type ReliableRinging } from "./reliable.ts";
import { replyTo, warningOf } from "../transaction/reply.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { createAnsweredCall, type AnsweredCall } from "./answered-call.ts";

export interface InboundCall extends Call {
  /** Our tag of the dialog. */
  readonly tag: string;
  answer(media: OfferAnswer): void;
  /** The reason, if any, is sent to the caller's side and stored in the call's record. */
  reject(sipCode: number, reason?: string): void;
  /** CANCEL: the caller gave up. */
  cancelled(): void;
}

/** Longer than any caller waits; otherwise a forgotten call would occupy its line forever. */
const LONGEST_RINGING_MS = 60_000;
/** Retry-After for an offer that arrives before the first one is answered (RFC 3311, section 5.2). */
const ASK_AGAIN_SECONDS = "2";

export function startInboundCall(context: CallContext, invite: ServerTransaction): InboundCall {
  return new CallToUs(context, invite);
}

class CallToUs implements InboundCall {
  readonly tag: string;
  readonly #context: CallContext;
  readonly #invite: ServerTransaction;
  readonly #dialog: Dialog;
  readonly #cancelLimit: () => void;
  #reliable: ReliableRinging | null = null;
  #answeredCall: AnsweredCall | null = null;

  constructor(context: CallContext, invite: ServerTransaction) {
    this.tag = context.randomText();
    this.#context = context;
    this.#invite = invite;
    this.#dialog = dialogOfCallee(invite.request, this.tag);
    this.#cancelLimit = context.clock.after(LONGEST_RINGING_MS, () => this.reject(480));
    invite.respond(replyTo(invite.request, 100));
    this.#ring();
  }

  answeredCall(): AnsweredCall | null {
    return this.#answeredCall;
  }

  answer(media: OfferAnswer): void {
    if (this.#isDecided()) return;
    const { request } = this.#invite;
    const offer = sdpOf(request);
    let body: Buffer;
    try {
      body = offer === null ? media.offer() : media.answer(offer);
    } catch (error) {
      if (!(error instanceof SipParseError)) throw error;
      this.reject(488, error.message);
      return;
    }
    this.#stopRinging();
    const context = this.#context;
    const headers = {
      contact: context.trunk.contact(),
      allow: ALLOWED_METHODS,
      supported: SUPPORTED,
      ...timerHeaders(request),
      "content-type": SDP_TYPE,
    };
    const response = replyTo(request, 200, { toTag: this.tag, headers, body });
    this.#dialog.isConfirmed = true;
    const answeredCall = createAnsweredCall(context, this.#dialog, media, request.headers.all("allow"));
    this.#answeredCall = answeredCall;
    this.#invite.respond(response);
    answeredCall.agreeTimer(response, false);
    answeredCall.awaitAck(response, this.#invite, (ack) => {
      takeLateAnswer(ack, media, offer === null);
      context.listener.answered(context.callId);
    });
  }

  reject(sipCode: number, reason?: string): void {
    const message = `We did not take the call${reason === undefined ? "" : `: ${reason}`}.`;
    this.#refuse({ by: "us", outcome: "rejected", sipCode, message }, warningOf(reason));
  }

  cancelled(): void {
    const message = "The caller gave up before we answered.";
    this.#refuse({ by: "peer", outcome: "no_answer", sipCode: 487, message });
  }

  hangUp(reason: string): void {
    if (this.#answeredCall) this.#answeredCall.hangUp(reason);
    else this.reject(480);
  }

  refer(target: string): void {
    this.#answeredCall?.refer(target);
  }

  acknowledged(ack: SipRequest): void {
    this.#answeredCall?.acknowledged(ack);
  }

  handle(transaction: ServerTransaction): void {
    if (transaction.request.method === "PRACK") this.#confirmed(transaction);
    else if (this.#answeredCall) this.#answeredCall.handle(transaction);
    else this.#handleEarly(transaction);
  }

  #handleEarly(transaction: ServerTransaction): void {
    const { request } = transaction;
    if (request.method === "UPDATE" && admit(this.#dialog, request) === "admitted") {
      transaction.respond(replyTo(request, 500, { headers: { "retry-after": ASK_AGAIN_SECONDS } }));
      return;
    }
    // An early BYE of the caller ends the call like CANCEL (RFC 3261, section 15).
    const isBye = request.method === "BYE" && request.to.parameters["tag"] === this.tag;
    transaction.respond(replyTo(request, isBye ? 200 : 481));
    if (isBye) this.cancelled();
  }

  #ring(): void {
    const context = this.#context;
    const { request } = this.#invite;
    const headers = { contact: context.trunk.contact() };
    const toTag = this.tag;
    if (!demandsReliability(request)) this.#invite.respond(replyTo(request, 180, { toTag, headers }));
    // Without an offer in the INVITE, the first reliable response must carry ours, which is only ready at the answer.
    else if (sdpOf(request) !== null) {
      const confirmable = { ...headers, require: RELIABLE, rseq: String(OUR_NUMBER) };
      const ringing = replyTo(request, 180, { toTag, headers: confirmable });
      this.#reliable = ringReliably(context, this.#invite, ringing, () => this.#neverConfirmed());
    }
  }

  #confirmed(transaction: ServerTransaction): void {
    const verdict = admit(this.#dialog, transaction.request);
    const isOurs = verdict === "admitted" && this.#reliable?.confirmedBy(transaction.request) === true;
    const status = isOurs ? 200 : verdict === "out of order" ? 500 : 481;
    transaction.respond(replyTo(transaction.request, status));
  }

  #neverConfirmed(): void {
    const message = "The caller's side never confirmed that it rings.";
    this.#refuse({ by: "network", outcome: "infrastructure_error", sipCode: 500, message });
  }

  /** The status of the ending is also sent to the caller's side. */
  #refuse(ending: ReportedEnding & { sipCode: number }, headers: Record<string, string> = {}): void {
    if (this.#isDecided()) return;
    this.#stopRinging();
    this.#invite.respond(replyTo(this.#invite.request, ending.sipCode, { toTag: this.tag, headers }));
    this.#context.ended(ending);
  }

  #isDecided(): boolean {
    return this.#answeredCall !== null || this.#invite.isAnswered;
  }

  #stopRinging(): void {
    this.#cancelLimit();
    this.#reliable?.stop();
  }
}
