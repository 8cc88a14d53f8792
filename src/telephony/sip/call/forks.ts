// Sends ACK to each 2xx of an INVITE (RFC 3261, section 13.2.2.4), and BYE at once to unwanted forks.
import type { CallContext } from "./call-context.ts";
import { dialogRequest, type Dialog } from "./dialog.ts";
import type { SipRequest } from "../message/message.ts";
import { sendSigned } from "../trunk/signed-request.ts";

export interface Acknowledgement {
  /** The same 2xx arrived again: our ACK was lost. */
  sendAgain(): void;
}

export function acknowledgement(context: CallContext, dialog: Dialog, invite: SipRequest): Acknowledgement {
  const flow = context.trunk.flowFor(dialog, context.home);
  if (!flow) return { sendAgain() {} };
  const draft = dialogRequest(dialog, "ACK", invite.cseq.number);
  // ACK cannot be challenged, so it repeats the credentials of the INVITE (RFC 3261, section 22.1); to the trunk only.
  for (const name of context.trunk.owns(flow.remote.address) ? ["authorization", "proxy-authorization"] : []) {
    for (const value of invite.headers.all(name)) draft.headers.append(name, value);
  }
  const ack = context.transactions.acknowledge(draft, flow);
  return { sendAgain: () => void context.send(ack, flow) };
}

export function acknowledgeAndLeave(context: CallContext, dialog: Dialog, invite: SipRequest): Acknowledgement {
  const ack = acknowledgement(context, dialog, invite);
  const { transactions, trunk } = context;
  const flow = trunk.flowFor(dialog, context.home);
  if (!flow) return ack;
  sendSigned({
    transactions,
    credentials: trunk.credentials,
    flow,
    draft: dialogRequest(dialog, "BYE"),
    nextCSeq: () => ++dialog.localCSeq,
    handlers: { final() {}, failed() {} },
  });
  return ack;
}
