// Rows of days that are closed, of what becomes of whoever was booked there, and of calendar feeds.
import type { Actor } from "../../core/actor.ts";
import type { WindowStatus } from "./calendar.ts";

export type ClosureState = "closing" | "moving" | "calling" | "closed" | "reopening" | "reopened";
export type ClosureChoice = "move" | "call" | "leave";

export interface ClosureRow {
  id: string;
  organisation_id: string;
  name: string | null;
  from_date: string;
  to_date: string;
  /** Only this window; all of the branches' where null. */
  window_id: string | null;
  state: ClosureState;
  /** For whoever was not chosen for. */
  otherwise: ClosureChoice;
  agent_id: string | null;
  campaign_id: string | null;
  actor_kind: Actor["kind"];
  actor_id: string | null;
  created_at: number;
  updated_at: number;
}

export interface ClosureBranchRow {
  closure_id: string;
  branch_id: string;
}

export interface ClosureDateRow {
  closure_id: string;
  window_id: string;
  date: string;
  status_before: WindowStatus | null;
}

export interface ClosurePersonRow {
  closure_id: string;
  appointment_id: string;
  /** Where they were booked. */
  window_id: string;
  date: string;
  choice: ClosureChoice;
  /** The next free place where null. */
  to_window_id: string | null;
  to_date: string | null;
  state: "waiting" | "done" | "refused" | "gone";
}

export interface CalendarFeedRow {
  id: string;
  organisation_id: string;
  branch_id: string;
  token_hash: string;
  people: "none" | "initials" | "names";
  created_at: number;
}
