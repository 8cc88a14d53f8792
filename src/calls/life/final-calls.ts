// Who wants to know when a call is over for good, however it ended: they are told inside the transaction that ends it, so that
// what they write down commits with the end or not at all. The composition root registers them (services.ts).
import type { CallRow, Tx } from "../../db/tables.ts";
import type { CallEnd } from "./call-end.ts";

export interface FinalCall {
  /** As it is now: completed, failed, cancelled or disallowed. */
  call: CallRow;
  /** What line and agent reported; null where it was never dialled. By the rules alone, also where a model is still asked. */
  end: CallEnd | null;
}

/** One that throws undoes the end of the call, which is then tried again: it must not throw for what it does not care about. */
export type FinalCallWatcher = (tx: Tx, final: FinalCall) => Promise<void>;

export interface FinalCalls {
  watch(watcher: FinalCallWatcher): void;
  tell(tx: Tx, call: CallRow, end?: CallEnd | null): Promise<void>;
}

export function createFinalCalls(): FinalCalls {
  const watchers: FinalCallWatcher[] = [];
  return {
    watch(watcher) {
      watchers.push(watcher);
    },
    async tell(tx, call, end = null) {
      for (const watcher of watchers) await watcher(tx, { call, end });
    },
  };
}
