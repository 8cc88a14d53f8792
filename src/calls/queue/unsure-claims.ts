// Claims of which it is not known whether they were stored: the connection was lost while they were committed. Nobody has dialled
// their calls, and where the database has them as claimed, nobody else will.
import { OutcomeUnknown } from "../../db/outcome-unknown.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import { callById } from "../store.ts";
import type { CallRequest } from "./dial-plan.ts";
import type { TurnRound } from "./turns.ts";

export interface Claim {
  dials: CallRequest[];
  wordless: string[];
  /** How long after the moment from which each could have gone out. */
  lateMs?: readonly number[];
  more: boolean;
  /** Calls that could be dialled, had the carrier made room for them. */
  roomless: number;
  /** The time by which it judged what was due. */
  at: number;
  /** Turns of released calls, to be kept where the claim was stored. */
  turns?: Pick<TurnRound, "keep">;
}

export class UnsureClaims {
  readonly #unsure: Claim[] = [];
  /** Of the try that was made last. */
  #last: Claim | null = null;

  /** `write` makes one claim, with as many tries as it takes. */
  async claim(write: (command: (tx: Tx) => Promise<Claim>) => Promise<Claim>, claim: (tx: Tx) => Promise<Claim>) {
    try {
      return await write(async (tx) => {
        this.#last = null;
        this.#last = await claim(tx);
        return this.#last;
      });
    } catch (error) {
      if (error instanceof OutcomeUnknown && this.#last) this.#unsure.push(this.#last);
      throw error;
    }
  }

  /** What turned out to have been stored, as soon as the database answers again. */
  async stored(reader: Executor, begin: (claim: Claim) => void): Promise<void> {
    for (let claim = this.#unsure[0]; claim; claim = this.#unsure[0]) {
      const ids = new Set<string>();
      for (const id of [...claim.dials.map(({ line }) => line.callId), ...claim.wordless])
        if ((await callById(reader, id))?.state === "initiated") ids.add(id);
      this.#unsure.shift();
      const dials = claim.dials.filter(({ line }) => ids.has(line.callId));
      begin({ dials, wordless: claim.wordless.filter((id) => ids.has(id)), more: false, roomless: 0, at: claim.at });
    }
  }
}
