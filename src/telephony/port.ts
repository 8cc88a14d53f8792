// What a carrier can do and what it reports. The simulator and SIP are carriers; both pass the same contract test.
import type { CallAnalytics, Utterance } from "../events/model.ts";

/** A place that the agent may offer. It is kept for the caller for 90 seconds. */
export interface SlotOffer {
  /** A, B, C: the conversation chooses among labels and never sees an id or makes up a date. */
  label: string;
  /** YYYY-MM-DD and HH:MM in the branch's own time. */
  date: string;
  startTime: string;
  endTime: string;
}

/** What the agent can do with the calendar while it talks. */
export interface BookingDesk {
  /** The next open places, at most `most`. What was offered before is let go. */
  offer(most: number): Promise<SlotOffer[]>;
  /** Null where the place is gone. */
  book(label: string): Promise<SlotOffer | null>;
}

export interface DialRequest {
  callId: string;
  /** E.164: the line we call from and the number we call. */
  from: string;
  to: string;
  agent: {
    name: string;
    /** BCP 47, e.g. `en-IN`; the call's own language where it has one. */
    language: string;
    voice: string;
    /** Placeholders are filled in already. */
    prompt: string;
    greeting: string;
  };
  contactName: string | null;
  additionalInfo: Readonly<Record<string, unknown>>;
  /** Null where the call has no branch to book for. */
  desk: BookingDesk | null;
  /** Where the carrier writes the recording, as it happens. The folder exists. */
  recordingFile: string;
}

export const FAILURE_CODES = [
  "busy",
  "no_answer",
  "invalid_number",
  "rejected",
  "carrier_error",
  "infrastructure_error",
  "interrupted",
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** How a call ended that was connected to a person or a voicemail. */
export interface Conversation {
  kind: "completed";
  /** From answer to hang-up. */
  durationSeconds: number;
  transcript: Utterance[];
  /** Null while analysis is incomplete. */
  analytics: CallAnalytics | null;
  extractedDetails: Record<string, unknown> | null;
  /** Whether recordingFile holds a playable WAV. */
  recorded: boolean;
  /** The callee asked to be called again after this many minutes. */
  callbackInMinutes?: number;
}

/** Never connected, or broke off for a technical cause. */
export interface Failure {
  kind: "failed";
  code: FailureCode;
  /** One sentence for a person; no personal data. */
  message: string;
  durationSeconds?: number;
}

export type CallEnd = Conversation | Failure;

/** A carrier reports in this order, each at most once per call: ringing, answered, ended. `ended` always comes, and comes last. */
export interface CarrierListener {
  ringing(callId: string): void;
  answered(callId: string): void;
  ended(callId: string, end: CallEnd): void;
}

export interface Carrier {
  readonly name: string;
  /** How many calls it can hold at once; the dispatcher never asks for more. */
  readonly lines: number;
  /** Begins to dial and returns at once. What becomes of it is reported to the listener, never thrown. */
  dial(request: DialRequest): void;
  /** Ends a call that is under way; the listener hears `ended`. Unknown ids are ignored. */
  hangUp(callId: string): void;
  /** Ends every call as `interrupted`, reports them, and reports nothing afterwards. */
  stop(): Promise<void>;
}

export type CarrierFactory = (listener: CarrierListener) => Carrier;
