// Ends calls that an earlier process left open at a trunk: sends a BYE for each as soon as the trunk is reachable.
import type { Clock } from "../../../core/clock.ts";
import type { Logger } from "../../../core/logger.ts";
import { dialogRequest, type KeptDialog } from "./dialog.ts";
import { sendSigned } from "../trunk/signed-request.ts";
import type { Transactions } from "../transaction/transactions.ts";
import type { Trunk } from "../trunk/trunk-port.ts";

export interface Goodbyes {
  say(dialogs: readonly KeptDialog[]): void;
  /** A trunk changed state: it may be reachable now. */
  trunkChanged(): void;
  stop(): void;
}

export interface GoodbyesOptions {
  clock: Clock;
  logger: Logger;
  transactions: Transactions;
  find: (trunkId: string) => Trunk | undefined;
}

/** By then the session timer has ended them. */
const GIVE_UP_MS = 300_000;
/**
 * More requests than a call sends, so the CSeq exceeds any sent after the dialog was stored (RFC 3261, section
 * 12.2.1.1).
 */
const CSEQ_GAP = 1_000;

export function createGoodbyes({ clock, logger, transactions, find }: GoodbyesOptions): Goodbyes {
  let waiting: KeptDialog[] = [];
  let cancelGivingUp = () => {};

  function sayTo(trunk: Trunk, { dialog }: KeptDialog): void {
    const flow = trunk.flowFor(dialog);
    if (!flow) return;
    const left = { ...dialog, localCSeq: dialog.localCSeq + CSEQ_GAP };
    // 481 and a timeout are as good as 200: the trunk no longer has the call.
    const handlers = { final() {}, failed() {} };
    const draft = dialogRequest(left, "BYE");
    draft.headers.append("reason", 'SIP;text="restarted"');
    const { credentials } = trunk;
    sendSigned({ transactions, credentials, flow, draft, nextCSeq: () => ++left.localCSeq, handlers });
  }

  function trunkChanged(): void {
    if (waiting.length === 0) return;
    const all = waiting;
    waiting = [];
    for (const one of all) {
      const trunk = find(one.trunkId);
      const state = trunk?.state();
      if (trunk && state && state.state !== "down" && state.address !== null) sayTo(trunk, one);
      else waiting.push(one);
    }
    const said = all.length - waiting.length;
    if (said > 0) logger.info("calls that were left standing at a trunk are ended there", { calls: said });
  }

  return {
    say(dialogs) {
      waiting.push(...dialogs);
      cancelGivingUp();
      cancelGivingUp = clock.after(GIVE_UP_MS, () => (waiting = []));
      trunkChanged();
    },
    trunkChanged,
    stop() {
      waiting = [];
      cancelGivingUp();
    },
  };
}
