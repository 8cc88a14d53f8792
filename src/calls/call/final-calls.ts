// Registry of watchers for final calls. Watchers run in the transaction that ends the call, so their writes commit with
// the end or not at all. compose/watchers.ts registers them.
import type { Tx } from "../../db/tables.ts";
import type { CallEnd } from "./call-end.ts";
import type { Call } from "./records.ts";

export interface FinalCall {
  /** The call in its final state: completed, failed, cancelled or disallowed. */
  call: Call;
  /**
   * Report of line and agent; null if the call was never dialled. Contains the analysis by rules, even while a model's
   * analysis is pending.
   */
  end: CallEnd | null;
}

/**
 * A watcher that throws rolls back the end of the call, which is then retried. It must not throw for calls that are not
 * its concern.
 */
export interface FinalCallWatcher<Seen> {
  /**
   * Reads the watcher's data, concurrently with the other watchers and mostly before the end of the call is written.
   */
  look(tx: Tx, call: Call): Promise<Seen>;
  /** Returns true if the watcher calls the person again. `isCalledAgain`: an earlier watcher already does. */
  ended(tx: Tx, final: FinalCall, seen: Seen, isCalledAgain: boolean): Promise<boolean | void>;
}

/** Notifies the watchers in order of registration. */
export type TellEnd = (call: Call, end: CallEnd | null) => Promise<void>;

export interface FinalCalls {
  watch<Seen>(watcher: FinalCallWatcher<Seen>): void;
  /** Reads the data of all watchers concurrently. */
  look(tx: Tx, call: Call): Promise<TellEnd>;
  tell(tx: Tx, call: Call): Promise<void>;
}

export function createFinalCalls(): FinalCalls {
  type Tell = (final: FinalCall, isCalledAgain: boolean) => Promise<boolean | void>;
  const looks: ((tx: Tx, call: Call) => Promise<Tell>)[] = [];

  async function look(tx: Tx, call: Call): Promise<TellEnd> {
    const tells = await Promise.all(looks.map((each) => each(tx, call)));
    return async (ended, end) => {
      let isCalledAgain = false;
      for (const tell of tells) if (await tell({ call: ended, end }, isCalledAgain)) isCalledAgain = true;
    };
  }

  return {
    watch(watcher) {
      looks.push(async (tx, call) => {
        const seen = await watcher.look(tx, call);
        return (final, isCalledAgain) => watcher.ended(tx, final, seen, isCalledAgain);
      });
    },
    look,
    async tell(tx, call) {
      await (
        await look(tx, call)
      )(call, null);
    },
  };
}
