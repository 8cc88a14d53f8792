// Types of the conversation: questions, state, events and actions.
import type { CallNotices } from "./call-notices.ts";
import type { EmergencyOutcome } from "../../payloads/emergency.ts";
import type { NoticeKind, Purpose, RecordingMode, RecordingReport } from "../../payloads/lawful.ts";
import type { ConsultEnd, TransferEnd } from "../../telephony/port.ts";
import type { Phrase } from "./phrase.ts";
import type { KnownAppointment, SlotOffer } from "../../calendar/desk-port.ts";
import type { Expecting, Intent, Meaning, Moment } from "../understanding/meaning.ts";

/** The question on the table, from the moment it is being asked. */
export type Question =
  /** Am I speaking with …? The agent says nothing about the purpose before a yes. */
  | "identity"
  /** Another person answered: can they bring the contact to the phone? */
  | "fetch"
  /** The contact is being fetched; the next speaker is asked for identity. */
  | "fetching"
  /** A call-screening robot asked who is calling; a person may come to the phone. */
  | "screened"
  /** There is an appointment: will they come? */
  | "attend"
  /** There is no appointment: would they like one? */
  | "book"
  /** May the call be recorded? Asked before anything else. */
  | "record"
  /** The business is done: are further calls of a purpose welcome? */
  | "consent"
  /** Keypad only: no appointment exists and none can be booked. Did they hear the greeting? */
  | "message"
  /** They will not come: another time, or cancel? */
  | "change"
  | "offers"
  /** Reads the chosen time back. */
  | "slot"
  /** No offer fits: which day would? */
  | "day"
  | "cancel"
  | "callback"
  | "callback_time"
  | "opt_out"
  /** Inbound caller without a known name: asks for it, then reads it back. */
  | "name"
  | "name_right"
  /** No time fits: would they like to join the waiting list? */
  | "wait"
  /** A waiting-list place is reserved for them: do they want it? */
  | "place"
  /** They decline the place: do they stay on the list? */
  | "stay"
  /** A language model leads through the remaining topics. Answers here change nothing in the calendar. */
  | "open"
  /** An irreversible intent was recognised with low confidence. */
  | "doubt"
  /** The utterance resembled a cry for help: are they in pain or in danger? */
  | "danger";

/**
 * `asking` and `listening`: an answer counts in both. `working`: the calendar or a transfer is pending. `telling`: the
 * closing is played. `leaving`: the closing was played and the callee has a last moment. Words in the last two may
 * reopen the question.
 */
export type Stage = "asking" | "listening" | "working" | "telling" | "leaving" | "over";

export type Work =
  | "lookUp"
  | "confirm"
  | "cancel"
  | "requestChange"
  | "offer"
  | "book"
  | "transfer"
  | "wait"
  | "decline"
  | "undo";

/** The result of the call. `not_saved`: the calendar refused, failed or timed out. */
export type Outcome =
  | "confirmed"
  | "acknowledged"
  | "change_requested"
  | "rescheduled"
  | "booked"
  | "cancelled"
  /** The hospital's own system was told that they want to cancel. */
  | "cancel_requested"
  | "declined"
  | "transferred"
  | "handed_over"
  | "transfer_refused"
  | "person_wanted"
  | "call_later"
  | "opted_out"
  | "wrong_number"
  | "not_reached"
  | "emergency"
  /** Three utterances in a row were not understood: a person takes the call or calls back. */
  | "not_understood"
  | "machine_answered"
  | "message_left"
  | "nothing_open"
  | "waitlisted"
  /** A waiting-list place was declined or withdrawn. */
  | "stays_waiting"
  | "left_list"
  | "place_gone"
  | "not_saved"
  | "none";

/** Facts fixed before the call is answered. */
export interface TalkCall {
  canBook: boolean;
  /** A waiting list exists. */
  canWait?: boolean;
  /** The call offers one waiting-list place. */
  hasPlace?: boolean;
  canTransfer: boolean;
  /** An outbound call, so callback and opt-out apply. */
  isOutbound: boolean;
  /** Inbound: the caller has shown a number. */
  isCallerKnown?: boolean;
  agentName: string;
  contactName: string | null;
  /** Null if the opening notice says all of it. */
  greeting: Phrase | null;
  /** The greeting itself asks for identity. */
  greetingAsksIdentity: boolean;
  /** The purpose may be told without confirming identity. */
  announcesOpenly?: boolean;
  /** Another attempt follows if voicemail answers. */
  isTriedAgain?: boolean;
  /** The call has no recogniser: only keys are answers. Absent on calls with recognition. */
  byKeys?: ByKeys;
  /** Absent in rehearsals of single phrases. */
  notices?: CallNotices;
  /** Absent if the call is not recorded. */
  recording?: RecordingMode;
  /** Asked before the goodbye, if there is no consent yet. */
  asksConsentFor?: Purpose;
}

