// What a carrier can do and what it reports. The simulator and SIP are carriers; both pass the same contract test.
import type { PromptKind } from "../db/tables.ts";
import type { CallAnalytics, Utterance } from "../events/model.ts";
import type { LineReport } from "./line-report.ts";

/** A place that the agent may offer. It is kept for the caller for 90 seconds. */
export interface SlotOffer {
  /** A, B, C: the conversation chooses among labels and never sees an id or makes up a date. */
  label: string;
  /** YYYY-MM-DD and HH:MM in the branch's own time. */
  date: string;
  startTime: string;
  endTime: string;
}

/** The appointment that a call is about. */
export interface KnownAppointment {
  /** YYYY-MM-DD and HH:MM in the branch's own time. */
  date: string;
  startTime: string;
}

/** What the agent can do with the calendar while it talks. */
export interface BookingDesk {
  /** Whether the call has a branch to book for, so that offering makes sense. */
  readonly canBook: boolean;
  /** The contact's appointment that the call is about; null where there is none. */
  appointment(): Promise<KnownAppointment | null>;
  /** The contact says that they will come. False where there is no such appointment any more. */
  confirm(): Promise<boolean>;
  /** The contact wants another time and chose none: the hospital hears of it. */
  requestChange(): Promise<boolean>;
  /** The next open places, at most `most`. What was offered before is let go. */
  offer(most: number): Promise<SlotOffer[]>;
  /** Moves the appointment that the call is about, or books one where there is none. Null where the place is gone. */
  book(label: string): Promise<SlotOffer | null>;
}

/** Recorded words of an agent; the key changes when the audio does. */
export interface PromptRef {
  kind: PromptKind;
  key: string;
}

export interface DialRequest {
  callId: string;
  /** What carries `from`; null where the number has no trunk. The simulator needs none. */
  trunkId: string | null;
  /** E.164: the line we call from and the number we call. For an inbound call, our own number and the caller. */
  from: string;
  to: string;
  agent: {
    name: string;
    /** BCP 47, e.g. `en-IN`; the call's own language where it has one. */
    language: string;
    /** What its greeting is written in. */
    ownLanguage: string;
    voice: string;
    /** Placeholders are filled in already. */
    prompt: string;
    greeting: string;
    /** What was recorded for it; what is missing is spoken by the built-in voice, where it has the language. */
    prompts: readonly PromptRef[];
    /** A number or a SIP address that callers are sent on to. */
    transferTo: string | null;
  };
  contactName: string | null;
  additionalInfo: Readonly<Record<string, unknown>>;
  /** Null where there is no calendar at all. */
  desk: BookingDesk | null;
  /** Where the carrier writes the recording, as it happens. The folder exists. */
  recordingFile: string;
  /** Where it writes the packets, where somebody asked for them. */
  captureFile: string | null;
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
  line?: LineReport;
}

/** Never connected, or broke off for a technical cause. */
export interface Failure {
  kind: "failed";
  code: FailureCode;
  /** One sentence for a person; no personal data. */
  message: string;
  durationSeconds?: number;
  /** Whether recordingFile holds what was said until it broke off. */
  recorded?: boolean;
  line?: LineReport;
}

export type CallEnd = Conversation | Failure;

/** Somebody calls one of our numbers. It rings until one of the two is called; both do nothing once it is over. */
export interface Arrival {
  callId: string;
  trunkId: string;
  /** As the trunk gave them: E.164 where it could be made out, otherwise as dialled. */
  from: string;
  to: string;
  /** The trunk called us by the name of the account that it gave us. */
  isToAccount: boolean;
  accept(request: DialRequest): void;
  reject(why: "unknown_number" | "no_line"): void;
}

/**
 * A carrier reports in this order, each at most once per call: ringing, answered, ended. `ended` always comes, and
 * comes last. For a call that arrives it is: arrived, answered, ended; nothing more where it was rejected.
 */
export interface CarrierListener {
  ringing(callId: string): void;
  answered(callId: string): void;
  /** Before `answered` and whenever it changes: what the carrier needs to end its side of the call after a crash of ours. */
  legKept?(callId: string, leg: string): void;
  ended(callId: string, end: CallEnd): void;
  arrived(arrival: Arrival): void;
}

/** Whether a trunk takes another call now. */
export type Room =
  | { kind: "open"; lines: number }
  /** `until`: when to look again; null where nobody knows. */
  | { kind: "closed"; reason: "number_has_no_trunk" | "trunk_unavailable" | "overloaded"; until: number | null };

export interface Carrier {
  readonly name: string;
  /** How many calls it can hold at once; the dispatcher never asks for more. */
  readonly lines: number;
  /** Asked before each dial, so that calls wait for a trunk instead of failing on it. */
  room(trunkId: string | null): Room;
  /** Begins to dial and returns at once. What becomes of it is reported to the listener, never thrown. */
  dial(request: DialRequest): void;
  /** Ends a call that is under way; the listener hears `ended`. Unknown ids are ignored. */
  hangUp(callId: string): void;
  /** Lets calls end by themselves while the carrier's drain time lasts, ends the others as `interrupted`, reports them, and reports nothing afterwards. */
  stop(): Promise<void>;
}

export type CarrierFactory = (listener: CarrierListener) => Carrier;
