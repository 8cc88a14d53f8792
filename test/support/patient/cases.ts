// Trials of the talking agent: what the patient does on the telephone, and the required result.
import { addDays, instantOf, wallTime, weekdayOf } from "../../../src/core/zones.ts";
import { lineTrials } from "./line-cases.ts";
import type { Reply } from "./patient.ts";
import {
  agreesTo,
  ASKED,
  dayIn,
  DAYS,
  isAsha,
  NO_KEY,
  NOTHING_OF_HEALTH,
  ordinal,
  WHO,
  YES_KEY,
  ZONE,
  type Trial,
} from "./trial.ts";

/** The next Wednesday that is at least a week away, so that nothing nearer is meant; and how people name it. */
function namedDay(nowMs: number): { date: string; words: string } {
  let date = addDays(wallTime(nowMs, ZONE).date, 8);
  while (DAYS[weekdayOf(date)] !== "Wednesday") date = addDays(date, 1);
  const month = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(Date.parse(date));
  return { date, words: `Wednesday the ${ordinal(Number(date.slice(8)))} of ${month}` };
}

export function trials(nowMs = Date.now()): Trial[] {
  return [
    ...answers(),
    ...secondThoughts(),
    ...nearAnswers(),
    ...otherTimes(nowMs),
    ...requests(nowMs),
    ...machines(),
    ...others(),
    ...lineTrials(nowMs),
  ];
}

function answers(): Trial[] {
  return [
    {
      name: "yes",
      about: "appointment",
      replies: [{ to: ASKED.attend, says: "Yes, I will be there.", orPresses: YES_KEY }, isAsha],
      expected: {
        answers: ["confirmed"],
        disposition: "session_ended",
        calendar: "confirmed",
        says: /appointment is confirmed/,
      },
    },
    {
      name: "no, and cancels",
      about: "appointment",
      means: /cancel/i,
      replies: [
        { to: ASKED.cancel, says: "Yes.", orPresses: YES_KEY },
        { to: ASKED.change, says: "No, thank you.", orPresses: NO_KEY },
        { to: ASKED.attend, says: "No, I can't come." },
        isAsha,
      ],
      expected: {
        answers: ["cancelled"],
        disposition: "session_ended",
        calendar: "cancelled",
        says: /appointment is cancelled/,
      },
    },
    {
      name: "interrupts",
      about: "appointment",
      replies: [
        { to: /^$/, says: "Sorry, who is this?", interruptsAfterMs: 700 },
        { to: ASKED.attend, says: "Yes, I will come.", orPresses: YES_KEY },
        isAsha,
      ],
      expected: {
        answers: ["confirmed"],
        disposition: "session_ended",
        calendar: "confirmed",
        says: /appointment is confirmed/,
      },
    },
  ];
}

/** The first time that they are asked this. */
const notBefore = (asked: RegExp) => (_: string, before: readonly string[]) => !before.some((line) => asked.test(line));

/** What is said after a yes, while the agent says goodbye. */
function secondThoughts(): Trial[] {
  const emergency = {
    answers: ["emergency"],
    disposition: "session_ended",
    says: /This may be an emergency/,
  } as const;
  const later = [
    agreesTo("second"),
    { to: ASKED.slot, says: "No, the second one.", orPresses: NO_KEY },
    { to: ASKED.which, says: "The second one, please.", orPresses: "2" },
    { to: ASKED.change, says: "Yes.", orPresses: YES_KEY },
  ];
  return [
    {
      name: "yes, but not on that day",
      about: "appointment",
      means: /another time|was that a no/i,
      replies: [
        ...later,
        {
          to: ASKED.attend,
          when: notBefore(ASKED.attend),
          says: "Yes.",
          thenSays: { afterMs: 800, says: "But I cannot come on that day." },
        },
        { to: ASKED.attend, says: "No, can I have another day?", orPresses: "2" },
        isAsha,
      ],
      expected: {
        answers: ["rescheduled"],
        disposition: "appointment_booked",
        calendar: "moved",
        offer: "second",
        says: /appointment is now on/,
        hears: /that day|not come|can't come/i,
      },
    },
    {
      name: "yes, and chest pain",
      about: "appointment",
      desk: "busy",
      replies: [
        { to: /are you in pain/i, says: "Yes, I have chest pain.", orPresses: YES_KEY },
        {
          to: ASKED.attend,
          says: "Yes, I will come.",
          thenSays: { afterMs: 800, says: "I have chest pain." },
          orPresses: YES_KEY,
        },
        isAsha,
      ],
      expected: { ...emergency, calendar: "confirmed", orCalendar: "unchanged" },
    },
    {
      name: "yes, and hangs up",
      about: "appointment",
      replies: [{ to: ASKED.attend, says: "Yes, I will come.", hangsUp: true, orPresses: YES_KEY }, isAsha],
      expected: {
        answers: ["confirmed"],
        disposition: "session_ended",
        calendar: "confirmed",
        says: /Your appointment is on/,
      },
    },
  ];
}

