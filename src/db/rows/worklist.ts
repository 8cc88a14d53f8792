// Rows of the worklist, of notes about people who are called, and of saved filters.

export interface WorklistItemRow {
  id: string;
  organisation_id: string;
  /** See worklist/kinds.ts. */
  kind: string;
  /** A call, trunk, endpoint or campaign. */
  subject_id: string;
  detail: string | null;
  created_at: number;
  done_at: number | null;
  done_by: string | null;
}

export interface ContactNoteRow {
  id: string;
  organisation_id: string;
  contact_number: string;
  text: string;
  /** Who wrote it. */
  person_id: string;
  created_at: number;
}

export interface SavedFilterRow {
  id: string;
  organisation_id: string;
  person_id: string;
  name: string;
  /** JSON object. */
  filters: string;
  created_at: number;
}
