// Rows of the log of changes. Triggers write them, but for those in noted-changes.ts.
import type { Generated, Selectable } from "kysely";

export interface ChangeTable {
  /** Grows by one with every change, in the order of the commits. */
  sequence: Generated<number>;
  organisation_id: string;
  kind: "call" | "appointment" | "campaign" | "window" | "worklist" | "waiting";
  subject_id: string;
}

export type ChangeRow = Selectable<ChangeTable>;
