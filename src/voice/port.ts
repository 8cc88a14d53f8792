// Port of the call agent: its brief, its tools and its result. Independent of SIP, RTP and the database.
import type { ApprovedAnswer, ModelSpeech } from "../payloads/approved-answer.ts";
import type { NoticeHeard, Purpose, RecordingMode, RecordingReport } from "../payloads/lawful.ts";
import type { RecordedKind } from "../payloads/recorded-words.ts";
import type { BookingDesk, DeskAbilities } from "../calendar/desk-port.ts";
import type { CallAnalytics, Utterance } from "../payloads/conversation.ts";
import type { Pace } from "../speech/tts/pace.ts";
import type { SpokenStream } from "../speech/tts/port.ts";
import type { Pronunciation } from "../speech/tts/pronunciation.ts";
import type { ChatClient, SentNote } from "../speech/servers/port.ts";
import type { Ears } from "../speech/ears/port.ts";
import type { ModelServers } from "../speech/servers/port.ts";
import type { CallAgent } from "../telephony/port.ts";
import type { TurnTimes } from "../payloads/turn-times.ts";

/** Counts of what a language model did on a call. */
export interface LedCounts {
  /** Requests to the model. */
  turns: number;
  fillers: number;
  /** Turns answered by the built-in conversation because the server was late or failed. */
  takeovers: number;
  /** Times the model took the lead again after a takeover. */
  handbacks: number;
  /** Answers rejected by a guard. */
  stopped: number;
  refusedTools: number;
}

/** Everything the agent is given before the answer. Survives structuredClone. */
export interface AgentBrief {
  agentName: string;
  /** BCP 47 tag of the language spoken on this call. */
  language: string;
  /** A name in speech/tts/voices.ts, or free text of the owner. */
  voice: string;
  /** Custom pronunciations of the organisation. */
  pronunciations?: readonly Pronunciation[];
  /** Instructions and opening words, with placeholders filled in. */
  prompt: string;
  greeting: string;
  /** The prompt before substitution. A language model receives the call's values separately, as data. */
  promptTemplate?: string;
  contactName: string | null;
  /** Facts about this call. */
  additionalInfo: Readonly<Record<string, unknown>>;
  /** IANA zone of the call's branch, for phrases like "tomorrow at ten". */
  timeZone: string;
  /** Spoken name of the branch. */
  branchName?: string | null;
  /** Details the agent's owner wants from the call, with their descriptions. */
  details?: readonly { name: string; description: string }[];
  /** How a language model may speak; defaults to `chosen`. */
  modelSpeech?: ModelSpeech;
  /** Approved answers the model may choose from, each with its language. */
  approvedAnswers?: readonly ApprovedAnswer[];
  /** Transfer target: a number or SIP address. */
  transferTo: string | null;
  direction: "outbound" | "inbound";
  /** Inbound: the caller has shown a number, which can be put on the do-not-disturb list. */
  isCallerKnown?: boolean;
  /** Another attempt follows if voicemail answers. */
  isTriedAgain?: boolean;
  /** The purpose may be told without confirming identity. */
  announcesOpenly?: boolean;
  /** No voice supports the language: only recordings are played. */
  isMute?: boolean;
  /** Null without a calendar. */
  desk: DeskAbilities | null;
  /** The organisation's model servers for this call, with their keys; never logged. Absent if there are none. */
  models?: ModelServers;
  /** Waits longer before it ends the callee's turn. */
  isUnhurried?: boolean;
  /** Facts for the notices that no prompt, model or recording can leave out. Absent in rehearsals of single phrases. */
  notices?: { hospital: string; callbackNumber: string | null };
  /** How this call is recorded; without it, it is not. */
  recording?: RecordingMode;
  /** Ask at the end whether further calls of this purpose are welcome. */
  asksConsentFor?: Purpose;
}

export interface AgentTools {
  /** A recording, or null. */
  recorded(kind: RecordedKind): Int16Array | null;
  /**
   * Synthesises clause by clause: playback starts while the rest is generated. Defaults to the usual pace and to the
   * language of the call.
   */
  say(text: string, pace?: Pace, language?: string): SpokenStream;
  /** Raises the priority of a pending synthesis. */
  hurry?(text: string): void;
  /** Null without recognition: only keys are answers. */
  ears: Ears | null;
  desk: BookingDesk | null;
  /** Stores the agreement immediately, so that it survives any later failure of the call. Idempotent. */
  agree(agreed: Agreed): Promise<void>;
  /** Language model for turns the rules do not handle; null if the built-in conversation works alone. */
  chat?: ChatClient | null;
  /** Requests sent to model servers so far. */
  sent?(): readonly SentNote[];
}

/** Agreements with the callee outside the calendar. */
export interface Agreed {
  /** The callee asked for a callback after this many minutes. */
  callbackInMinutes?: number;
  /** Callback time named by the callee, in milliseconds since 1970. */
  callbackAt?: number;
  /** The callee does not want further calls. */
  optOut?: true;
  /** The callee's answer to whether further calls of this purpose are welcome. */
  consent?: { purpose: Purpose; isGiven: boolean };
}

/** Repeats the agreements: those that could not be stored during the call are stored at its end. */
export interface TalkResult extends Agreed {
  transcript: Utterance[];
  /** Null while analysis is incomplete. */
  analytics: CallAnalytics | null;
  extractedDetails: Record<string, unknown> | null;
  /** Details noted by a language model, by name. */
  modelDetails?: readonly string[];
  /** Latency per turn, for agents that listen. */
  turns?: readonly TurnTimes[];
  /** Counts of the language model's turns. */
  led?: LedCounts;
  /** Requests sent to model servers, for the audit. */
  sent?: readonly SentNote[];
  /** Notices played, in their order. */
  notices?: readonly NoticeHeard[];
  recording?: RecordingReport;
  /** The voice failed before the opening notices were heard, so the agent said nothing else and hung up. */
  isUnnoticed?: true;
}

/** The agent of one call. Created while the phone rings, so that the greeting is ready at the answer. */
export interface Agent extends CallAgent {
  ended(by: "us" | "peer"): TalkResult;
}
