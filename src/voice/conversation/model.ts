// What the agent's conversation is made of: the questions that it asks, what it remembers, what happens to it, and what
// it does.
import type { EmergencyOutcome } from "../../payloads/emergency.ts";
import type { ConsultEnd, TransferEnd } from "../../telephony/port.ts";
import type { Phrase } from "./phrases/phrase.ts";
import type { KnownAppointment, SlotOffer } from "../port.ts";
import type { Expecting, Intent, Meaning, Moment } from "../understanding/meaning.ts";

/** What the callee is answering, or will be once the question was said. */
export type Question =
  /** Am I speaking with …? Nothing of what the call is about comes before a yes. */
  | "identity"
  /** Somebody else answered: can they bring the contact to the phone? */
  | "fetch"
  /** They are on their way; whoever speaks next is asked who they are. */
  | "fetching"
  /** A robot asked who is calling; a person may come to the phone. */
  | "screened"
  /** The appointment: will they come? */
  | "attend"
  /** There is none: would they like one? */
  | "book"
  /** By keys alone: neither is there one, nor can one be had. Have they heard the greeting? */
  | "message"
  /** They will not come: another time, or none at all? */
  | "change"
  | "offers"
  /** The chosen time, read back. */
  | "slot"
  /** None of the offers suits: which day would? */
  | "day"
  | "cancel"
  | "callback"
  | "callback_time"
  | "opt_out"
  /** Who called us and is not known: their name, and the name read back. */
  | "name"
  | "name_right"
  /** Nothing suits: would they like to be on the waiting list? */
  | "wait"
  /** A place of the waiting list that is kept for them: do they want it? */
  | "place"
  /** They do not: do they stay on the list? */
  | "stay"
  /**
   * A language model leads: whatever is left of what the hospital asked for. Nothing that is answered here does
   * anything.
   */
  | "open"
  /** Something that cannot be undone was heard, but not for sure. */
  | "doubt"
  /** Something was heard that sounds like a cry for help: are they in pain or in danger? */
  | "danger";

/**
 * `asking` and `listening`: an answer counts in both. `working`: the calendar or the switchboard is asked. `telling`:
 * the last words. `leaving`: they were said, and the callee has a moment left. What is heard in the last two may reopen
 * the question.
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

/** What the call came to. `not_saved`: the calendar refused, failed, or did not answer. */
export type Outcome =
  | "confirmed"
  | "acknowledged"
  | "change_requested"
  | "rescheduled"
  | "booked"
  | "cancelled"
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
  /** Not a word was understood three times over: a person takes the call, or calls them. */
  | "not_understood"
  | "machine_answered"
  | "message_left"
  | "nothing_open"
  | "waitlisted"
  /** Of a place of the waiting list: not wanted, or taken back. */
  | "stays_waiting"
  | "left_list"
  | "place_gone"
  | "not_saved"
  | "none";

/** What is fixed for the call before it is answered. */
export interface TalkCall {
  canBook: boolean;
  /** Whether there is a waiting list. */
  canWait?: boolean;
  /** The call is about one place of the waiting list. */
  hasPlace?: boolean;
  canTransfer: boolean;
  /** We called them, so they may be called again, or rather not. */
  isOutbound: boolean;
  agentName: string;
  contactName: string | null;
  greeting: Phrase;
  /** The greeting asks who they are by itself. */
  greetingAsksIdentity: boolean;
  /** What it is about may be told to whoever answers. */
  announcesOpenly?: boolean;
  /** Should a voicemail answer, there will be another call. */
  isTriedAgain?: boolean;
  /** Nobody listens on this call: keys are all that answers. Left out where somebody does. */
  byKeys?: ByKeys;
}

export interface ByKeys {
  /** False where no voice has the language: then recordings are all that is heard. */
  isSpoken: boolean;
  hasRecordedMenu: boolean;
}

/** What the other side has been told by now, by how far the sound has really gone out. */
export interface Told {
  isTold(phrase: Phrase): boolean;
}

/** In the branch's own time: YYYY-MM-DD and HH:MM. */
export interface CallbackTime {
  date: string;
  startTime: string;
}

