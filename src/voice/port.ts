// The agent on the line: what it is given, what it may use, and what it owes at the end. It knows nothing of SIP, RTP
// or the database.
import type { ApprovedAnswer, ModelSpeech } from "../payloads/approved-answer.ts";
import type { RecordedKind } from "../payloads/recorded-words.ts";
import type { CallAnalytics, Utterance } from "../payloads/conversation.ts";
import type { Pace } from "../speech/tts/pace.ts";
import type { SpokenStream } from "../speech/tts/port.ts";
import type { Pronunciation } from "../speech/tts/pronunciation.ts";
import type { ChatClient, SentNote } from "../speech/servers/port.ts";
import type { Ears } from "../speech/ears/port.ts";
import type { ModelServers } from "../speech/servers/port.ts";
import type { CallAgent } from "../telephony/port.ts";
import type { TurnTimes } from "../payloads/turn-times.ts";

/** What a language model did on a call, in counts. */
export interface LedCounts {
  /** Times that it was asked. */
  turns: number;
  fillers: number;
  /** Turns that the built-in conversation answered because the server was late or failed. */
  takeovers: number;
  /** And how often the model led again after one. */
  handbacks: number;
  /** Answers that a check stopped. */
  stopped: number;
  refusedTools: number;
}

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

/** When somebody would like to come; what they did not say is null. Days as YYYY-MM-DD, times as HH:MM. */
export interface TimeWish {
  date: string | null;
  /** The last day of a range. */
  dateEnd: string | null;
  time: string | null;
  /** That time or later. */
  isAfter?: true;
  partOfDay: "morning" | "afternoon" | "evening" | null;
}

/** What the agent can do with the calendar while it talks. */
export interface BookingDesk {
  /** Whether the call has a branch to book for, so that offering makes sense. */
  readonly canBook: boolean;
  /** Whether somebody who finds no time can be put on the waiting list. */
  readonly canWait?: boolean;
  /** The call is about one place that is kept for somebody on the waiting list: it is all that is offered. */
  readonly hasPlace?: boolean;
  /** The contact's appointment that the call is about; null where there is none. */
  appointment(): Promise<KnownAppointment | null>;
  /** The contact says that they will come. False where there is no such appointment any more. */
  confirm(): Promise<boolean>;
  /** The contact will not come. False where there is no such appointment any more. */
  cancel(): Promise<boolean>;
  /** The contact wants another time and chose none: the hospital hears of it. */
  requestChange(): Promise<boolean>;
  /**
   * The next open slots, at most `most`, those nearest to what the contact wishes for first. What was offered before is
   * let go.
   */
  offer(most: number, wish?: TimeWish | null): Promise<SlotOffer[]>;
  /**
   * Moves the appointment that the call is about, or books one where there is none. Null where the place is gone.
   * `name`: of a caller who was not known.
   */
  book(label: string, name?: string | null): Promise<SlotOffer | null>;
  /** Puts the contact on the waiting list, at once. Asked twice, they are on it once. False where it cannot be done. */
  wait?(wish: TimeWish | null, name?: string | null): Promise<boolean>;
  /** The contact does not want the place of the waiting list, and stays on the list or leaves it. */
  decline?(stays: boolean): Promise<boolean>;
  /** The contact takes back what this call did last. Asked twice, it is taken back once. */
  undo?(): Promise<Undone>;
}

/** Where it could not be undone, what stands is marked as to be changed. */
export interface Undone {
  isDone: boolean;
  /** The contact's appointment as it stands now. */
  appointment: KnownAppointment | null;
}

/** What a desk can do, as an agent on another thread knows it beforehand. */
export type DeskAbilities = Pick<BookingDesk, "canBook" | "canWait" | "hasPlace">;

/** Words that people recorded for an agent; the key changes when the audio does. */
export interface RecordedWords {
  kind: RecordedKind;
  key: string;
}

