// State of a call for a language model; its tools and prompt derive from it.
import type { ApprovedAnswer } from "../../payloads/approved-answer.ts";
import type { Question } from "../conversation/model.ts";
import type { KnownAppointment, SlotOffer } from "../../calendar/desk-port.ts";

/** State of the conversation table. */
export interface Standing {
  question: Question;
  appointment: KnownAppointment | null;
  offers: readonly SlotOffer[];
  canBook: boolean;
  canWait?: boolean;
  hasPlace?: boolean;
  canTransfer: boolean;
  isOutbound: boolean;
  /** Result of the call so far; null while nothing is settled. */
  settled: string | null;
  /** Approved answers available for choice. */
  answers?: readonly ApprovedAnswer[];
  /** Details the owner wants to know. */
  details?: readonly { name: string; description: string }[];
}
