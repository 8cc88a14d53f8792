// Requests open audio ports from the worker before calls are dialled.
import { SECOND_MS, type Clock } from "../../../core/clock.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";

export interface Room {
  /** For how many of these calls there are ports. 0 if the worker does not answer in time. */
  ask(calls: number): Promise<number>;
  answered(answer: Extract<FromWorker, { type: "held" }>): void;
  /** There is no worker: all pending requests get 0. */
  lost(): void;
}

/** Each port takes well under a millisecond; a pending request delays everything else that is due. */
const LONGEST_WAIT_MS = SECOND_MS;

export function createRoom(clock: Clock, post: (message: ToWorker) => void): Room {
  const open = new Map<number, (calls: number) => void>();
  let lastAskId = 0;

  function settle(askId: number, calls: number): void {
    const tell = open.get(askId);
    open.delete(askId);
    tell?.(calls);
  }

  return {
    ask: (calls) =>
      new Promise((resolve) => {
        const askId = ++lastAskId;
        const cancelLimit = clock.after(LONGEST_WAIT_MS, () => settle(askId, 0));
        open.set(askId, (held) => {
          cancelLimit();
          resolve(held);
        });
        post({ type: "hold", askId, calls });
      }),
    answered: ({ askId, calls }) => settle(askId, calls),
    lost() {
      for (const askId of open.keys()) settle(askId, 0);
    },
  };
}
