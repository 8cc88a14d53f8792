// The contact's answer about their appointment in a call.

export type ContactAnswer = "confirmed" | "change_requested" | "cancelled" | "withdrawn";

export interface CallAnswer {
  callId: string;
  answer: ContactAnswer;
  /** With a change request: the time that was asked for. */
  wishText?: string | null;
}
