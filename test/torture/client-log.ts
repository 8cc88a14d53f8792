// Log of the client's requests and their answers, kept outside the appliance: it defines what must exist in the end.

/** A call that was asked for, over as many attempts as it took to hear an answer. */
export interface AskedCall {
  /** Nobody else's number: by it the call is found again. */
  number: string;
  isKeyed: boolean;
  /** Of every 201. */
  ids: string[];
  /** An attempt ended without an answer: it may have been done. */
  isOpen: boolean;
  cancel: "none" | "done" | "open";
}

export const ABSENT = "absent";
export const CANCELLED = "cancelled";

/** An appointment, with every state that it may be in after what was answered so far. */
export interface AskedBooking {
  /** Nobody else's name. */
  name: string;
  id: string | null;
  /** Slots, ABSENT or CANCELLED. One alone where every answer came. */
  may: string[];
}

export interface ClientLog {
  calls: AskedCall[];
  bookings: AskedBooking[];
  /** Answers that the contract does not know, in words. */
  surprises: string[];
  requests: number;
  silences: number;
  refusals: number;
  reads: number;
}

export function emptyLog(): ClientLog {
  return { calls: [], bookings: [], surprises: [], requests: 0, silences: 0, refusals: 0, reads: 0 };
}