export interface TalkState {
  readonly stage: Stage;
  /** What is being done while it is working; the outcome of anything else is late, and means nothing. */
  readonly work: Work | null;
  readonly question: Question;
  readonly outcome: Outcome;
  /** Null while nobody has said. */
  readonly isContact: boolean | null;
  readonly appointment: KnownAppointment | null;
  readonly offers: readonly SlotOffer[];
  readonly chosen: SlotOffer | null;
  /** What the callee asked for; the slots nearest to it are offered. */
  readonly wish: Moment | null;
  readonly callback: CallbackTime | null;
  /**
   * What the caller agreed to be called; null where it is not known. And what is read back to them, and how often
   * something was.
   */
  readonly callerName: string | null;
  readonly heardName: string | null;
  readonly namesHeard: number;
  readonly wasNameAsked: boolean;
  /** What was heard but not for sure, while it is asked after; and what was asked before. */
  readonly doubted: { intent: Intent; before: Question } | null;
  /**
   * What waits while they are asked whether they are in danger. `closing`: the call was about to end like this.
   * `isWeak`: no word of danger was heard, and no other one either. `isSaid`: a word of danger was said.
   * `isAskedAgain`: the question was put twice.
   */
  readonly beforeDanger: {
    question: Question;
    closing: Outcome | null;
    isWeak: boolean;
    isSaid: boolean;
    isAskedAgain: boolean;
  } | null;
  readonly dangersAsked: number;
  /** To be asked as soon as the calendar has answered. */
  readonly isSuspected: boolean;
  /** The times on the table were a model's idea: nobody said that they wanted another one. */
  readonly wasSuggested: boolean;
  /** A model has spoken, and our own question was not heard out since: a yes may be meant for anything. */
  readonly isAfterModel: boolean;
  /** What was heard, while a language model is asked what to say to it: should it fail, it is answered without. */
  readonly unanswered: Meaning | null;
  /** Of an outcome that can be opposed: the question whose answer led to it. */
  readonly settledBy: Question;
  /** Heard while the calendar was busy with an answer, or during the last words: it may take that answer back. */
  readonly overheard: Meaning | null;
  /** Times that the last words were opposed. */
  readonly reopened: number;
  /** The last words but the goodbye. */
  readonly closing: readonly Phrase[];
  /** Said before the question that is on the table, as long as it was not said. */
  readonly lead: readonly Phrase[];
  /** How often each question was put, by its words. */
  readonly askings: Readonly<Record<string, number>>;
  /** In a row. From the second on, the keys are named too. */
  readonly misunderstandings: number;
  readonly silences: number;
  /** Times that the callee wanted others than those on offer. */
  readonly rounds: number;
  readonly slotsGone: number;
  readonly refusals: number;
  /** The agent did not understand them and handed the call over: they did not ask for a person. */
  readonly hasGivenUp: boolean;
  /** What became of handing an emergency over; null while nobody knows, or where there is none. */
  readonly handover: EmergencyOutcome | null;
  /** They asked us to speak slowly, or louder: for the rest of the call. */
  readonly isSlow: boolean;
  readonly isLoud: boolean;
  readonly isDeaf: boolean;
  /** Nothing of a question could be said, and its keys were named instead. */
  readonly isMute: boolean;
  /** Whoever asked for a moment gets one. */
  readonly isPatient: boolean;
  /** Whoever does not want the place of the waiting list waits on. */
  readonly staysWaiting: boolean;
}

export type TalkEvent =
  /** `wasHeard`: there was sound for at least one line. */
  | { type: "said"; wasHeard: boolean }
  | { type: "heard"; meaning: Meaning }
  | { type: "key"; key: string }
  | { type: "silence" }
  /** Nothing can be heard any more: the recogniser or the detector is gone. */
  | { type: "deaf" }
  /** A tone after a greeting: a machine waits for a message. */
  | { type: "beep" }
  | { type: "lookedUp"; appointment: KnownAppointment | null }
  /** The calendar was asked, and failed at once or did not answer in time. */
  | { type: "unreachable"; isLate: boolean }
  | { type: "confirmed"; isDone: boolean }
  | { type: "cancelled"; isDone: boolean }
  | { type: "changeRequested"; isDone: boolean }
  | { type: "offered"; offers: readonly SlotOffer[] }
  | { type: "booked"; slot: SlotOffer | null }
  | { type: "waited"; isDone: boolean }
  | { type: "placeDeclined"; isDone: boolean }
  /** `appointment`: as it stands now. Where it is not done, the hospital was told that a change is wanted. */
  | { type: "undone"; isDone: boolean; appointment: KnownAppointment | null }
  | { type: "transferred"; outcome: TransferEnd | ConsultEnd }
  /** The model has answered, and what it wrote was said: up to a question, to its end, or it broke off. */
  | { type: "led"; suggestion: Suggestion | null; ending: "question" | "whole" | "broken" }
  /** It did not answer, or nothing of what it wrote may be said. */
  | { type: "unled" };

/**
 * What a language model would have done. None of it does anything in the calendar before the callee has agreed to it.
 */
export type Suggestion =
  | { do: "offer"; wish: Moment | null }
  | { do: "choose"; label: string }
  | { do: "wait" }
  | { do: "cancel" | "callback" | "transfer" | "optOut" | "end" };

/** Each but the last ends with exactly one event: say → said, listen → silence, book → booked. */
export type TalkAction =
  | { do: "say"; phrases: readonly Phrase[]; expecting: Expecting }
  /** Says the lines, and then what a language model writes. */
  | { do: "lead"; phrases: readonly Phrase[]; expecting: Expecting }
  | { do: "listen"; forMs: number; expecting: Expecting }
  | { do: "lookUp" | "confirm" | "cancel" | "requestChange" | "transfer" | "undo" }
  /** Somebody is asked to take the call while the callee stays on the line; ends as a transfer does. */
  | { do: "consult" }
  | { do: "offer"; wish: Moment | null }
  /** `name`: of a caller who was not known before. */
  | { do: "book"; label: string; name: string | null }
  | { do: "wait"; wish: Moment | null; name: string | null }
  | { do: "decline"; stays: boolean }
  /** The last: no event follows. */
  | { do: "hangUp" };

/** Without an action, what is under way goes on. */
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
};
