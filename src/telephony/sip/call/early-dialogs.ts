// Early dialogs of one outbound call: each ringing telephone has its own (RFC 3261, section 12.1.2), with its own audio
// and its own sequence of reliable responses, which are confirmed by PRACK (RFC 3262, section 4).
import type { CallContext } from "./call-context.ts";
import { dialogOfCaller, dialogRequest, type Dialog } from "./dialog.ts";
import type { SipRequest, SipResponse } from "../message/message.ts";
import { sdpOf } from "./offer-answer.ts";
import { reliableNumberOf } from "./reliable.ts";
import { sendSigned } from "../trunk/signed-request.ts";

export interface EarlyDialogs {
  /** Records a provisional response and sends PRACK if required. False if it is out of order and must be ignored. */
  heard(response: SipResponse, invite: SipRequest): boolean;
  get(tag: string): Dialog | undefined;
  /** The SDP of this telephone. */
  sdpOf(tag: string): string | null;
  /** The INVITE is sent again, and RSeq numbering restarts. */
  forget(): void;
}

interface Early {
  dialog: Dialog;
  sdp: string | null;
  lastNumber: number | null;
  confirmations: number;
}

/** More early dialogs than a hunt group has telephones. */
export const MOST_FORKS = 32;
/** One per second for longer than any call rings. */
const MOST_CONFIRMATIONS = 100;

export function createEarlyDialogs(context: CallContext): EarlyDialogs {
  const { transactions, trunk } = context;
  const byTag = new Map<string, Early>();

  function earlyOf(response: SipResponse, invite: SipRequest): Early | null {
    const tag = response.to.parameters["tag"];
    if (tag === undefined) return null;
    const known = byTag.get(tag);
    if (known || byTag.size >= MOST_FORKS) return known ?? null;
    const early = { dialog: dialogOfCaller(invite, response), sdp: null, lastNumber: null, confirmations: 0 };
    byTag.set(tag, early);
    return early;
  }

  function confirm({ dialog }: Early, number: number, invite: SipRequest): void {
    const flow = trunk.flowFor(dialog, context.home);
    if (!flow) return;
    const draft = dialogRequest(dialog, "PRACK");
    draft.headers.append("rack", `${number} ${invite.cseq.number} INVITE`);
    sendSigned({
      transactions,
      credentials: trunk.credentials,
      flow,
      draft,
      nextCSeq: () => ++dialog.localCSeq,
      // A peer that rejects the PRACK fails the call itself, after it stops retransmitting its response.
      handlers: { final() {}, failed() {} },
    });
  }

  return {
    heard(response, invite) {
      const early = earlyOf(response, invite);
      const number = reliableNumberOf(response);
      if (early && number !== null) {
        const isNext = early.lastNumber === null || number === early.lastNumber + 1;
        if (!isNext || early.confirmations >= MOST_CONFIRMATIONS) return false;
        early.lastNumber = number;
        early.confirmations += 1;
        confirm(early, number, invite);
      }
      if (early) early.sdp ??= sdpOf(response);
      return true;
    },
    get: (tag) => byTag.get(tag)?.dialog,
    sdpOf: (tag) => byTag.get(tag)?.sdp ?? null,
    forget: () => byTag.clear(),
  };
}
