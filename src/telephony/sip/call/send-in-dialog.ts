// A request of ours inside a call: by the way that the call goes, signed, with the dialog's next number.
import type { CallContext } from "./call-context.ts";
import type { Dialog } from "./dialog.ts";
import type { RequestDraft } from "../message/message.ts";
import type { ClientHandlers } from "../transaction/client-transaction.ts";
import { sendSigned, type SignedRequest } from "../trunk/signed-request.ts";

/** Null where there is no way now; `failed` is told a moment later. */
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
