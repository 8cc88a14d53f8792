// An outbound call from INVITE to its answer or rejection: early media, forks, CANCEL and its race with the answer.
import { CONFIRM_END_MS, type Call, type CallContext, type ReportedEnding } from "./call-context.ts";
import { dialogOfCaller, type Dialog } from "./dialog.ts";
import { createEarlyDialogs, MOST_FORKS, type EarlyDialogs } from "./early-dialogs.ts";
import { retryAfterMs, secondsIn } from "../message/header-fields.ts";
import { answerInDialog } from "./in-dialog.ts";
import { Invitation } from "./invitation.ts";
import type { SipRequest, SipResponse } from "../message/message.ts";
import { sdpOf, type OfferAnswer } from "./offer-answer.ts";
import {
  endingOfRefusal,
  GIVEN_UP,
  isMediaRefused,
  NO_REACTION,
  NOT_ANSWERED,
  PEER_LEFT_EARLY,
  RANG_TOO_LONG,
} from "./outbound-endings.ts";
import { SipParseError } from "../message/parse-error.ts";
import { acknowledgeAndLeave, acknowledgement, type Acknowledgement } from "./forks.ts";
import { replyTo } from "../transaction/reply.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { createAnsweredCall, type AnsweredCall } from "./answered-call.ts";
import type { Flow } from "../transport/flow.ts";
import type { InviteOrder } from "./user-agent-port.ts";

/** A trunk sends 100 within 200 ms (RFC 3261, section 17.2.1). After 5 s an INVITE over UDP was sent four times. */
const SILENT_MS = 5_000;
/** This many silent hosts take 20 s, the longest acceptable wait for a call. */
const MOST_HOSTS_TRIED = 4;
/** Limit of INVITEs to a trunk that keeps asking for changes. */
const MOST_INVITES = 5;
const LONGEST_SESSION_SECONDS = 86_400;

export function startOutboundCall(context: CallContext, order: InviteOrder, media: OfferAnswer, first: Flow): Call {
  return new OutboundCall(context, order, media, first);
}

class OutboundCall implements Call {
  readonly #context: CallContext;
  readonly #media: OfferAnswer;
  readonly #invitation: Invitation;
  readonly #early: EarlyDialogs;
  readonly #acknowledgements = new Map<string, Acknowledgement>();
  readonly #cancelRingTimeout: () => void;
  #cancelSilence = () => {};
  #flow: Flow;
  #hostsTried = 1;
  #answeredCall: AnsweredCall | null = null;
  #answeredTag: string | null = null;
  /** Set when we end the call: reported once the peer has confirmed it. */
  #leaving: ReportedEnding | null = null;
  #isTrying = false;
  /** From the current host. */
  #hasProvisional = false;
  #hasRung = false;
  #hasEarlyMedia = false;

