// What somebody on the phone meant, as the conversation reads it (understand.ts finds it out).

export type Intent =
  | "yes"
  | "no"
  | "another_time"
  | "cancel_appointment"
  | "who_is_this"
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
  /** It sounds like a cry for help, and may be none. */
  | "alarm_like"
  | "hold_on"
  | "thanks_or_bye"
  | "backchannel"
  | "machine"
  | "screening"
  | "child_or_relative";

/** What the agent has just asked: decides how an answer is read, and how long to wait for its end. */
export type Expecting = "identity" | "yes_no" | "choice" | "day_or_time" | "callback_time" | "name" | "anything";

/** 0.9 and more: said in plain words. 0.5 to 0.7: likely, worth asking back. */
export interface LikelyIntent {
  intent: Intent;
  /** 0 to 1. */
  confidence: number;
  /** The words themselves hold it back: "Yes, if my son can drive me." To say them again makes it no surer. */
  isHedged?: true;
}

/** Of a word of danger that was said; what only the sound, or another reading of it, suggests is worth less. */
export const SAID_NEAR = 0.65;

/** A day or a time that was said. What was not said is null. */
export interface Moment {
  /** YYYY-MM-DD, today or later and within a year. */
  date: string | null;
  /** The last day of a range such as "next week". */
  dateEnd: string | null;
  /** HH:MM */
  time: string | null;
  /** That time or later. */
  isAfter?: true;
  partOfDay: "morning" | "afternoon" | "evening" | null;
  /** "Friday the 21st" where the 21st is a Saturday: ask, never guess. */
  conflict: boolean;
}

export interface Meaning {
  text: string;
  /** Most likely first; several where the callee said several things ("no, another day"). */
  intents: readonly LikelyIntent[];
  /** Index into the offers on the table, where one was chosen; confidence 0 to 1. */
  choice: { index: number; confidence: number } | null;
  moment: Moment | null;
  /** The key that was said and nothing else, where the recogniser was sure of it. */
  key?: string | null;
}

/** A place as the callee heard of it, in the branch's own time. */
export interface HeardOffer {
  /** YYYY-MM-DD */
  date: string;
  /** HH:MM */
  startTime: string;
}

export interface Hearing {
  expecting: Expecting;
  /** Offers on the table, in the order they were told. */
  offers: readonly HeardOffer[];
  /** The branch's today (YYYY-MM-DD) and clock time (HH:MM). */
  today: string;
  nowTime: string;
  lastOffered: HeardOffer | null;
  /** BCP 47: what the agent speaks on this call. */
  language: string;
}
