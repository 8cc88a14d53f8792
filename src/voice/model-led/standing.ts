// Where a call stands when a language model is asked: what its tools and its prompt are made from.
import type { ApprovedAnswer } from "../../payloads/approved-answer.ts";
import type { Question } from "../conversation/model.ts";
import type { KnownAppointment, SlotOffer } from "../port.ts";

/** Where the call stands, by the conversation's table. */
export interface Standing {
  question: Question;
  appointment: KnownAppointment | null;
  offers: readonly SlotOffer[];
  canBook: boolean;
  canWait?: boolean;
  hasPlace?: boolean;
  canTransfer: boolean;
  isOutbound: boolean;
  /** What the call came to by now; null while nothing is settled. */
  settled: string | null;
  /** The owner's answers that can be chosen. */
  answers?: readonly ApprovedAnswer[];
  /** What the owner wants to know. */
  details?: readonly { name: string; description: string }[];
}
