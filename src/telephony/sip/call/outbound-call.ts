// A call that we make, from INVITE to its answer or refusal: early media, forks, CANCEL and its race with the answer.
import { ALLOWED_METHODS, CONFIRM_END_MS, SUPPORTED, type Call, type CallContext } from "./call-context.ts";
import type { ClientHandlers } from "../transaction/client-transaction.ts";
import { dialogOfCaller, type Dialog } from "./dialog.ts";
import { createEarlyDialogs, MOST_FORKS } from "./early-dialogs.ts";
import { retryAfterMs, secondsIn } from "../message/header-fields.ts";
import { cancelOf, lateInvite } from "./late-invite.ts";
import { HeaderList } from "../message/header-list.ts";
import { answerInDialog } from "./in-dialog.ts";
import type { RequestDraft, SipResponse } from "../message/message.ts";
import { SDP_TYPE, sdpOf, type OfferAnswer } from "./offer-answer.ts";
import { SipParseError } from "../message/parse-error.ts";
import { acknowledgeAndLeave, acknowledgement, type Acknowledgement } from "./forks.ts";
import { replyTo } from "../transaction/reply.ts";
import { outcomeOfStatus } from "./response-outcome.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { createSession, type Session } from "./answered-call.ts";
import { LEAST_SESSION_SECONDS, WANTED_SESSION_SECONDS } from "./session-timer.ts";
import { sendSigned, type SignedRequest } from "../trunk/signed-request.ts";
import type { Flow } from "../transport/flow.ts";
import type { InviteOrder } from "./user-agent-port.ts";

type Ending = Parameters<CallContext["ended"]>[0];

/** A trunk says 100 within 200 ms (RFC 3261, section 17.2.1). After 5 s an INVITE over UDP was sent four times. */
const SILENT_MS = 5_000;
/** So many silent hosts take 20 s; whoever waits for the call has waited long enough by then. */
const MOST_HOSTS_TRIED = 4;

/** What peers say to an offer of SRTP that they cannot take. */
const MEDIA_REFUSED = [415, 488, 606];
const ENCRYPTION_REFUSED =
  "The trunk refused the audio. It must be encrypted (SRTP, AES_CM_128_HMAC_SHA1_80 or _32), since its setting srtp is " +
  "required: switch SRTP with SDES on at the other side, or set srtp to preferred.";

