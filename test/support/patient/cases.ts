// What patients do on the telephone, and what must have come of it: the trials of the talking agent.
import { addDays, wallTime, weekdayOf } from "../../../src/core/zones.ts";
import type { Reply } from "./patient.ts";

export interface Trial {
  name: string;
  /** What the call is about: an appointment that exists, or one to be made. */
  about: "appointment" | "booking";
  replies: readonly Reply[];
  atAnswer?: { says: string; thenBeeps?: boolean };
  expected: Expected;
}

export interface Expected {
  /** What the agent says it came to; any of these. */
  answers: readonly string[];
  disposition: string;
  /** What the calendar shows afterwards. `none`: no appointment at all. */
  calendar: "confirmed" | "moved" | "unchanged" | "cancelled" | "change_requested" | "none" | "booked";
  /** The day that it was moved to or booked on, where one was named. */
  date?: string;
  followsUp?: true;
  optsOut?: true;
  transferred?: true;
  /** No word of these may have been said by the agent. */
  neverSays?: RegExp;
}

const ZONE = "Asia/Kolkata";
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The next Wednesday that is at least a week away, so that nothing nearer is meant; and how people name it. */
function namedDay(): { date: string; words: string } {
  let date = addDays(wallTime(Date.now(), ZONE).date, 8);
  while (DAYS[weekdayOf(date)] !== "Wednesday") date = addDays(date, 1);
  const month = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(Date.parse(date));
  return { date, words: `Wednesday the ${ordinal(Number(date.slice(8)))} of ${month}` };
}

const ordinal = (day: number) =>
  `${day}${day % 10 === 1 && day !== 11 ? "st" : day % 10 === 2 && day !== 12 ? "nd" : day % 10 === 3 && day !== 13 ? "rd" : "th"}`;

/** What the agent asks, as a recogniser may have heard it. */
const ASKED = {
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
  unsure: /was that|do you want|not sure that i/i,
} as const;

const isAsha: Reply = { to: ASKED.identity, says: "Yes, this is Asha." };
const agrees: Reply = { to: ASKED.slot, says: "Yes, please." };
const sure: Reply = { to: ASKED.unsure, says: "Yes." };
const NOTHING_OF_HEALTH = /appointment|doctor|clinic visit|hospital visit/i;

export function trials(): Trial[] {
  const day = namedDay();
  return [
    {
      name: "yes",
      about: "appointment",
      replies: [sure, { to: ASKED.attend, says: "Yes, I will be there." }, isAsha],
      expected: { answers: ["confirmed"], disposition: "session_ended", calendar: "confirmed" },
    },
    {
      name: "no, and cancels",
      about: "appointment",
      replies: [
        { to: ASKED.cancel, says: "Yes." },
        { to: ASKED.change, says: "No, thank you." },
        { to: ASKED.attend, says: "No, I can't come." },
        isAsha,
      ],
      expected: { answers: ["cancelled"], disposition: "session_ended", calendar: "cancelled" },
    },
    {
      name: "another day, the second on offer",
      about: "appointment",
      replies: [
        agrees,
        { to: ASKED.which, says: "The second one, please." },
        { to: ASKED.change, says: "Yes." },
        { to: ASKED.attend, says: "No, can I have another day?" },
        isAsha,
      ],
      expected: { answers: ["rescheduled"], disposition: "appointment_booked", calendar: "moved" },
    },
    {
      name: "a named date",
      about: "appointment",
      replies: [
        agrees,
        {
          to: new RegExp(`first is Wednesday,? the ${ordinal(Number(day.date.slice(8)))}`, "i"),
          says: "The first one.",
        },
        { to: ASKED.which, says: `No, ${day.words}, please.` },
        { to: /which day and time/i, says: `${day.words}, please.` },
        { to: ASKED.change, says: `Yes, ${day.words}.` },
        { to: ASKED.attend, says: `Can I come on ${day.words} instead?` },
        isAsha,
      ],
      expected: { answers: ["rescheduled"], disposition: "appointment_booked", calendar: "moved", date: day.date },
    },
    {
      name: "books a new one",
      about: "booking",
      replies: [
        agrees,
        { to: ASKED.which, says: "The first one, please." },
        { to: ASKED.book, says: "Yes, please." },
        isAsha,
      ],
      expected: { answers: ["booked"], disposition: "appointment_booked", calendar: "booked" },
    },
    {
      name: "interrupts",
      about: "appointment",
      replies: [
        { to: /^$/, says: "Sorry, who is this?", interruptsAfterMs: 700 },
        sure,
        { to: ASKED.attend, says: "Yes, I will come." },
        isAsha,
      ],
      expected: { answers: ["confirmed"], disposition: "session_ended", calendar: "confirmed" },
    },
    {
      name: "call me tomorrow at ten",
      about: "appointment",
      replies: [
        { to: ASKED.right, says: "Yes, that is right." },
        { to: ASKED.callback, says: "Tomorrow at ten in the morning." },
        { to: ASKED.identity, says: "I am busy now, please call me tomorrow at ten in the morning." },
      ],
      expected: {
        answers: ["call_later"],
        disposition: "callback_scheduled",
        calendar: "unchanged",
        followsUp: true,
        neverSays: NOTHING_OF_HEALTH,
      },
    },
    {
      name: "do not call me",
      about: "appointment",
      replies: [sure, { to: ASKED.identity, says: "Please do not call me again." }],
      expected: { answers: ["opted_out"], disposition: "not_interested", calendar: "unchanged", optsOut: true },
    },
    {
      name: "a person",
      about: "appointment",
      replies: [sure, { to: ASKED.attend, says: "I want to speak to a person." }, isAsha],
      expected: { answers: ["transferred"], disposition: "transferred", calendar: "unchanged", transferred: true },
    },
    {
      name: "silence",
      about: "appointment",
      replies: [],
      expected: {
        answers: ["none"],
        disposition: "session_ended",
        calendar: "unchanged",
        neverSays: NOTHING_OF_HEALTH,
      },
    },
    {
      name: "a voicemail",
      about: "appointment",
      atAnswer: {
        says: "Hello. I cannot come to the phone right now. Please leave a message after the tone.",
        thenBeeps: true,
      },
      replies: [],
      expected: {
        answers: ["message_left", "machine_answered"],
        disposition: "voicemail",
        calendar: "unchanged",
        neverSays: NOTHING_OF_HEALTH,
      },
    },
    {
      name: "a robot that screens calls",
      about: "appointment",
      atAnswer: {
        says: "Hi. The person you are calling is using a screening service. Please say your name and why you are calling.",
      },
      replies: [
        sure,
        { to: /personal message/i, says: "Hello?" },
        { to: ASKED.attend, says: "Yes, I will be there." },
        isAsha,
      ],
      expected: { answers: ["confirmed"], disposition: "session_ended", calendar: "confirmed" },
    },
    {
      name: "the wrong person",
      about: "appointment",
      replies: [
        { to: ASKED.fetch, says: "No, she is not at home." },
        { to: ASKED.identity, says: "No, I am her brother." },
      ],
      expected: {
        answers: ["not_reached"],
        disposition: "session_ended",
        calendar: "unchanged",
        neverSays: NOTHING_OF_HEALTH,
      },
    },
    {
      name: "a wrong number",
      about: "appointment",
      replies: [sure, { to: ASKED.identity, says: "I think you have the wrong number." }],
      expected: {
        answers: ["wrong_number"],
        disposition: "session_ended",
        calendar: "unchanged",
        neverSays: NOTHING_OF_HEALTH,
      },
    },
  ];
}
