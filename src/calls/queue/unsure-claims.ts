// Claims with an unknown outcome: the connection was lost during COMMIT, or the disk failed. Their calls were not
// dialled, and if the claim was stored, no other claim takes them. They go back to the queue, because hours may have
// passed: the rules must be asked again.
import { OutcomeUnknown } from "../../db/outcome-unknown.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/tables.ts";
import type { AskedCall } from "../../rules/question/asker.ts";
import { callById } from "../call/store.ts";
import type { CallRequest } from "../talks/dial-plan.ts";
import type { CallListener } from "../talks/talks.ts";
import type { TurnRound } from "./turns.ts";

export interface Claim {
  dials: CallRequest[];
  wordless: string[];
  /** Lateness of each call: time since it could first be dialled. */
  lateMs?: readonly number[];
  /** Calls to be asked about. If the claim's outcome is unknown, their hold ends and they are asked about later. */
  questions?: readonly AskedCall[];
  more: boolean;
  /** Number of calls that could be dialled if the carrier had capacity. */
  roomless: number;
  /** The time at which due calls were selected. */
  at: number;
  /** Turns of released calls, to be kept if the claim was stored. */
  turns?: Pick<TurnRound, "keep">;
}

const NOT_DIALLED = {
  kind: "failed",
  code: "infrastructure_error",
  message: "The database did not confirm in time that the call may be dialled.",
  putBack: true,
} as const;

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
   * Puts the calls of stored claims back, as soon as the database accepts writes again. It uses a write, because until
   * then a read in SQLite may not show them.
   */
  async giveBack(write: Database["write"], ended: CallListener["ended"]): Promise<void> {
    for (let claim = this.#unsure[0]; claim; claim = this.#unsure[0]) {
      const asked = [...claim.dials.map(({ line }) => line.callId), ...claim.wordless];
      const ids = await write((tx) => initiatedAmong(tx, asked));
      this.#unsure.shift();
      for (const id of ids) ended(id, NOT_DIALLED);
    }
  }
}

async function initiatedAmong(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const initiated = new Set<string>();
  for (const id of ids) if ((await callById(tx, id))?.state === "initiated") initiated.add(id);
  return initiated;
}
