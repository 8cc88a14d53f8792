// Rows of the log of changes, which triggers write.

export interface ChangeRow {
  /** Grows by one with every change, in the order of the commits. */
  sequence: number;
  organisation_id: string;
  kind: "call" | "appointment" | "campaign" | "window" | "worklist" | "waiting";
  subject_id: string;
}
