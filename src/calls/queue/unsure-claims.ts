// Claims of which it is not known whether they were stored: the connection was lost while they were committed, or the
// disk failed. Their calls were not dialled, and where the database has them as claimed, no other claim will dial them.
import { OutcomeUnknown } from "../../db/outcome-unknown.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/tables.ts";
import { callById } from "../call/store.ts";
import type { CallRequest } from "../talks/dial-plan.ts";
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

  /**
   * What turned out to have been stored, as soon as the database takes commands again: until then a read of SQLite may
   * not tell.
   */
  async stored(write: Database["write"], begin: (claim: Claim) => void): Promise<void> {
    for (let claim = this.#unsure[0]; claim; claim = this.#unsure[0]) {
      const asked = [...claim.dials.map(({ line }) => line.callId), ...claim.wordless];
      const ids = await write((tx) => initiatedAmong(tx, asked));
      this.#unsure.shift();
      const dials = claim.dials.filter(({ line }) => ids.has(line.callId));
      begin({ dials, wordless: claim.wordless.filter((id) => ids.has(id)), more: false, roomless: 0, at: claim.at });
    }
  }
}

async function initiatedAmong(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const initiated = new Set<string>();
  for (const id of ids) if ((await callById(tx, id))?.state === "initiated") initiated.add(id);
  return initiated;
}