export function startOutboundCall(context: CallContext, order: InviteOrder, media: OfferAnswer, first: Flow): Call {
  const { clock, trunk, transactions, listener, callId, sipCallId } = context;
  const fromTag = context.randomText();
  let flow = first;
  let cseq = 1;
  let invite: SignedRequest | null = null;
  let giveUpInvite = () => {};
  let hostsTried = 1;
  let session: Session | null = null;
  let answeredTag: string | null = null;
  /** Set once we want out: reported when the peer has confirmed it. */
  let leaving: Ending | null = null;
  let isCancelSent = false;
  let isTrying = false;
  /** From the host that has the call now. */
  let hasProvisional = false;
  let hasRung = false;
  let hasEarlyMedia = false;
  let advice: string | null = null;
  const early = createEarlyDialogs(context);
  const acknowledgements = new Map<string, Acknowledgement>();
  const cancelRingTimeout = clock.after(order.ringTimeoutMs, rangTooLong);
  let cancelSilence = () => {};

  function draft(extra: Readonly<Record<string, string>> = {}): RequestDraft {
    const uri = trunk.uriOf(order.to);
    const caller = trunk.identityOf(order.from);
    const headers = HeaderList.of({
      "max-forwards": "70",
      from: `${caller.from};tag=${fromTag}`,
      to: `<${uri}>`,
      "call-id": sipCallId,
      cseq: `${cseq} INVITE`,
      contact: trunk.contact(),
      ...caller.headers,
      allow: ALLOWED_METHODS,
      supported: SUPPORTED,
      "session-expires": String(WANTED_SESSION_SECONDS),
      "min-se": String(LEAST_SESSION_SECONDS),
      "user-agent": "Ringward",
      ...extra,
      "content-type": SDP_TYPE,
    });
    return { method: "INVITE", uri, headers, body: media.offer(true) };
  }

  function send(extra: Readonly<Record<string, string>> = {}): void {
    early.forget();
    let handlers: ClientHandlers = { provisional, final, failed };
    const sent = sendSigned({
      transactions,
      credentials: trunk.credentials,
      flow,
      draft: draft(extra),
      nextCSeq: () => ++cseq,
      handlers: {
        provisional: (response) => handlers.provisional?.(response),
        final: (response) => handlers.final(response),
        failed: (reason, detail) => handlers.failed(reason, detail),
        unauthorised: (text) => (advice = trunk.callUnauthorised(text)),
      },
    });
    const over = flow;
    giveUpInvite = () => (handlers = lateInvite(context, sent, over));
    invite = sent;
  }

  function begin(): void {
    context.home = flow;
    cancelSilence();
    cancelSilence = clock.after(SILENT_MS, () => {
      // The call still has its time to be answered; others need not go the same way.
      if (!triesNextHost()) trunk.notReached("it does not answer INVITE");
    });
    send();
  }

  /** Within this same attempt (RFC 3263, section 4.3). True where another host gets the call; what this one says comes late. */
  function triesNextHost(answer: SipResponse | null = null): boolean {
    if (leaving || hasRung || hostsTried >= MOST_HOSTS_TRIED) return false;
    const isMoving = trunk.otherHost(flow, (answer && retryAfterMs(answer)) ?? null, (next) => {
      if (leaving) return;
      if (!next) {
        over(notAnswered());
        return;
      }
      cseq += 1;
      flow = next;
      begin();
    });
    if (!isMoving) return false;
    hostsTried += 1;
    hasProvisional = false;
    cancelSilence();
    giveUpInvite();
    return true;
  }

  function over(ending: Ending): void {
    cancelRingTimeout();
    cancelSilence();
    context.ended(ending);
  }

  function provisional(response: SipResponse): void {
    cancelSilence();
    trunk.heard(flow);
    if (!isTrying) listener.trying?.(callId);
    isTrying = true;
    hasProvisional = true;
    if (leaving) {
      cancelInvite();
      return;
    }
    if (response.status === 100 || session) return;
    trunk.callTaken();
    if (!invite || !early.heard(response, invite.current.request)) return;
    const sdp = sdpOf(response);
    const bringsMedia = sdp !== null && !hasEarlyMedia && refusalOf(sdp) === null;
    if (bringsMedia) hasEarlyMedia = true;
    if (!hasRung || bringsMedia) listener.ringing(callId, { earlyMedia: hasEarlyMedia });
    hasRung = true;
  }

  /** Takes the answer, or says why it cannot be taken. */
  function refusalOf(sdp: string): string | null {
    try {
      media.accept(sdp);
      return null;
    } catch (error) {
      if (error instanceof SipParseError) return error.message;
      throw error;
    }
  }

  function final(response: SipResponse): void {
    cancelSilence();
    if (response.status < 300) answered(response);
    else refused(response);
  }

  function answered(response: SipResponse): void {
    const request = invite?.current.request;
    const tag = response.to.parameters["tag"] ?? "";
    if (!request) return;
    const repeated = acknowledgements.get(tag);
    if (repeated) {
      repeated.sendAgain();
      return;
    }
    trunk.heard(flow);
    trunk.callTaken();
    const known = early.get(tag);
    const dialog = dialogOfCaller(request, response);
    dialog.localCSeq = Math.max(dialog.localCSeq, known?.localCSeq ?? 0);
    if (leaving || answeredTag !== null) {
      // Answered after we gave up, or by a second telephone: taken, and put down again.
      if (acknowledgements.size < MOST_FORKS) acknowledgements.set(tag, acknowledgeAndLeave(context, dialog, request));
      if (leaving) over({ ...leaving, sipCode: leaving.sipCode ?? response.status });
      return;
    }
    answeredTag = tag;
    acknowledgements.set(tag, acknowledgement(context, dialog, request));
    confirmed(response, dialog);
  }

  function confirmed(response: SipResponse, dialog: Dialog): void {
    cancelRingTimeout();
    session = createSession(context, dialog, media, response.headers.all("allow"));
    // What it said before it answered holds, where that was confirmed and is not said again (RFC 3262, section 5).
    const sdp = sdpOf(response) ?? early.sdpOf(dialog.remoteTag);
    const refusal = sdp === null ? (hasEarlyMedia ? null : "there was no SDP") : refusalOf(sdp);
    if (refusal !== null) {
      const message = `The trunk answered with no audio that we can speak: ${refusal}.`;
      session.leave("no common audio", { by: "us", outcome: "carrier_error", sipCode: response.status, message });
      return;
    }
    session.agreeTimer(response, true);
    listener.answered(callId);
  }

  function refused(response: SipResponse): void {
    if (response.status < 500 && response.status !== 408) trunk.heard(flow);
    if (leaving) {
      over({ ...leaving, sipCode: leaving.sipCode ?? response.status });
      return;
    }
    if (response.status === 503 && triesNextHost(response)) return;
    const leastSeconds = secondsIn(response.headers.get("min-se"));
    if (response.status === 422 && leastSeconds !== null && leastSeconds <= 86_400 && cseq < 5) {
      cseq += 1;
      send({ "session-expires": String(leastSeconds), "min-se": String(leastSeconds) });
      return;
    }
    const isMediaRefused = MEDIA_REFUSED.includes(response.status);
    if (isMediaRefused && media.giveUpEncryption()) {
      cseq += 1;
      send();
      return;
    }
    trunk.refused(response.status);
    const { code, message } = outcomeOfStatus(response.status);
    const why = isMediaRefused && media.isEncryptionRequired ? ENCRYPTION_REFUSED : message;
    over({ by: "peer", outcome: code, sipCode: response.status, message: advice ?? why });
  }

  function failed(reason: "timeout" | "transport", detail: string): void {
    if (!hasProvisional && triesNextHost()) return;
    trunk.notReached(reason === "transport" ? detail : "it does not answer INVITE");
    over(leaving ?? notAnswered());
  }

  function notAnswered(): Ending {
    // The same words for a closed port as for one that is silent: everybody who may see the call reads them.
    const message = "The trunk does not answer.";
    return { by: "network", outcome: "infrastructure_error", sipCode: null, message };
  }

  function rangTooLong(): void {
    if (hasProvisional) {
      leave({ by: "timeout", outcome: "no_answer", sipCode: null, message: "Nobody answered in time." });
      return;
    }
    const message = "The trunk did not react to the call at all.";
    leave({ by: "timeout", outcome: "infrastructure_error", sipCode: null, message });
  }

  function leave(ending: Ending): void {
    if (leaving) return;
    leaving = { ...ending, atMs: clock.now() };
    cancelRingTimeout();
    // Before the first provisional response no CANCEL may be sent (RFC 3261, section 9.1); it follows when one comes.
    if (hasProvisional) cancelInvite();
    // Nobody's telephone begins to ring for a call that is over.
    else invite?.current.fallSilent();
    const report = leaving;
    // A trunk that has said nothing so far has nothing to confirm.
    clock.after(hasProvisional ? CONFIRM_END_MS : 0, () => over(report));
  }

  function cancelInvite(): void {
    const current = invite?.current;
    if (isCancelSent || !current) return;
    isCancelSent = true;
    const { request } = current;
    const nobody = { final() {}, failed() {} };
    transactions.request(cancelOf(request), flow, nobody, request.via.parameters["branch"]);
  }

  /** A request of the peer before the answer: BYE ends it, UPDATE may change early media. */
  function handleEarly(transaction: ServerTransaction): void {
    const { request } = transaction;
    const dialog = early.get(request.from.parameters["tag"] ?? "");
    if (!dialog || request.to.parameters["tag"] !== fromTag) {
      transaction.respond(replyTo(request, 481));
      return;
    }
    if (request.method !== "BYE") {
      const isPending = request.method === "INVITE";
      answerInDialog({ context, dialog, media, transaction, isPending, awaitAck() {}, agreeTimer() {} });
      return;
    }
    transaction.respond(replyTo(request, 200));
    leave({
      by: "peer",
      outcome: "rejected",
      sipCode: null,
      message: "The other side ended the call before answering it.",
    });
  }

  begin();
  return {
    hangUp(reason) {
      if (session) session.hangUp(reason);
      else
        leave({
          by: "us",
          outcome: "interrupted",
          sipCode: null,
          message: "We gave the call up before it was answered.",
        });
    },
    session: () => session,
    refer: (target) => session?.refer(target),
    acknowledged: (ack) => session?.acknowledged(ack),
    handle(transaction) {
      if (session) session.handle(transaction);
      else handleEarly(transaction);
    },
  };
}
