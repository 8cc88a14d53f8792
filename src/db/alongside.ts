// A callback that commits with an operation: the service runs it inside its own transaction, with the response data.
import type { Tx } from "./tables.ts";

export type Alongside<Data> = (tx: Tx, data: Data) => Promise<void>;

/**
 * Progress of an operation that spans several transactions. It is stored under the Idempotency-Key, so a retry resumes
 * there.
 */
export interface Progress {
  /** Where an earlier request with the same key stopped; null if there was none. */
  readonly from: number | null;
  keep(tx: Tx, upTo: number): Promise<void>;
}

export const NO_PROGRESS: Progress = { from: null, keep: async () => {} };
