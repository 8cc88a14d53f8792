// Types of a trial: the patient's behaviour, the required result, and reactions to questions.
import type { Reply } from "./patient.ts";

export interface Trial {
  name: string;
  /** What the call is about: an appointment that exists, or one to be made. */
  about: "appointment" | "booking" | "call_in";
  /** Where times are open; once a day, at nine, unless it is told. */
  times?: "several" | "from_the_first";
  /** The desk's behaviour when an emergency is transferred to it; by default it does not answer. */
  desk?: "answers" | "busy" | "rings";
  replies: readonly Reply[];
  atAnswer?: { says: string; thenBeeps?: boolean };
  /** What they would agree to, where the agent is not sure of it. */
  means?: RegExp;
  expected: Expected;
}

export interface Expected {
  /** What the agent says it came to; any of these. */
  answers: readonly string[];
  disposition: string;
  /** What the calendar shows afterwards. `none`: no appointment at all. */
  calendar: "confirmed" | "moved" | "unchanged" | "cancelled" | "change_requested" | "none" | "booked";
  /** It may show this as well. */
  orCalendar?: Expected["calendar"];
  /** The day that it was moved to or booked on, where one was named. */
  date?: string;
  /** And the time. */
  startTime?: string;
  /** The name that the appointment carries. */
  contactName?: string;
  /** Of an emergency: what became of handing it over. */
  handover?: string;
  /** Which of the times on offer it was moved to or booked on: "second". */
  offer?: string;
  /** When they are called again. */
  followsUpAt?: number;
  optsOut?: true;
  /** Among the agent's words. */
  says: RegExp;
  /** Nobody said a word to it. */
  isUnanswered?: true;
  /** Among the patient's words. */
  hears?: RegExp;
  /** No word of these may have been said by the agent. */
  neverSays?: RegExp;
}

export const ZONE = "Asia/Kolkata";
export const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

export const ordinal = (day: number) =>
  `${day}${day % 10 === 1 && day !== 11 ? "st" : day % 10 === 2 && day !== 12 ? "nd" : day % 10 === 3 && day !== 13 ? "rd" : "th"}`;

/** What the agent asks, as a recogniser may have heard it. */
export const ASKED = {
  identity: /speaking with|am i speaking|to asha|with asha/i,
  attend: /will you come|you come\b|appointment is on/i,
  book: /book an appointment|like to book/i,
  change: /like another time/i,
  which: /which one|one suits|suits you/i,
  slot: /book it|shall i book/i,
  callback: /when shall we|call you again\?/i,
  right: /is that right|that right/i,
  cancel: /shall i cancel|cancel your/i,
  fetch: /come to the phone/i,
} as const;

export const YES_KEY = "1";
export const NO_KEY = "2";

/** Whoever was misheard is asked whether Asha can come to the phone, and says it again. */
export const WHO = new RegExp(`${ASKED.identity.source}|${ASKED.fetch.source}`, "i");

export const isAsha: Reply = { to: WHO, says: "Yes, this is Asha.", orPresses: YES_KEY };
export const NOTHING_OF_HEALTH = /appointment|doctor|clinic visit|hospital visit/i;

export const dayIn = (text = "") => new RegExp(DAYS.join("|"), "i").exec(text)?.[0].toLowerCase();

/** They agree to what they chose, and to nothing else. */
export function agreesTo(count: "first" | "second"): Reply {
  return {
    to: ASKED.slot,
    when: (heard, before) => {
      const offered = before.findLast((line) => ASKED.which.test(line))?.split(new RegExp(`${count} is`, "i"))[1];
      return offered === undefined || dayIn(offered) === undefined || dayIn(heard) === dayIn(offered);
    },
    says: "Yes, please.",
    orPresses: YES_KEY,
  };
}
