// Rows of notes about people who are called, and of saved filters.

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
