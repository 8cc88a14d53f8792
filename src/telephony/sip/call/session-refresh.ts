// Session refresh of an answered call: negotiates the session timer, and refreshes in time if we are the refresher.
import type { CallContext } from "./call-context.ts";
import { dialogRequest, refreshTarget, type Dialog } from "./dialog.ts";
import type { SipRequest, SipResponse } from "../message/message.ts";
import { SDP_TYPE, sdpOf, type OfferAnswer } from "./offer-answer.ts";
import { SipParseError } from "../message/parse-error.ts";
import { sendInDialog } from "./send-in-dialog.ts";
import { createSessionTimer, sessionIntervalOf, WANTED_SESSION_SECONDS } from "./session-timer.ts";

export interface SessionRefreshOptions {
  context: CallContext;
  dialog: Dialog;
  media: OfferAnswer;
  /** Methods that the peer supports. */
  peerAllows: readonly string[];
  isOver: () => boolean;
  /** The peer accepted our refresh. */
  refreshed: (response: SipResponse) => void;
  lost: (message: string, sipCode: number | null) => void;
}

/** RFC 3261, section 14.1: 2.1 to 4 s for the owner of the Call-ID. */
const GLARE_WAIT_MS = 2_500;
const LEAST_AGREED_SECONDS = 30;

export class SessionRefresh {
  readonly #options: SessionRefreshOptions;
  readonly #timer;
  #isUnderWay = false;
  #agreedSeconds = WANTED_SESSION_SECONDS;

  constructor(options: SessionRefreshOptions) {
    this.#options = options;
    this.#timer = createSessionTimer(
      options.context.clock,
      () => this.#refresh(),
      () => options.lost("The other side stopped refreshing the call.", null),
    );
  }

  /** Our re-INVITE or UPDATE is pending. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** From the headers of a 2xx. */
  agree({ headers }: SipResponse, wasOurRequest: boolean): void {
    const interval = sessionIntervalOf(headers);
    if (interval) this.#agreedSeconds = Math.max(interval.seconds, LEAST_AGREED_SECONDS);
    const weRefresh = (interval?.refresher ?? "uac") === (wasOurRequest ? "uac" : "uas");
    this.#timer.agree(interval && { seconds: this.#agreedSeconds, weRefresh });
  }

  stop(): void {
    this.#timer.stop();
  }

  /** Uses UPDATE if the peer supports it, since it needs no three-way handshake; otherwise a re-INVITE. */
  #refresh(): void {
    const { context, dialog, media, peerAllows, isOver, lost } = this.#options;
    if (isOver() || this.#isUnderWay) return;
    this.#isUnderWay = true;
    const usesUpdate = peerAllows.includes("UPDATE");
    const draft = dialogRequest(dialog, usesUpdate ? "UPDATE" : "INVITE");
    draft.headers.append("contact", context.trunk.contact());
    draft.headers.append("supported", "timer");
    draft.headers.append("session-expires", `${this.#agreedSeconds};refresher=uac`);
    if (!usesUpdate) {
      draft.headers.append("content-type", SDP_TYPE);
      draft.body = media.offer();
    }
    const sent = sendInDialog(context, dialog, draft, {
      final: (response) => this.#answered(response, sent?.current.request),
      failed: () => lost("The other side no longer answers.", 408),
    });
  }

  #answered(response: SipResponse, request: SipRequest | undefined): void {
    const { context, dialog, isOver, lost, refreshed } = this.#options;
    const { status } = response;
    this.#isUnderWay = false;
    if (status < 300 && request?.method === "INVITE") this.#confirm(response, request);
    if (isOver()) return;
    if (status === 408 || status === 481) lost("The other side has lost the call.", status);
    else if (status === 491) context.clock.after(GLARE_WAIT_MS, () => this.#refresh());
    else if (status < 300) {
      refreshTarget(dialog, response);
      refreshed(response);
    } else this.#timer.agree({ seconds: this.#agreedSeconds, weRefresh: true });
  }

  #confirm(response: SipResponse, invite: SipRequest): void {
    const { context, dialog, media } = this.#options;
    const sdp = sdpOf(response);
    try {
      if (sdp !== null) media.accept(sdp);
    } catch (error) {
      // The call continues unchanged.
      if (!(error instanceof SipParseError)) throw error;
    }
    const flow = context.trunk.flowFor(dialog, context.home);
    if (flow) context.transactions.acknowledge(dialogRequest(dialog, "ACK", invite.cseq.number), flow);
  }
}
