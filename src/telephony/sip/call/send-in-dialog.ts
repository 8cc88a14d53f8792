// Sends an in-dialog request over the call's flow, with credentials and the dialog's next CSeq.
import type { CallContext } from "./call-context.ts";
import type { Dialog } from "./dialog.ts";
import type { RequestDraft } from "../message/message.ts";
import type { ClientHandlers } from "../transaction/client-transaction.ts";
import { sendSigned, type SignedRequest } from "../trunk/signed-request.ts";

/** Null if there is no flow now; `failed` is called in a later turn. */
export function sendInDialog(
  context: CallContext,
  dialog: Dialog,
  draft: RequestDraft,
  handlers: ClientHandlers,
): SignedRequest | null {
  const { clock, transactions, trunk } = context;
  const flow = trunk.flowFor(dialog, context.home);
  if (!flow) {
    clock.after(0, () => handlers.failed("transport", "the trunk has no address"));
    return null;
  }
  const { credentials } = trunk;
  return sendSigned({ transactions, credentials, flow, draft, nextCSeq: () => ++dialog.localCSeq, handlers });
}
