// Calls whose host failed, until there is a way to another.
import type { Clock } from "../../../core/clock.ts";
import type { Flow } from "../transport/flow.ts";

type Then = (flow: Flow | null) => void;

export interface WaitingCalls {
  /** Told once: the way, or null where there is none, or none in time. */
  add(then: Then): void;
  tell(flow: Flow | null): void;
}

/** A connection to another host, with its handshake, and one more after it. */
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