/** Everything the agent knows before the phone is picked up. Survives structuredClone. */
export interface AgentBrief {
  agentName: string;
  /** BCP 47: what it speaks on this call. */
  language: string;
  /** A name of speech/tts/voices.ts, or what somebody wrote instead. */
  voice: string;
  /** Words that the organisation says in its own way. */
  pronunciations?: readonly Pronunciation[];
  /** What it was told to do, and what it begins with; placeholders are filled in already. */
  prompt: string;
  greeting: string;
  /** The same prompt as its owner wrote it: a language model gets the call's values as data beside it. */
  promptTemplate?: string;
  contactName: string | null;
  /** The call's own facts. */
  additionalInfo: Readonly<Record<string, unknown>>;
  /** IANA, of the branch that the call is for: what "tomorrow at ten" means. */
  timeZone: string;
  /** The branch, as people call it. */
  branchName?: string | null;
  /** What the agent's owner wants to know from the call, each with what is asked. */
  details?: readonly { name: string; description: string }[];
  /** How a language model may speak; `chosen` where it is not said. */
  modelSpeech?: ModelSpeech;
  /** What it may choose as an answer, each with its language. */
  approvedAnswers?: readonly ApprovedAnswer[];
  /** A number or a SIP address that callers are sent on to. */
  transferTo: string | null;
  direction: "outbound" | "inbound";
  /** Should a voicemail answer, the agent calls again by itself. */
  isTriedAgain?: boolean;
  /** What the call is about may be told to whoever answers: nobody is asked who they are. */
  announcesOpenly?: boolean;
  /** No voice here has the language: recordings are all that is heard. */
  isMute?: boolean;
  /** Null where there is no calendar at all. */
  desk: DeskAbilities | null;
  /** The organisation's own servers for this call, with their keys: never logged. Left out where there are none. */
  models?: ModelServers;
  /** It waits longer before it takes it that somebody is done speaking. */
  isUnhurried?: boolean;
}

export interface AgentTools {
  /** Recorded words; null where none were recorded. */
  recorded(kind: RecordedKind): Int16Array | null;
  /**
   * Words of the voice, clause by clause: the first is heard while the rest is made. At the usual pace unless it is
   * told.
   */
  say(text: string, pace?: Pace): SpokenStream;
  /** What was asked for is waited for now. */
  hurry?(text: string): void;
  /** Null where nobody can be heard: keys are all there is. */
  ears: Ears | null;
  desk: BookingDesk | null;
  /**
   * Has it written down at once, so that nothing which happens to the call later can lose it. Told twice, it is kept
   * once.
   */
  agree(agreed: Agreed): Promise<void>;
  /** A language model that answers what is not plain; null where the built-in conversation is alone. */
  chat?: ChatClient | null;
  /** What was sent to model servers until now. */
  sent?(): readonly SentNote[];
}

/** What was promised to the callee beside the calendar. */
export interface Agreed {
  /** The callee asked to be called again after this many minutes. */
  callbackInMinutes?: number;
  /** They named a time: milliseconds since 1970. */
  callbackAt?: number;
  /** They do not want to be called any more. */
  optOut?: true;
}

/** What was agreed on is in it once more: where it could not be written at once, it is at the end. */
export interface TalkResult extends Agreed {
  transcript: Utterance[];
  /** Null while analysis is incomplete. */
  analytics: CallAnalytics | null;
  extractedDetails: Record<string, unknown> | null;
  /** Names of details that a language model noted. */
  modelDetails?: readonly string[];
  /** Of an agent that listens: how quick it was, turn by turn. */
  turns?: readonly TurnTimes[];
  /** What a language model did on the call. */
  led?: LedCounts;
  /** What was sent to which model server, for the audit. */
  sent?: readonly SentNote[];
}

/** One call's agent. Made while the phone rings, so that the greeting is ready at the answer. */
export interface Agent extends CallAgent {
  ended(by: "us" | "peer"): TalkResult;
}
