// An answered call: requests of the peer inside it, BYE, REFER, session timers. The same for both directions.
import type { CallContext, Replaceable } from "./call-context.ts";
import { CONFIRM_END_MS } from "./call-context.ts";
import type { ClientHandlers } from "../transaction/client-transaction.ts";
import { admit, dialogRequest, refreshTarget, type Dialog } from "./dialog.ts";
import { answerInDialog } from "./in-dialog.ts";
import type { RequestDraft, SipRequest, SipResponse } from "../message/message.ts";
import type { OfferAnswer } from "./offer-answer.ts";
import { SDP_TYPE, sdpOf } from "./offer-answer.ts";
import { SipParseError } from "../message/parse-error.ts";
import { replyTo } from "../transaction/reply.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { createSessionTimer, sessionIntervalOf, WANTED_SESSION_SECONDS } from "./session-timer.ts";
import { sendSigned, type SignedRequest } from "../trunk/signed-request.ts";
import { repeatUntilAcknowledged } from "../transaction/repeat-answer.ts";
import { startTransfer, type Transfer } from "./transfer.ts";

type Ending = Parameters<CallContext["ended"]>[0];

export interface Session extends Replaceable {
  handle(transaction: ServerTransaction): void;
  acknowledged(ack: SipRequest): void;
  hangUp(reason: string): void;
  /** BYE, with another ending than `hangUp` reports. */
  leave(reason: string, ending: Ending): void;
  refer(target: string): void;
  /** By the headers of the 2xx that made the call. */
  agreeTimer(response: SipResponse, wasOurInvite: boolean): void;
  /** Our 2xx is on the wire: it is repeated until the ACK comes. */
  awaitAck(response: SipResponse, transaction: ServerTransaction, done: (ack: SipRequest) => void): void;
}

/** RFC 3261, section 14.1: 2.1 to 4 s for the owner of the Call-ID. */
const GLARE_WAIT_MS = 2_500;

