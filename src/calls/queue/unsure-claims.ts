// Claims with an unknown outcome: the connection was lost during COMMIT, or the disk failed. Their calls were not
// dialled, and if the claim was stored, no other claim will dial them.
import { OutcomeUnknown } from "../../db/outcome-unknown.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/tables.ts";
import { callById } from "../call/store.ts";
import type { CallRequest } from "../talks/dial-plan.ts";
import type { TurnRound } from "./turns.ts";

export interface Claim {
  dials: CallRequest[];
  wordless: string[];
  /** Lateness of each call: time since it could first be dialled. */
  lateMs?: readonly number[];
  more: boolean;
  /** Number of calls that could be dialled if the carrier had capacity. */
  roomless: number;
  /** The time at which due calls were selected. */
  at: number;
  /** Turns of released calls, to be kept if the claim was stored. */
  turns?: Pick<TurnRound, "keep">;
}

export class UnsureClaims {
  readonly #unsure: Claim[] = [];
  /** Claim of the latest attempt. */
  #last: Claim | null = null;

  /** `write` runs the claim, with retries. */
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
   * Dials the claims that were stored, as soon as the database accepts writes again. It uses a write, because until
   * then a read in SQLite may not show them.
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
