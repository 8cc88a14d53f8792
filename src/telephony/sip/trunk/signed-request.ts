// Sends a request with credentials, and retries with a new CSeq when it is challenged (RFC 3261, section 22).
import type { ClientHandlers, ClientTransaction } from "../transaction/client-transaction.ts";
import { WRONG_PASSWORD, type Credentials } from "./credentials.ts";
import type { RequestDraft } from "../message/message.ts";
import type { Transactions } from "../transaction/transactions.ts";
import type { Flow } from "../transport/flow.ts";

export interface SignedRequestOptions {
  transactions: Transactions;
  credentials: Credentials;
  flow: Flow;
  draft: RequestDraft;
  /** CSeq of a retry. */
  nextCSeq: () => number;
  handlers: ClientHandlers & {
    /** Called in addition to `final` if a 401 or 407 ended it: advice for the reader. */
    unauthorised?(advice: string): void;
  };
}

export interface SignedRequest {
  /** The current attempt: CANCEL and ACK must match it. */
  readonly current: ClientTransaction;
}

/** A server and a proxy may each challenge once, and each nonce may be stale once. */
const MOST_TRIES = 5;

export function sendSigned(options: SignedRequestOptions): SignedRequest {
  const { transactions, credentials, flow, draft, nextCSeq, handlers } = options;
  let tries = 0;
  /** Nonces first seen in a challenge to this request. */
  let freshlySigned = 0;

  function attempt(current: RequestDraft): ClientTransaction {
    tries += 1;
    credentials.sign(current, flow.remote);
    return transactions.request(current, flow, {
      ...(handlers.provisional && { provisional: (response) => handlers.provisional?.(response) }),
      failed: (reason, detail) => handlers.failed(reason, detail),
      final(response) {
        if (response.status !== 401 && response.status !== 407) {
          credentials.accepted(response, current, flow.remote);
          handlers.final(response);
          return;
        }
        const isStale = /stale\s*=\s*"?true/i.test(
          `${response.headers.get("www-authenticate")} ${response.headers.get("proxy-authenticate")}`,
        );
        const refusal = credentials.challenged(response, current, flow.remote);
        if (!isStale) freshlySigned += 1;
        // Two legitimate rounds: one for the server, one for a proxy. A third without `stale` means a wrong password.
        const advice = refusal ?? (freshlySigned > 2 || tries >= MOST_TRIES ? WRONG_PASSWORD : null);
        if (advice !== null) {
          handlers.unauthorised?.(advice);
          handlers.final(response);
          return;
        }
        const next = { ...current, headers: current.headers.copy() };
        next.headers.set("cseq", `${nextCSeq()} ${current.method}`);
        transaction = attempt(next);
      },
    });
  }

  let transaction = attempt(draft);
  return {
    get current() {
      return transaction;
    },
  };
}