export function createSession(context: CallContext, dialog: Dialog, media: OfferAnswer, peerAllows: string[]): Session {
  const { clock, timers, transactions, trunk, ended } = context;
  const timer = createSessionTimer(clock, refresh, expired);
  let isOver = false;
  /** Our own re-INVITE or UPDATE is under way. */
  let isRefreshing = false;
  let stopRepeating = () => {};
  let onAck: ((ack: SipRequest) => void) | null = null;
  let transfer: Transfer | null = null;
  /** The peer has hung up, and may yet tell how its transfer went. */
  let farewell: (() => void) | null = null;

  function request(draft: RequestDraft, handlers: ClientHandlers): SignedRequest | null {
    const flow = trunk.flowFor(dialog, context.home);
    if (!flow) {
      clock.after(0, () => handlers.failed("transport", "the trunk has no address"));
      return null;
    }
    const { credentials } = trunk;
    return sendSigned({ transactions, credentials, flow, draft, nextCSeq: () => ++dialog.localCSeq, handlers });
  }

  function over(): void {
    isOver = true;
    timer.stop();
    stopRepeating();
    transfer?.stop();
  }

  function peerLeft(): void {
    const atMs = clock.now();
    farewell = () => {
      over();
      ended({ by: "peer", outcome: null, sipCode: null, message: "The other side hung up.", atMs });
    };
    timer.stop();
    stopRepeating();
    if (!transfer?.left(farewell)) farewell();
  }

  function bye(reason: string, ending: Ending): void {
    if (isOver) return;
    if (farewell) {
      farewell();
      return;
    }
    over();
    const endedAtMs = clock.now();
    const draft = dialogRequest(dialog, "BYE");
    if (/^[\x20-\x7e]+$/.test(reason)) draft.headers.append("reason", `SIP;text="${reason.replaceAll(/["\\]/g, "")}"`);
    const report = () => ended({ ...ending, atMs: endedAtMs });
    // 481 or silence: the peer has forgotten the call, which is over all the same.
    const final = ({ status }: SipResponse) => {
      trunk.refused(status);
      report();
    };
    request(draft, { final, failed: report });
    clock.after(CONFIRM_END_MS, report);
  }

  function lost(message: string, sipCode: number | null): void {
    bye("call lost", { by: "network", outcome: "infrastructure_error", sipCode, message });
  }

  function expired(): void {
    lost("The other side stopped refreshing the call.", null);
  }

  /** UPDATE where the peer knows it, since it needs no three-way handshake; a re-INVITE otherwise. */
  function refresh(): void {
    if (isOver || isRefreshing) return;
    isRefreshing = true;
    const usesUpdate = peerAllows.includes("UPDATE");
    const draft = dialogRequest(dialog, usesUpdate ? "UPDATE" : "INVITE");
    draft.headers.append("contact", trunk.contact());
    draft.headers.append("supported", "timer");
    draft.headers.append("session-expires", `${agreedSeconds};refresher=uac`);
    if (!usesUpdate) {
      draft.headers.append("content-type", SDP_TYPE);
      draft.body = media.offer();
    }
    const sent = request(draft, { final: refreshed, failed: () => lost("The other side no longer answers.", 408) });

    function refreshed(response: SipResponse): void {
      isRefreshing = false;
      const current = sent?.current.request;
      if (response.status < 300 && current?.method === "INVITE") {
        acceptAnswer(response);
        acknowledge(current);
      }
      if (isOver) return;
      if (response.status === 408 || response.status === 481)
        lost("The other side has lost the call.", response.status);
      else if (response.status === 491) clock.after(GLARE_WAIT_MS, refresh);
      else if (response.status < 300) {
        refreshTarget(dialog, response);
        agreeTimer(response, true);
      } else timer.agree({ seconds: agreedSeconds, weRefresh: true });
    }
  }

  function acceptAnswer(response: SipResponse): void {
    const sdp = sdpOf(response);
    try {
      if (sdp !== null) media.accept(sdp);
    } catch (error) {
      // The call goes on as it was.
      if (!(error instanceof SipParseError)) throw error;
    }
  }

  function acknowledge(invite: SipRequest): void {
    const flow = trunk.flowFor(dialog, context.home);
    if (flow) transactions.acknowledge(dialogRequest(dialog, "ACK", invite.cseq.number), flow);
  }

  let keptTarget: string | null = null;
  /** Whoever comes after a crash of ours needs to know where the peer is; the rest of a dialog stays as it is. */
  function keepDialog(): void {
    if (keptTarget === dialog.remoteTarget) return;
    keptTarget = dialog.remoteTarget;
    context.listener.dialogKept?.(context.callId, { trunkId: trunk.settings.id, dialog: { ...dialog } });
  }

  let agreedSeconds = WANTED_SESSION_SECONDS;
  function agreeTimer(response: SipResponse, wasOurInvite: boolean): void {
    keepDialog();
    const interval = sessionIntervalOf(response.headers);
    if (interval) agreedSeconds = Math.max(interval.seconds, 30);
    const weRefresh = (interval?.refresher ?? "uac") === (wasOurInvite ? "uac" : "uas");
    timer.agree(interval && { seconds: agreedSeconds, weRefresh });
  }

  function awaitAck(response: SipResponse, transaction: ServerTransaction, done: (ack: SipRequest) => void): void {
    stopRepeating();
    onAck = done;
    const again = () => context.send(response, transaction.flow);
    stopRepeating = repeatUntilAcknowledged(clock, timers, again, () => lost("Our answer was never confirmed.", null));
  }

  const isPending = () => isRefreshing || onAck !== null;

  return {
    dialog,
    get isOver() {
      return isOver || farewell !== null;
    },
    get isPending() {
      return isPending();
    },
    makeWay() {
      over();
      request(dialogRequest(dialog, "BYE"), { final() {}, failed() {} });
    },
    awaitAck,
    agreeTimer,
    leave: bye,
    hangUp: (reason) => bye(reason, { by: "us", outcome: null, sipCode: null, message: "We hung up." }),
    acknowledged(ack) {
      if (ack.from.parameters["tag"] !== dialog.remoteTag || ack.to.parameters["tag"] !== dialog.localTag) return;
      stopRepeating();
      const done = onAck;
      onAck = null;
      done?.(ack);
    },
    refer(target) {
      transfer?.stop();
      const progress = (step: Parameters<typeof context.listener.transferProgress>[1]) => {
        if (!isOver) context.listener.transferProgress(context.callId, step);
      };
      transfer = startTransfer({ context, dialog, target, request, progress });
    },
    handle(transaction) {
      const { request: asked } = transaction;
      const isTooLate = isOver || (farewell !== null && asked.method !== "NOTIFY" && asked.method !== "BYE");
      const verdict = isTooLate ? "foreign" : admit(dialog, asked);
      if (verdict !== "admitted") {
        transaction.respond(replyTo(asked, verdict === "foreign" ? 481 : 500));
        return;
      }
      if (asked.method === "BYE") {
        transaction.respond(replyTo(asked, 200));
        if (!farewell) peerLeft();
      } else if (asked.method === "NOTIFY" && transfer) {
        transfer.notified(transaction);
      } else {
        answerInDialog({ context, dialog, media, transaction, isPending: isPending(), awaitAck, agreeTimer });
      }
    },
  };
}