export interface ByKeys {
  /** False if no voice supports the language: only recordings are played. */
  isSpoken: boolean;
  hasRecordedMenu: boolean;
}

/** Tells which phrases the callee has heard, measured by the audio actually played. */
export interface Told {
  isTold(phrase: Phrase): boolean;
  /** A notice of this kind was played to its end. */
  isHeard(kind: NoticeKind): boolean;
}

/** Branch-local time: YYYY-MM-DD and HH:MM. */
export interface CallbackTime {
  date: string;
  startTime: string;
}

export interface TalkState {
  readonly stage: Stage;
  /** The pending operation while `working`; late results of other operations are ignored. */
  readonly work: Work | null;
  readonly question: Question;
  readonly outcome: Outcome;
  /** Null until known. */
  readonly isContact: boolean | null;
  readonly appointment: KnownAppointment | null;
  readonly offers: readonly SlotOffer[];
  readonly chosen: SlotOffer | null;
  /** The time the callee asked for; the nearest slots are offered. */
  readonly wish: Moment | null;
  readonly callback: CallbackTime | null;
  /** The caller's confirmed name, or null; the name being read back; and how many names were read back. */
  readonly callerName: string | null;
  readonly heardName: string | null;
  readonly namesHeard: number;
  readonly wasNameAsked: boolean;
  /** A low-confidence intent that is being confirmed, and the question before it. */
  readonly doubted: { intent: Intent; before: Question } | null;
  /**
   * Suspended while the danger question is open. `closing`: the outcome the call was about to end with. `isWeak`: no
   * recognisable word led to the question. `isSaid`: a word of danger was said.
   */
  readonly beforeDanger: {
    question: Question;
    closing: Outcome | null;
    isWeak: boolean;
    isSaid: boolean;
    isAskedAgain: boolean;
  } | null;
  readonly dangersAsked: number;
  /** The danger question follows as soon as the calendar has answered. */
  readonly isSuspected: boolean;
  /** A model suggested the offered times; the callee did not ask for another time. */
  readonly wasSuggested: boolean;
  /** A model has spoken since our last complete question, so a yes is ambiguous. */
  readonly isAfterModel: boolean;
  /** The utterance a model is answering; the rules answer it if the model fails. */
  readonly unanswered: Meaning | null;
  /** The question whose answer led to the outcome, for outcomes that can be contested. */
  readonly settledBy: Question;
  /** Words heard during calendar work or the closing; they may take the answer back. */
  readonly overheard: Meaning | null;
  /** Number of objections to the closing. */
  readonly reopened: number;
  /** The closing without the goodbye. */
  readonly closing: readonly Phrase[];
  /** Phrases to play before the question, until they were played. */
  readonly lead: readonly Phrase[];
  /** How often each question was put, keyed by its words. */
  readonly askings: Readonly<Record<string, number>>;
  /** Consecutive count. From the second on, the agent also names the keys. */
  readonly misunderstandings: number;
  readonly silences: number;
  /** How often the callee declined all offers. */
  readonly rounds: number;
  readonly slotsGone: number;
  readonly refusals: number;
  /** The agent handed the call over because it could not understand; the callee did not ask for a person. */
  readonly hasGivenUp: boolean;
  /** Result of the emergency transfer; null while pending or if there was none. */
  readonly handover: EmergencyOutcome | null;
  /** The callee asked for slower or louder speech; applies to the rest of the call. */
  readonly isSlow: boolean;
  readonly isLoud: boolean;
  readonly isDeaf: boolean;
  /** Synthesis failed for the question, so its keys were named instead. */
  readonly isMute: boolean;
  /** The callee asked for a moment. */
  readonly isPatient: boolean;
  /** After declining the place, the callee stays on the list. */
  readonly staysWaiting: boolean;
  /** The voice failed before the callee heard the opening notices: nothing else was said. */
  readonly isUnnoticed: boolean;
  readonly isOptedOut: boolean;
  readonly recordingConsent: RecordingReport["consent"];
  /** The answer to whether further calls are welcome; null if not asked. */
  readonly consent: "asked" | "given" | "refused" | null;
}