/** What only looks like an answer, or like a wish to wait: it is asked after, and the rest of the call goes on. */
function nearAnswers(): Trial[] {
  const confirmed = { answers: ["confirmed"], disposition: "session_ended", calendar: "confirmed" } as const;
  const moved = { answers: ["rescheduled"], disposition: "appointment_booked", calendar: "moved" } as const;
  const first = (says: string): Reply => ({ to: ASKED.attend, when: notBefore(ASKED.attend), says });
  const comes: Reply = { to: ASKED.attend, says: "Yes, I will come.", orPresses: YES_KEY };
  const askedAfter = /Was that a yes|did not understand|an automatic call/;
  const another: Reply[] = [
    agreesTo("second"),
    { to: ASKED.slot, says: "No, the second one.", orPresses: NO_KEY },
    { to: ASKED.which, says: "The second one, please.", orPresses: "2" },
    { to: ASKED.change, says: "Yes.", orPresses: YES_KEY },
    { to: ASKED.attend, says: "No, can I have another day?", orPresses: "2" },
  ];
  const about = "appointment" as const;
  return [
    {
      name: "a question with right at its end",
      about,
      replies: [first("You are calling from the hospital, right?"), comes, isAsha],
      expected: { ...confirmed, says: askedAfter },
    },
    {
      name: "yeah right",
      about,
      replies: [first("Yeah right."), comes, isAsha],
      expected: { ...confirmed, says: askedAfter },
    },
    {
      name: "whatever, not known yet",
      about,
      replies: [first("Okay whatever, I do not know yet."), comes, isAsha],
      expected: { ...confirmed, says: askedAfter },
    },
    {
      name: "yes, if",
      about,
      replies: [first("Yes, if my son can drive me."), comes, isAsha],
      expected: { ...confirmed, says: askedAfter },
    },
    {
      name: "wait, another day",
      about,
      replies: [first("Wait, can I have another day?"), ...another, isAsha],
      means: /another time/i,
      expected: { ...moved, offer: "second", says: /appointment is now on/ },
    },
    {
      name: "thanks over the goodbye",
      about,
      replies: [
        {
          to: ASKED.attend,
          says: "Yes, I will come.",
          thenSays: { afterMs: 1_000, says: "Thank you very much, goodbye." },
          orPresses: YES_KEY,
        },
        isAsha,
      ],
      expected: { ...confirmed, says: /appointment is confirmed/ },
    },
    {
      name: "nothing that makes sense, three times",
      about,
      replies: [{ to: ASKED.attend, says: "Purple elephants dance on the ceiling." }, isAsha],
      expected: {
        answers: ["transferred"],
        disposition: "transferred",
        calendar: "unchanged",
        says: /connecting you to a person/,
      },
    },
  ];
}

function otherTimes(nowMs: number): Trial[] {
  const day = namedDay(nowMs);
  const named = ordinal(Number(day.date.slice(8)));
  const wanted = { answers: ["rescheduled"], disposition: "appointment_booked", calendar: "moved" } as const;
  return [
    {
      name: "another day, the second on offer",
      about: "appointment",
      means: /another time/i,
      replies: [
        agreesTo("second"),
        { to: ASKED.slot, says: "No, the second one.", orPresses: NO_KEY },
        { to: ASKED.which, says: "The second one, please.", orPresses: "2" },
        { to: ASKED.change, says: "Yes.", orPresses: YES_KEY },
        { to: ASKED.attend, says: "No, can I have another day?", orPresses: "2" },
        isAsha,
      ],
      expected: { ...wanted, offer: "second", says: /appointment is now on/ },
    },
    {
      name: "a named date",
      about: "appointment",
      means: new RegExp(`another time|Wednesday,? the ${named}`, "i"),
      replies: [
        { to: ASKED.slot, when: (heard) => heard.includes(named), says: "Yes, please.", orPresses: YES_KEY },
        { to: ASKED.slot, says: `No, ${day.words}, please.`, orPresses: NO_KEY },
        { to: new RegExp(`first is Wednesday,? the ${named}`, "i"), says: "The first one.", orPresses: "1" },
        { to: ASKED.which, says: `No, ${day.words}, please.`, orPresses: "0" },
        { to: /which day/i, says: `${day.words}, please.` },
        { to: /do you mean/i, when: (heard) => heard.includes(named), says: "Yes.", orPresses: YES_KEY },
        { to: /do you mean/i, says: `No, ${day.words}.` },
        { to: ASKED.change, says: `Yes, ${day.words}.`, orPresses: YES_KEY },
        { to: ASKED.attend, says: `Can I come on ${day.words} instead?`, orPresses: "2" },
        isAsha,
      ],
      expected: { ...wanted, date: day.date, says: /appointment is now on/ },
    },
    {
      name: "books a new one",
      about: "booking",
      replies: [
        agreesTo("first"),
        { to: ASKED.slot, says: "No, the first one.", orPresses: NO_KEY },
        { to: ASKED.which, says: "The first one, please.", orPresses: "1" },
        { to: ASKED.book, says: "Yes, please.", orPresses: YES_KEY },
        isAsha,
      ],
      expected: {
        answers: ["booked"],
        disposition: "appointment_booked",
        calendar: "booked",
        offer: "first",
        says: /appointment is on/,
      },
    },
  ];
}

