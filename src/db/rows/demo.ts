// Rows of the demo hospital: its invented past, and what its own receiver was sent.
import type { Generated, Selectable } from "kysely";

export interface DemoHistoryRow {
  organisation_id: string;
  begins_at: number;
  made_until: number;
  /** 0 or 1. */
  is_whole: number;
}

export interface DemoReceivedRow {
  id: Generated<number>;
  organisation_id: string;
  event_id: string;
  received_at: number;
  /** JSON: pairs of name and value. */
  headers: string;
  body: string;
  verdict: "verified" | "unsigned" | "wrong_signature" | "too_old";
}

/** As it is read. */
export type DemoReceived = Selectable<DemoReceivedRow>;
