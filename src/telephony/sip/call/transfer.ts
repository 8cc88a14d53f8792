// Blind transfer: REFER, and the NOTIFYs that report its progress (RFC 3515).
import type { CallContext } from "./call-context.ts";
import { dialogRequest, type Dialog } from "./dialog.ts";
import { replyTo } from "../transaction/reply.ts";
import { sendInDialog } from "./send-in-dialog.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { isExtension } from "../message/uri.ts";
import type { TransferProgress } from "./user-agent-port.ts";

export interface Transfer {
  /** A NOTIFY inside the call. */
  notified(transaction: ServerTransaction): void;
  /**
   * The peer hung up. False if the transfer was already decided; otherwise `decided` is called with the result, or
   * after a timeout without one.
   */
  left(decided: () => void): boolean;
  stop(): void;
}

export interface TransferOptions {
  context: CallContext;
  dialog: Dialog;
  /** A number, or a URI with its scheme. */
  target: string;
  progress: (step: TransferProgress) => void;
}

/** A telephone rings about this long; a peer that never reports must not leave the caller waiting. */
const LONGEST_TRANSFER_MS = 90_000;
/** Exchanges that hang up first report a wrong extension immediately, and a ringing telephone much later. */
const TOLD_AFTER_GOODBYE_MS = 2_000;

export function startTransfer({ context, dialog, target, progress }: TransferOptions): Transfer {
  let isOver = false;
  let isAccepted = false;
  let whenDecided = () => {};
  const finish = (step: TransferProgress) => {
    if (isOver) return;
    isOver = true;
    cancelLimit();
    progress(step);
    whenDecided();
  };
  let cancelLimit = context.clock.after(LONGEST_TRANSFER_MS, () => finish({ state: "refused", sipCode: null }));

  const isUri = /^sips?:/i.test(target);
  const uri = isUri ? target : context.trunk.uriOf(target);
  if (!isUri && !isExtension(target) && !context.trunk.allows(target)) {
    // The trunk would dial the number at our cost.
    finish({ state: "refused", sipCode: null });
    return {
      notified: (transaction) => transaction.respond(replyTo(transaction.request, 489)),
      left: () => false,
      stop() {},
    };
  }
  const draft = dialogRequest(dialog, "REFER");
  draft.headers.append("refer-to", `<${uri}>`);
  draft.headers.append("referred-by", dialog.localAddress);
  draft.headers.append("contact", context.trunk.contact());
  sendInDialog(context, dialog, draft, {
    final(response) {
      if (response.status >= 300) finish({ state: "refused", sipCode: response.status });
      else if (!isOver) {
        isAccepted = true;
        progress({ state: "accepted", sipCode: response.status });
      }
    },
    failed: () => finish({ state: "refused", sipCode: null }),
  });

  return {
    notified(transaction) {
      const asked = transaction.request;
      const isReport = /^refer\b/i.test(asked.headers.get("event") ?? "");
      transaction.respond(replyTo(asked, isReport ? 200 : 489));
      const [, digits] = /^SIP\/2\.0 (\d{3})/.exec(asked.body.toString("latin1", 0, 100)) ?? [];
      if (!isReport || digits === undefined || isOver) return;
      const sipCode = Number(digits);
      if (sipCode >= 300) finish({ state: "refused", sipCode });
      else if (sipCode >= 200) finish({ state: "answered", sipCode });
      // The subscription ended without a result.
      else if (/^terminated\b/i.test(asked.headers.get("subscription-state") ?? ""))
        finish({ state: "refused", sipCode: null });
      else progress({ state: sipCode >= 180 ? "ringing" : "trying", sipCode });
    },
    left(decided) {
      if (isOver) return false;
      cancelLimit();
      whenDecided = decided;
      progress({ state: "left", sipCode: null });
      cancelLimit = context.clock.after(TOLD_AFTER_GOODBYE_MS, () =>
        finish({ state: isAccepted ? "taken" : "refused", sipCode: null }),
      );
      return true;
    },
    stop() {
      isOver = true;
      cancelLimit();
    },
  };
}
