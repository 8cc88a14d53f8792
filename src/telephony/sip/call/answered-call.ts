// An answered call in either direction: in-dialog requests of the peer, BYE, REFER and session timers.
import { CONFIRM_END_MS, type CallContext, type Replaceable, type ReportedEnding } from "./call-context.ts";
import { admit, dialogRequest, type Dialog } from "./dialog.ts";
import { answerInDialog } from "./in-dialog.ts";
import type { SipRequest, SipResponse } from "../message/message.ts";
import type { OfferAnswer } from "./offer-answer.ts";
import { replyTo } from "../transaction/reply.ts";
import { sendInDialog } from "./send-in-dialog.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { SessionRefresh } from "./session-refresh.ts";
import { repeatUntilAcknowledged } from "../transaction/repeat-answer.ts";
import { startTransfer, type Transfer } from "./transfer.ts";
import type { TransferProgress } from "./user-agent-port.ts";

export interface AnsweredCall extends Replaceable {
  handle(transaction: ServerTransaction): void;
  acknowledged(ack: SipRequest): void;
  hangUp(reason: string): void;
  /** Sends BYE and reports another ending than `hangUp`. */
  leave(reason: string, ending: ReportedEnding): void;
  refer(target: string): void;
  /** From the headers of the 2xx that established the call. */
  agreeTimer(response: SipResponse, wasOurInvite: boolean): void;
  /** Our 2xx was sent: it is retransmitted until the ACK arrives. */
  awaitAck(response: SipResponse, transaction: ServerTransaction, done: (ack: SipRequest) => void): void;
}

const HUNG_UP = { by: "peer", outcome: null, sipCode: null, message: "The other side hung up." } as const;
const EXCHANGE_LEFT = {
  by: "network",
  outcome: "infrastructure_error",
  sipCode: null,
  message: "The exchange ended the call and went away: it was restarted, or the network to it failed.",
} as const;

export function createAnsweredCall(
  context: CallContext,
  dialog: Dialog,
  media: OfferAnswer,
  peerAllows: string[],
): AnsweredCall {
  return new StandingCall(context, dialog, media, peerAllows);
}

class StandingCall implements AnsweredCall {
  readonly dialog: Dialog;
  readonly #context: CallContext;
  readonly #media: OfferAnswer;
  readonly #refresh: SessionRefresh;
  #isOver = false;
  #stopRepeating = () => {};
  #onAck: ((ack: SipRequest) => void) | null = null;
  #transfer: Transfer | null = null;
  /** The peer has hung up, and may still report the result of its transfer. */
  #farewell: (() => void) | null = null;
  #keptTarget: string | null = null;