export type TalkEvent =
  /** `wasHeard`: at least one phrase had audio. */
  | { type: "said"; wasHeard: boolean }
  | { type: "unnoticed" }
  | { type: "heard"; meaning: Meaning }
  | { type: "key"; key: string }
  | { type: "silence" }
  /** Recognition or voice activity detection failed for the rest of the call. */
  | { type: "deaf" }
  /** A beep after a greeting: a machine is recording. */
  | { type: "beep" }
  | { type: "lookedUp"; appointment: KnownAppointment | null }
  /** The calendar failed or timed out. */
  | { type: "unreachable"; isLate: boolean }
  | { type: "confirmed"; isDone: boolean }
  | { type: "cancelled"; isDone: boolean }
  | { type: "changeRequested"; isDone: boolean }
  | { type: "offered"; offers: readonly SlotOffer[] }
  | { type: "booked"; slot: SlotOffer | null }
  | { type: "waited"; isDone: boolean }
  | { type: "placeDeclined"; isDone: boolean }
  /** `appointment`: its current state. If the undo failed, a change request was stored. */
  | { type: "undone"; isDone: boolean; appointment: KnownAppointment | null }
  | { type: "transferred"; outcome: TransferEnd | ConsultEnd }
  /** The model's answer was played up to a question, completely, or until it broke off. */
  | { type: "led"; suggestion: Suggestion | null; ending: "question" | "whole" | "broken" }
  /** The model did not answer, or the guard rejected its answer. */
  | { type: "unled" };

/** An action proposed by a language model. It changes nothing in the calendar until the callee agrees. */
export type Suggestion =
  | { do: "offer"; wish: Moment | null }
  | { do: "choose"; label: string }
  | { do: "wait" }
  | { do: "cancel" | "callback" | "transfer" | "optOut" | "end" };

/** Each action except the last produces exactly one event: say → said, listen → silence, book → booked. */
export type TalkAction =
  | { do: "say"; phrases: readonly Phrase[]; expecting: Expecting }
  /** Plays the phrases, then the model's answer. */
  | { do: "lead"; phrases: readonly Phrase[]; expecting: Expecting }
  | { do: "listen"; forMs: number; expecting: Expecting }
  | { do: "lookUp" | "confirm" | "cancel" | "transfer" | "undo" }
  | { do: "requestChange"; wish: Moment | null }
  /** Calls the desk while the callee stays on the line; ends like a transfer. */
  | { do: "consult" }
  | { do: "offer"; wish: Moment | null }
  /** `name`: of a caller who was unknown before. */
  | { do: "book"; label: string; name: string | null }
  | { do: "wait"; wish: Moment | null; name: string | null }
  | { do: "decline"; stays: boolean }
  /** Final action: no event follows. */
  | { do: "hangUp" };

/** Without an action, the current one continues. */
export interface TalkMove {
  state: TalkState;
  action: TalkAction | null;
}

export const FIRST_STATE: TalkState = {
  stage: "asking",
  work: null,
  question: "identity",
  outcome: "none",
  isContact: null,
  appointment: null,
  offers: [],
  chosen: null,
  wish: null,
  callback: null,
  callerName: null,
  heardName: null,
  namesHeard: 0,
  wasNameAsked: false,
  doubted: null,
  beforeDanger: null,
  dangersAsked: 0,
  isSuspected: false,
  wasSuggested: false,
  isAfterModel: false,
  unanswered: null,
  settledBy: "identity",
  overheard: null,
  reopened: 0,
  closing: [],
  lead: [],
  askings: {},
  misunderstandings: 0,
  silences: 0,
  rounds: 0,
  slotsGone: 0,
  refusals: 0,
  hasGivenUp: false,
  handover: null,
  isSlow: false,
  isLoud: false,
  isDeaf: false,
  isMute: false,
  isPatient: false,
  staysWaiting: true,
  isUnnoticed: false,
  isOptedOut: false,
  recordingConsent: null,
  consent: null,
};
