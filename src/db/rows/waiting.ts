// Rows of the waiting list: who waits, what is offered, which places have opened.
import type { AppointmentRow } from "./calendar.ts";

export type WaitingState = "waiting" | "offered" | "booked" | "left" | "removed" | "expired";

export interface WaitingRow {
  id: string;
  organisation_id: string;
  branch_id: string;
  /** Null: any service of the branch. */
  appointment_type_id: string | null;
  /** Who calls; null: nobody yet. */
  agent_id: string | null;
  contact_name: string | null;
  contact_number: string;
  contact_email: string | null;
  /** YYYY-MM-DD in the branch's zone, both included. */
  from_date: string;
  to_date: string;
  /** Names of sessions with a space in between; empty: any. */
  sessions: string;
  notes: string | null;
  state: WaitingState;
  source: AppointmentRow["source"];
  /** The call in which they were put on the list. */
  call_id: string | null;
  appointment_id: string | null;
  created_at: number;
  updated_at: number;
}

/** `undialled`: the call could not go out in time, so nobody was asked. */
export type WaitingOfferState = "calling" | "booked" | "declined" | "left" | "unanswered" | "undialled";

export interface WaitingOfferRow {
  id: string;
  organisation_id: string;
  entry_id: string;
  window_id: string;
  date: string;
  call_id: string;
  state: WaitingOfferState;
  offered_at: number;
  ended_at: number | null;
}

export interface WaitingOpeningRow {
  window_id: string;
  /** Empty: each date of the window. */
  date: string;
  organisation_id: string;
  opened_at: number;
  /** When to look at it next. */
  next_at: number;
}
