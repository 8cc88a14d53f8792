// Rows of branches, services, windows, appointments and holds.

export interface BranchRow {
  organisation_id: string;
  id: string;
  name: string | null;
  /** The organisation's own where null. */
  time_zone: string | null;
  created_at: number;
  updated_at: number;
  /** No list offers it any more. */
  archived_at: number | null;
}

export interface AppointmentTypeRow {
  organisation_id: string;
  id: string;
  name: string | null;
  created_at: number;
  updated_at: number;
}

export type WindowStatus = "OPEN" | "CLOSED";
export type DaySession = "Morning" | "Afternoon" | "Evening";

export interface WindowRow {
  id: string;
  organisation_id: string;
  branch_id: string;
  day: string;
  session: DaySession;
  batch: string | null;
  /** HH:MM in the branch's zone. */
  start_time: string;
  end_time: string;
  appointment_type_id: string | null;
  max_slots: number;
  ai_slots: number;
  status: WindowStatus;
  created_at: number;
  updated_at: number;
}

export interface WindowDateRow {
  window_id: string;
  date: string;
  max_slots: number | null;
  ai_slots: number | null;
  status: WindowStatus | null;
  filled: number;
  ai_filled: number;
  updated_at: number;
}

export type AppointmentStatus = "confirmed" | "completed" | "cancelled" | "no_show";

export interface AppointmentRow {
  id: string;
  organisation_id: string;
  window_id: string;
  branch_id: string;
  date: string;
  start_time: string;
  end_time: string;
  batch: string | null;
  appointment_type_id: string | null;
  status: AppointmentStatus;
  contact_name: string | null;
  contact_number: string | null;
  contact_email: string | null;
  notes: string | null;
  source: "ai" | "api" | "dashboard";
  call_id: string | null;
  created_at: number;
  updated_at: number;
  cancelled_at: number | null;
  completed_at: number | null;
  /** The contact said that they will come, or asked for another time. */
  contact_confirmed_at: number | null;
  change_requested_at: number | null;
  /** The contact moved or cancelled it themselves, on the telephone. */
  contact_moved_at: number | null;
  contact_cancelled_at: number | null;
  /** Retention took out who it was. Null again once something is added. */
  contact_forgotten_at: number | null;
  /** Staff, or the hospital's own system, moved it: since then it takes no place of the agent's share. */
  moved_by_hand_at: number | null;
}

export interface SlotHoldRow {
  id: string;
  window_id: string;
  date: string;
  call_id: string;
  expires_at: number;
}
