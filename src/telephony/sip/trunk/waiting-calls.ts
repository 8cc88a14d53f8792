// Calls whose host failed, waiting for a flow to another.
import type { Clock } from "../../../core/clock.ts";
import type { Flow } from "../transport/flow.ts";

type Then = (flow: Flow | null) => void;

export interface WaitingCalls {
  /** Called once: with the flow, or null if there is none or on timeout. */
  add(then: Then): void;
  tell(flow: Flow | null): void;
}

/** Time for a connection to another host with its handshake, and for one more. */
const PATIENCE_MS = 12_000;

export function createWaitingCalls(clock: Clock): WaitingCalls {
  const waiting = new Set<Then>();
  return {
    add(then) {
      const cancel = clock.after(PATIENCE_MS, () => told(null));
      const told = (flow: Flow | null) => {
        cancel();
        if (waiting.delete(told)) then(flow);
      };
      waiting.add(told);
    },
    tell(flow) {
      for (const told of waiting) told(flow);
    },
  };
}