function requests(nowMs: number): Trial[] {
  const tomorrow = addDays(wallTime(nowMs, ZONE).date, 1);
  const isTomorrowAtTen = (heard: string) =>
    /\bten\b|\b10\b/i.test(heard) && dayIn(heard) === DAYS[weekdayOf(tomorrow)]?.toLowerCase();
  return [
    {
      name: "call me tomorrow at ten",
      about: "appointment",
      means: /call you later/i,
      replies: [
        { to: ASKED.right, when: isTomorrowAtTen, says: "Yes, that is right.", orPresses: YES_KEY },
        { to: ASKED.right, says: "No, tomorrow at ten in the morning." },
        { to: ASKED.callback, says: "Tomorrow at ten in the morning." },
        { to: ASKED.identity, says: "I am busy now, please call me tomorrow at ten in the morning." },
      ],
      expected: {
        answers: ["call_later"],
        disposition: "callback_scheduled",
        calendar: "unchanged",
        followsUpAt: instantOf(tomorrow, 10 * 60, ZONE),
        says: /We will call you on/,
        neverSays: NOTHING_OF_HEALTH,
      },
    },
    {
      name: "do not call me",
      about: "appointment",
      means: /not to call|never call/i,
      replies: [
        { to: ASKED.callback, says: "No, do not call me again.", orPresses: "9" },
        { to: WHO, says: "Please do not call me again.", orPresses: "9" },
      ],
      expected: {
        answers: ["opted_out"],
        disposition: "not_interested",
        calendar: "unchanged",
        optsOut: true,
        says: /not call this number again/,
        neverSays: NOTHING_OF_HEALTH,
      },
    },
    {
      name: "a person",
      about: "appointment",
      means: /to a person/i,
      replies: [{ to: ASKED.attend, says: "I want to speak to a person.", orPresses: "3" }, isAsha],
      expected: {
        answers: ["transferred"],
        disposition: "transferred",
        calendar: "unchanged",
        says: /hold the line/,
      },
    },
  ];
}

function machines(): Trial[] {
  return [
    {
      name: "silence",
      about: "appointment",
      replies: [],
      expected: {
        answers: ["none"],
        disposition: "session_ended",
        calendar: "unchanged",
        says: /Am I speaking with/,
        isUnanswered: true,
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
        says: /sorry to have missed you/,
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
        { to: /personal message/i, says: "Hello?" },
        { to: ASKED.attend, says: "Yes, I will be there.", orPresses: YES_KEY },
        isAsha,
      ],
      expected: {
        answers: ["confirmed"],
        disposition: "session_ended",
        calendar: "confirmed",
        says: /with a personal message/,
      },
    },
  ];
}

function others(): Trial[] {
  return [
    {
      name: "the wrong person",
      about: "appointment",
      means: /somebody else/i,
      replies: [
        { to: ASKED.fetch, says: "No, she is not at home.", orPresses: NO_KEY },
        { to: ASKED.identity, says: "No, I am her brother.", orPresses: NO_KEY },
      ],
      expected: {
        answers: ["not_reached"],
        disposition: "session_ended",
        calendar: "unchanged",
        says: /for telling us|another time/,
        neverSays: NOTHING_OF_HEALTH,
      },
    },
    {
      name: "a wrong number",
      about: "appointment",
      means: /wrong number|somebody else/i,
      replies: [
        { to: ASKED.fetch, says: "No, you have the wrong number.", orPresses: NO_KEY },
        { to: ASKED.identity, says: "I think you have the wrong number.", orPresses: NO_KEY },
      ],
      expected: {
        answers: ["wrong_number"],
        disposition: "session_ended",
        calendar: "unchanged",
        says: /sorry to have troubled you/,
        neverSays: NOTHING_OF_HEALTH,
      },
    },
  ];
}
