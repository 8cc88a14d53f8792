// Handlers of an abandoned INVITE whose host did not respond. If that host accepts the call later, it is ended there at
// once, because the same call is already ringing through another host.
import type { CallContext } from "./call-context.ts";
import type { ClientHandlers } from "../transaction/client-transaction.ts";
import { dialogOfCaller } from "./dialog.ts";
import { acknowledgeAndLeave, type Acknowledgement } from "./forks.ts";
import { HeaderList } from "../message/header-list.ts";
import { NO_BODY, type RequestDraft, type SipRequest } from "../message/message.ts";
import type { SignedRequest } from "../trunk/signed-request.ts";
import type { Flow } from "../transport/flow.ts";

/** More answers than a hunt group has telephones. */
const MOST_ANSWERS = 32;

export function lateInvite(context: CallContext, sent: SignedRequest, flow: Flow): ClientHandlers {
  const { transactions } = context;
  const left = new Map<string, Acknowledgement>();
  let isCancelSent = false;
  sent.current.fallSilent();
  return {
    provisional() {
      if (isCancelSent) return;
      isCancelSent = true;
      const { request } = sent.current;
      transactions.request(cancelOf(request), flow, { final() {}, failed() {} }, request.via.parameters["branch"]);
    },
    final(response) {
      if (response.status >= 300) return;
      const tag = response.to.parameters["tag"] ?? "";
      const repeated = left.get(tag);
      const dialog = dialogOfCaller(sent.current.request, response);
      if (repeated) repeated.sendAgain();
      else if (left.size < MOST_ANSWERS)
        left.set(tag, acknowledgeAndLeave({ ...context, home: flow }, dialog, sent.current.request));
    },
    failed() {},
  };
}

/** RFC 3261, section 9.1: same headers and destination as the INVITE. */
export function cancelOf(invite: SipRequest): RequestDraft {
  const headers = new HeaderList();
  headers.append("max-forwards", "70");
  for (const route of invite.headers.all("route")) headers.append("route", route);
  for (const name of ["from", "to", "call-id"]) headers.append(name, invite.headers.get(name) ?? "");
  headers.append("cseq", `${invite.cseq.number} CANCEL`);
  return { method: "CANCEL", uri: invite.uri, headers, body: NO_BODY };
}
