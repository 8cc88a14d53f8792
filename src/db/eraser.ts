// What a room does when a call is erased: it takes its own copies of the person out, in the erasure's transaction.
import type { Tables, Tx } from "./tables.ts";

export interface Eraser {
  /** The room's tables that tell of whoever was called. A test compares them with the columns that are personal. */
  tables: readonly (keyof Tables)[];
  eraseCall(tx: Tx, callId: string): Promise<void>;
  /** What is left of a person beside their calls, when they are erased as a whole. */
  eraseContact?(tx: Tx, organisationId: string, number: string, now: number): Promise<void>;
}