  constructor(context: CallContext, dialog: Dialog, media: OfferAnswer, peerAllows: string[]) {
    this.dialog = dialog;
    this.#context = context;
    this.#media = media;
    this.#refresh = new SessionRefresh({
      context,
      dialog,
      media,
      peerAllows,
      isOver: () => this.#isOver,
      refreshed: (response) => this.agreeTimer(response, true),
      lost: (message, sipCode) => this.#lost(message, sipCode),
    });
  }

  get isOver(): boolean {
    return this.#isOver || this.#farewell !== null;
  }

  get isPending(): boolean {
    return this.#refresh.isUnderWay || this.#onAck !== null;
  }

  makeWay(): void {
    this.#over();
    sendInDialog(this.#context, this.dialog, dialogRequest(this.dialog, "BYE"), { final() {}, failed() {} });
  }

  awaitAck(response: SipResponse, transaction: ServerTransaction, done: (ack: SipRequest) => void): void {
    const { clock, timers, send } = this.#context;
    this.#stopRepeating();
    this.#onAck = done;
    const again = () => send(response, transaction.flow);
    const never = () => this.#lost("Our answer was never confirmed.", null);
    this.#stopRepeating = repeatUntilAcknowledged(clock, timers, again, never);
  }

  acknowledged(ack: SipRequest): void {
    const { remoteTag, localTag } = this.dialog;
    if (ack.from.parameters["tag"] !== remoteTag || ack.to.parameters["tag"] !== localTag) return;
    this.#stopRepeating();
    const done = this.#onAck;
    this.#onAck = null;
    done?.(ack);
  }

  agreeTimer(response: SipResponse, wasOurInvite: boolean): void {
    this.#keepDialog();
    this.#refresh.agree(response, wasOurInvite);
  }

  hangUp(reason: string): void {
    this.leave(reason, { by: "us", outcome: null, sipCode: null, message: "We hung up." });
  }

  leave(reason: string, ending: ReportedEnding): void {
    if (this.#isOver) return;
    if (this.#farewell) {
      this.#farewell();
      return;
    }
    this.#over();
    const { clock, trunk, ended } = this.#context;
    const atMs = clock.now();
    const draft = dialogRequest(this.dialog, "BYE");
    if (/^[\x20-\x7e]+$/.test(reason)) draft.headers.append("reason", `SIP;text="${reason.replaceAll(/["\\]/g, "")}"`);
    const report = () => ended({ ...ending, atMs });
    // 481 or a timeout: the peer no longer has the call, which is over either way.
    const final = ({ status }: SipResponse) => {
      trunk.refused(status);
      report();
    };
    sendInDialog(this.#context, this.dialog, draft, { final, failed: report });
    clock.after(CONFIRM_END_MS, report);
  }

  refer(target: string): void {
    const context = this.#context;
    this.#transfer?.stop();
    const progress = (step: TransferProgress) => {
      if (!this.#isOver) context.listener.transferProgress(context.callId, step);
    };
    this.#transfer = startTransfer({ context, dialog: this.dialog, target, progress });
  }

  handle(transaction: ServerTransaction): void {
    const { request } = transaction;
    const isOfGoodbye = request.method === "NOTIFY" || request.method === "BYE";
    const isTooLate = this.#isOver || (this.#farewell !== null && !isOfGoodbye);
    const verdict = isTooLate ? "foreign" : admit(this.dialog, request);
    if (verdict !== "admitted") transaction.respond(replyTo(request, verdict === "foreign" ? 481 : 500));
    else if (request.method === "BYE") {
      transaction.respond(replyTo(request, 200));
      if (!this.#farewell) this.#peerLeft();
    } else if (request.method === "NOTIFY" && this.#transfer) this.#transfer.notified(transaction);
    else this.#answer(transaction);
  }

  #answer(transaction: ServerTransaction): void {
    answerInDialog({
      context: this.#context,
      dialog: this.dialog,
      media: this.#media,
      transaction,
      isPending: this.isPending,
      awaitAck: (response, of, done) => this.awaitAck(response, of, done),
      agreeTimer: (response, wasOurInvite) => this.agreeTimer(response, wasOurInvite),
    });
  }

  #peerLeft(): void {
    const { clock, ended, trunk } = this.#context;
    const atMs = clock.now();
    const farewell = () => {
      this.#over();
      // An exchange that restarts ends every call with BYE: the callee did not hang up.
      trunk.whetherThere((isThere) => ended({ ...(isThere ? HUNG_UP : EXCHANGE_LEFT), atMs }));
    };
    this.#farewell = farewell;
    this.#refresh.stop();
    this.#stopRepeating();
    if (!this.#transfer?.left(farewell)) farewell();
  }

  #lost(message: string, sipCode: number | null): void {
    this.leave("call lost", { by: "network", outcome: "infrastructure_error", sipCode, message });
  }

  #over(): void {
    this.#isOver = true;
    this.#refresh.stop();
    this.#stopRepeating();
    this.#transfer?.stop();
  }

  /** After a crash the next process needs the peer's current target; the rest of a dialog does not change. */
  #keepDialog(): void {
    const { trunk, listener, callId } = this.#context;
    const { dialog } = this;
    if (this.#keptTarget === dialog.remoteTarget) return;
    this.#keptTarget = dialog.remoteTarget;
    listener.dialogKept?.(callId, { trunkId: trunk.settings.id, dialog: { ...dialog } });
  }
}