  constructor(context: CallContext, order: InviteOrder, media: OfferAnswer, first: Flow) {
    this.#context = context;
    this.#media = media;
    this.#flow = first;
    this.#early = createEarlyDialogs(context);
    this.#cancelRingTimeout = context.clock.after(order.ringTimeoutMs, () =>
      this.#leave(this.#hasProvisional ? RANG_TOO_LONG : this.#unlessReached(NO_REACTION)),
    );
    const handlers = {
      provisional: (response: SipResponse) => this.#provisional(response),
      final: (response: SipResponse) => this.#final(response),
      failed: (reason: "timeout" | "transport", detail: string) => this.#failed(reason, detail),
    };
    this.#invitation = new Invitation({ context, order, media, handlers });
    this.#begin();
  }

  answeredCall(): AnsweredCall | null {
    return this.#answeredCall;
  }

  hangUp(reason: string): void {
    if (this.#answeredCall) this.#answeredCall.hangUp(reason);
    else this.#leave(GIVEN_UP);
  }

  refer(target: string): void {
    this.#answeredCall?.refer(target);
  }

  acknowledged(ack: SipRequest): void {
    this.#answeredCall?.acknowledged(ack);
  }

  handle(transaction: ServerTransaction): void {
    if (this.#answeredCall) this.#answeredCall.handle(transaction);
    else this.#handleEarly(transaction);
  }

  #begin(): void {
    const { clock, trunk } = this.#context;
    this.#context.home = this.#flow;
    this.#cancelSilence();
    this.#cancelSilence = clock.after(SILENT_MS, () => {
      // The call keeps its time to be answered; later calls avoid this path.
      if (!this.#triesNextHost()) trunk.notReached("it does not answer INVITE");
    });
    this.#send();
  }

  #send(changed: Readonly<Record<string, string>> = {}): void {
    this.#early.forget();
    this.#invitation.send(this.#flow, changed);
  }

  /**
   * Failover within the same attempt (RFC 3263, section 4.3). True if another host gets the call; responses of this one
   * are then late.
   */
  #triesNextHost(answer: SipResponse | null = null): boolean {
    if (this.#leaving || this.#hasRung || this.#hostsTried >= MOST_HOSTS_TRIED) return false;
    const restMs = (answer && retryAfterMs(answer)) ?? null;
    const isMoving = this.#context.trunk.otherHost(this.#flow, restMs, (next) => this.#moveTo(next));
    if (!isMoving) return false;
    this.#hostsTried += 1;
    this.#hasProvisional = false;
    this.#cancelSilence();
    this.#invitation.letGo();
    return true;
  }

  #moveTo(next: Flow | null): void {
    if (this.#leaving) return;
    if (!next) {
      this.#over(this.#unlessReached(NOT_ANSWERED));
      return;
    }
    this.#flow = next;
    this.#begin();
  }

  #provisional(response: SipResponse): void {
    const { trunk, listener, callId } = this.#context;
    this.#cancelSilence();
    trunk.heard(this.#flow);
    if (!this.#isTrying) listener.trying?.(callId);
    this.#isTrying = true;
    this.#hasProvisional = true;
    if (this.#leaving) {
      this.#invitation.cancel();
      return;
    }
    if (response.status === 100 || this.#answeredCall) return;
    trunk.callTaken();
    this.#ringing(response);
  }

  #ringing(response: SipResponse): void {
    const { request } = this.#invitation;
    if (!request || !this.#early.heard(response, request)) return;
    const sdp = sdpOf(response);
    const bringsMedia = sdp !== null && !this.#hasEarlyMedia && this.#refusalOf(sdp) === null;
    if (bringsMedia) this.#hasEarlyMedia = true;
    const { listener, callId } = this.#context;
    if (!this.#hasRung || bringsMedia) listener.ringing(callId, { earlyMedia: this.#hasEarlyMedia });
    this.#hasRung = true;
  }

  /** Applies the answer, or returns why it cannot be used. */
  #refusalOf(sdp: string): string | null {
    try {
      this.#media.accept(sdp);
      return null;
    } catch (error) {
      if (error instanceof SipParseError) return error.message;
      throw error;
    }
  }

  #final(response: SipResponse): void {
    this.#cancelSilence();
    if (response.status < 300) this.#answered(response);
    else this.#refused(response);
  }

  #answered(response: SipResponse): void {
    const context = this.#context;
    const { request } = this.#invitation;
    const tag = response.to.parameters["tag"] ?? "";
    if (!request) return;
    const repeated = this.#acknowledgements.get(tag);
    if (repeated) {
      repeated.sendAgain();
      return;
    }
    context.trunk.heard(this.#flow);
    context.trunk.callTaken();
    const dialog = dialogOfCaller(request, response);
    dialog.localCSeq = Math.max(dialog.localCSeq, this.#early.get(tag)?.localCSeq ?? 0);
    if (this.#leaving || this.#answeredTag !== null) {
      // Answered after we gave up, or by a second telephone: acknowledged and ended at once.
      if (this.#acknowledgements.size < MOST_FORKS)
        this.#acknowledgements.set(tag, acknowledgeAndLeave(context, dialog, request));
      if (this.#leaving) this.#left(this.#leaving, response);
      return;
    }
    this.#answeredTag = tag;
    this.#acknowledgements.set(tag, acknowledgement(context, dialog, request));
    this.#confirmed(response, dialog);
  }

  #confirmed(response: SipResponse, dialog: Dialog): void {
    this.#cancelRingTimeout();
    const answeredCall = createAnsweredCall(this.#context, dialog, this.#media, response.headers.all("allow"));
    this.#answeredCall = answeredCall;
    // A confirmed SDP from an earlier response applies if the answer does not repeat it (RFC 3262, section 5).
    const sdp = sdpOf(response) ?? this.#early.sdpOf(dialog.remoteTag);
    const refusal = sdp === null ? (this.#hasEarlyMedia ? null : "there was no SDP") : this.#refusalOf(sdp);
    if (refusal !== null) {
      const message = `The trunk answered with no audio that we can speak: ${refusal}.`;
      answeredCall.leave("no common audio", { by: "us", outcome: "carrier_error", sipCode: response.status, message });
      return;
    }
    answeredCall.agreeTimer(response, true);
    this.#context.listener.answered(this.#context.callId);
  }

  #refused(response: SipResponse): void {
    const { trunk } = this.#context;
    const { status } = response;
    if (status < 500 && status !== 408) trunk.heard(this.#flow);
    if (this.#leaving) {
      this.#left(this.#leaving, response);
      return;
    }
    if (status === 503 && this.#triesNextHost(response)) return;
    const restMs = status === 503 ? retryAfterMs(response) : undefined;
    if (restMs !== undefined) trunk.restFor(restMs);
    const changed = this.#whatItTakes(response);
    if (changed) {
      this.#send(changed);
      return;
    }
    trunk.refused(status);
    const { advice } = this.#invitation;
    this.#over(endingOfRefusal(status, this.#media, { advice, hasRung: this.#hasRung }));
  }

  /** Header changes with which the same host would accept another INVITE; null if nothing would help. */
  #whatItTakes({ status, headers }: SipResponse): Record<string, string> | null {
    const leastSeconds = secondsIn(headers.get("min-se"));
    const canWait = leastSeconds !== null && leastSeconds <= LONGEST_SESSION_SECONDS;
    if (status === 422 && canWait && this.#invitation.number < MOST_INVITES)
      return { "session-expires": String(leastSeconds), "min-se": String(leastSeconds) };
    return isMediaRefused(status) && this.#media.giveUpEncryption() ? {} : null;
  }

  #failed(reason: "timeout" | "transport", detail: string): void {
    if (!this.#hasProvisional && this.#triesNextHost()) return;
    const isCertain = reason === "transport";
    this.#context.trunk.notReached(isCertain ? detail : "it does not answer INVITE");
    this.#over(this.#leaving ?? this.#unlessReached(NOT_ANSWERED, isCertain));
  }

  /**
   * Puts the call back into the queue if the INVITE reached no one. A timeout alone does not prove that: a firewall may
   * drop the responses while the phone rings. So the trunk must have responded before, or the transport must have
   * failed.
   */
  #unlessReached(ending: ReportedEnding, isCertain = false): ReportedEnding {
    if (this.#hasProvisional || this.#hasRung) return ending;
    return isCertain || this.#context.trunk.hasBeenHeard ? { ...ending, putBack: true } : ending;
  }

  #leave(ending: ReportedEnding): void {
    if (this.#leaving) return;
    const { clock } = this.#context;
    const report = { ...ending, atMs: clock.now() };
    this.#leaving = report;
    this.#cancelRingTimeout();
    // CANCEL must not be sent before the first provisional response (RFC 3261, section 9.1); it follows when one
    // arrives.
    if (this.#hasProvisional) this.#invitation.cancel();
    else this.#invitation.fallSilent();
    // A trunk that has not responded so far has nothing to confirm.
    clock.after(this.#hasProvisional ? CONFIRM_END_MS : 0, () => this.#over(report));
  }

  #left(leaving: ReportedEnding, confirmedBy: SipResponse): void {
    this.#over({ ...leaving, sipCode: leaving.sipCode ?? confirmedBy.status });
  }

  #over(ending: ReportedEnding): void {
    this.#cancelRingTimeout();
    this.#cancelSilence();
    this.#context.ended(ending);
  }

  /** A request of the peer before the answer: BYE ends the call, UPDATE may change early media. */
  #handleEarly(transaction: ServerTransaction): void {
    const { request } = transaction;
    const dialog = this.#early.get(request.from.parameters["tag"] ?? "");
    if (!dialog || request.to.parameters["tag"] !== this.#invitation.fromTag) {
      transaction.respond(replyTo(request, 481));
      return;
    }
    if (request.method === "BYE") {
      transaction.respond(replyTo(request, 200));
      this.#leave(PEER_LEFT_EARLY);
      return;
    }
    const isPending = request.method === "INVITE";
    const [context, media] = [this.#context, this.#media];
    answerInDialog({ context, dialog, media, transaction, isPending, awaitAck() {}, agreeTimer() {} });
  }
}
