// A request that belongs to no call, to the host that a trunk uses now. Where the host does not answer it, and another
// could, the trunk moves on, and whoever asked asks there anew.
import type { Clock } from "../../../core/clock.ts";
import { retryAfterMs } from "../message/header-fields.ts";
import type { SipResponse } from "../message/message.ts";
import type { Reach } from "./reach.ts";
import { sendSigned, type SignedRequestOptions } from "./signed-request.ts";

export interface HostRequestOptions extends SignedRequestOptions {
  clock: Clock;
  reach: Pick<Reach, "flow" | "moveOn" | "answered">;
  /** Whether its failure moves the trunk; OPTIONS has its own judge. */
  mayMove: boolean;
  /** By the host that is still used. */
  answered: (response: SipResponse) => void;
}

/** Where there is another host to try, nobody waits half a minute for one that is silent. */
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
        // What a host says that was left has become old.
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
