// What commits with an act: the service runs it inside its own transactions, with what will be answered.
import type { Tx } from "./tables.ts";

export type Alongside<Data> = (tx: Tx, data: Data) => Promise<void>;

/**
 * How far an act of several transactions has come. It is kept under the Idempotency-Key, so that a repeat goes on
 * there.
 */
export interface Progress {
  /** Where an earlier request with the same key stopped; null where there was none. */
  readonly from: number | null;
  keep(tx: Tx, upTo: number): Promise<void>;
}

export const NO_PROGRESS: Progress = { from: null, keep: async () => {} };
