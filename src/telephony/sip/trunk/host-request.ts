// Sends an out-of-call request to the trunk's current host. If the host does not respond and another is available, the
// trunk fails over, and the requester retries there.
import type { Clock } from "../../../core/clock.ts";
import { retryAfterMs } from "../message/header-fields.ts";
import type { SipResponse } from "../message/message.ts";
import type { Reach } from "./reach.ts";
import { sendSigned, type SignedRequestOptions } from "./signed-request.ts";

export interface HostRequestOptions extends SignedRequestOptions {
  clock: Clock;
  reach: Pick<Reach, "flow" | "moveOn" | "answered">;
  /** Whether its failure triggers a failover; OPTIONS has its own policy. */
  mayMove: boolean;
  /** Called for responses of the current host only. */
  answered: (response: SipResponse) => void;
}

/** Shorter than the transaction timeout of 32 s if there is another host to try. */
const PATIENCE_MS = 5_000;

export function sendToHost({ clock, reach, mayMove, answered, handlers, ...request }: HostRequestOptions): void {
  const { flow } = request;
  const isLeft = () => flow !== reach.flow();
  const moves = (restMs?: number) => mayMove && (isLeft() || reach.moveOn(flow, restMs));
  const cancelPatience = mayMove ? clock.after(PATIENCE_MS, () => void reach.moveOn(flow)) : () => {};
  sendSigned({
    ...request,
    handlers: {
      ...handlers,
      final(response) {
        cancelPatience();
        // Responses of a host that was left are outdated.
        if (mayMove && isLeft()) return;
        if (response.status === 503 && moves(retryAfterMs(response))) return;
        if (response.status < 500 && response.status !== 408) reach.answered(flow);
        if (!isLeft()) answered(response);
        handlers.final(response);
      },
      failed(reason, detail) {
        cancelPatience();
        if (!moves()) handlers.failed(reason, detail);
      },
    },
  });
}
