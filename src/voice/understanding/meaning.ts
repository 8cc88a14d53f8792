// Meaning of an utterance, as found by understand.ts and read by the conversation.

export type Intent =
  | "yes"
  | "no"
  | "another_time"
  | "cancel_appointment"
  | "who_is_this"
  /** On which number can they call back? */
  | "callback_number"
  /** How can they stop the calls? */
  | "how_to_stop"
  | "stop_recording"
  | "what_is_it_about"
  | "repeat"
  | "slower"
  | "louder"
  | "person"
  | "do_not_call"
  | "not_interested"
  | "wrong_number"
  | "not_that_person"
  | "call_later"
  | "emergency"
  /** Resembles a cry for help. */
  | "alarm_like"
  | "hold_on"
  | "thanks_or_bye"
  | "backchannel"
  | "machine"
  | "screening"
  | "child_or_relative";

/** The current question: decides how an answer is read, and the endpointing pause. */
export type Expecting = "identity" | "yes_no" | "choice" | "day_or_time" | "callback_time" | "name" | "anything";

/** 0.9 and above: said clearly. 0.5 to 0.7: likely; the agent asks for confirmation. */
export interface LikelyIntent {
  intent: Intent;
  /** 0 to 1. */
  confidence: number;
  /**
   * The words themselves are conditional: "Yes, if my son can drive me." Repeating them does not raise the confidence.
   */
  isHedged?: true;
}

/** Confidence of a spoken word of danger; sound matches and alternative hypotheses score lower. */
export const SAID_NEAR = 0.65;

/** A spoken day or time. Unknown parts are null. */
export interface Moment {
  /** YYYY-MM-DD, from today to one year ahead. */
  date: string | null;
  /** Last day of a range such as "next week". */
  dateEnd: string | null;
  /** HH:MM */
  time: string | null;
  /** At this time or later. */
  isAfter?: true;
  partOfDay: "morning" | "afternoon" | "evening" | null;
  /** "Friday the 21st" when the 21st is a Saturday: ask, never guess. */
  conflict: boolean;
}

export interface Meaning {
  text: string;
  /** Most likely first; several if the callee said several things ("no, another day"). */
  intents: readonly LikelyIntent[];
  /** Index into the current offers, if one was chosen; confidence 0 to 1. */
  choice: { index: number; confidence: number } | null;
  moment: Moment | null;
  /** The spoken key, if the utterance is nothing else and recognition is certain. */
  key?: string | null;
}

/** An offered slot, in branch-local time. */
export interface HeardOffer {
  /** YYYY-MM-DD */
  date: string;
  /** HH:MM */
  startTime: string;
}

export interface Hearing {
  expecting: Expecting;
  /** Current offers, in the order they were played. */
  offers: readonly HeardOffer[];
  /** Branch-local date (YYYY-MM-DD) and time (HH:MM). */
  today: string;
  nowTime: string;
  lastOffered: HeardOffer | null;
  /** BCP 47 tag of the call's language. */
  language: string;
}
