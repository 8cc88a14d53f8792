// The row that says how far the database has come; see db/lineage/.

export interface LineageRow {
  line: string;
  beat: number;
  beat_at: number;
  folder: string;
  /** 0 or 1. */
  is_stopped: number;
  behind_at: number | null;
  behind_since: number | null;
}
