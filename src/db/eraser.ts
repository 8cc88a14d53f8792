// A module's part in erasing a call: it removes its own copies of personal data, in the erasure's transaction.
import type { Tables, Tx } from "./tables.ts";

export interface Eraser {
  /** The module's tables with data about the person called. A test compares them with the columns that are personal. */
  tables: readonly (keyof Tables)[];
  /** `youngest`: records beside the call that were made after this moment are kept by the least retention. */
  eraseCall(tx: Tx, callId: string, youngest: number): Promise<void>;
  /** Removes data besides calls when the whole person is erased. */
  eraseContact?(tx: Tx, organisationId: string, number: string, now: number): Promise<void>;
}
