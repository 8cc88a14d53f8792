// Who wants to know when a call is over for good, however it ended: they are told inside the transaction that ends it,
// so that what they write down commits with the end or not at all. compose/watchers.ts registers them.
import type { Tx } from "../../db/tables.ts";
import type { CallEnd } from "./call-end.ts";
import type { Call } from "./records.ts";

export interface FinalCall {
  /** As it is now: completed, failed, cancelled or disallowed. */
  call: Call;
  /**
   * What line and agent reported; null where it was never dialled. By the rules alone, also where a model is still
   * asked.
   */
  end: CallEnd | null;
}

/**
 * One that throws undoes the end of the call, which is then tried again: it must not throw for what it does not care
 * about.
 */
export interface FinalCallWatcher<Seen> {
  /**
   * What it has to know. It is asked for together with what the others have to know, mostly before the end of the call
   * is written.
   */
  look(tx: Tx, call: Call): Promise<Seen>;
  /** Answers true where it calls the person again. `isCalledAgain`: a watcher before it does. */
  ended(tx: Tx, final: FinalCall, seen: Seen, isCalledAgain: boolean): Promise<boolean | void>;
}

/** Tells each watcher of the end, in the order in which they were registered. */
export type TellEnd = (call: Call, end: CallEnd | null) => Promise<void>;

export interface FinalCalls {
  watch<Seen>(watcher: FinalCallWatcher<Seen>): void;
  /** Asks what every watcher has to know, all at once. */
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
