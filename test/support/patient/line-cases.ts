// Trials of what only a real line shows: named times, the first one on the first of a month, the desk in an emergency,
// and calls that come in.
import { addDays, wallTime, weekdayOf } from "../../../src/core/zones.ts";
import type { Reply } from "./patient.ts";
import { ordinal as ordinalWords } from "../../../src/speech/tts/spoken-number.ts";
import { agreesTo, ASKED, DAYS, isAsha, NO_KEY, ordinal, YES_KEY, ZONE, type Expected, type Trial } from "./trial.ts";

export const lineTrials = (nowMs: number): Trial[] => [
  ...namedTimes(nowMs),
  ...firstOfMonth(nowMs),
  ...desks(),
  ...callsIn(),
];

const MOVED = { answers: ["rescheduled"], disposition: "appointment_booked", calendar: "moved" } as const;

/** The next Thursday that is at least five days away, so that nothing nearer is meant. */
function nextThursday(nowMs: number): string {
  let date = addDays(wallTime(nowMs, ZONE).date, 5);
  while (weekdayOf(date) !== 4) date = addDays(date, 1);
  return date;
}

/** As a recogniser may write it: "twenty-sixth". */
const spokenOrdinal = (date: string) => ordinalWords(Number(date.slice(8))).replaceAll(" ", "[ -]");

/** Whether they hear of this very day. */
const isOn = (heard: string, date: string) =>
  new RegExp(DAYS[weekdayOf(date)] ?? "", "i").test(heard) &&
  new RegExp(`${ordinal(Number(date.slice(8)))}|${spokenOrdinal(date)}`, "i").test(heard);

const monthOf = (date: string) =>
  new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(Date.parse(date));

/** The first day of the next month. */
export function nextFirst(today: string): string {
  let date = addDays(today, 1);
  while (!date.endsWith("-01")) date = addDays(date, 1);
  return date;
}

const HALF_PAST_TEN = /half past (?:ten|10)|ten thirty|10[: ]?30/i;

function namedTimes(nowMs: number): Trial[] {
  const thursday = nextThursday(nowMs);
  const day = `the ${ordinal(Number(thursday.slice(8)))}`;
  const isThursdayAtHalfPast = (heard: string) => HALF_PAST_TEN.test(heard) && isOn(heard, thursday);
  const booked = addDays(wallTime(nowMs, ZONE).date, 3);
  const sameDay = `${DAYS[weekdayOf(booked)] ?? ""} the ${ordinal(Number(booked.slice(8)))}`;
  const isSameDayAtHalfPast = (heard: string) => HALF_PAST_TEN.test(heard) && isOn(heard, booked);
  const agrees = (when: (heard: string) => boolean): Reply => ({
    to: ASKED.slot,
    when,
    says: "Yes, please.",
    orPresses: YES_KEY,
  });
  const about = "appointment" as const;
  const times = "several" as const;
  return [
    {
      name: "a named time",
      about,
      times,
      means: /another time|half past ten/i,
      replies: [
        agrees(isThursdayAtHalfPast),
        { to: ASKED.slot, says: `No, Thursday ${day} at ten thirty, please.`, orPresses: NO_KEY },
        { to: ASKED.which, says: `Thursday ${day} at ten thirty, please.`, orPresses: "0" },
        { to: /which day/i, says: `Thursday ${day} at ten thirty, please.` },
        { to: ASKED.change, says: `Yes, Thursday ${day} at ten thirty.`, orPresses: YES_KEY },
        { to: ASKED.attend, says: `Can I come on Thursday ${day} at ten thirty instead?`, orPresses: "2" },
        isAsha,
      ],
      expected: { ...MOVED, date: thursday, startTime: "10:30", says: /appointment is now on/ },
    },
    {
      name: "at half past ten instead",
      about,
      times,
      means: /another time|half past ten/i,
      replies: [
        agrees(isSameDayAtHalfPast),
        { to: ASKED.slot, says: `No, ${sameDay} at half past ten.`, orPresses: NO_KEY },
        { to: ASKED.which, says: `${sameDay} at half past ten, please.`, orPresses: "0" },
        { to: ASKED.change, says: `Yes, ${sameDay} at half past ten.`, orPresses: YES_KEY },
        { to: ASKED.attend, says: "Can I come at half past ten instead?", orPresses: "2" },
        isAsha,
      ],
      expected: {
        ...MOVED,
        date: booked,
        startTime: "10:30",
        says: /appointment is now on/,
      },
    },
    {
      name: "after three",
      about,
      times,
      means: /another time/i,
      replies: [
        {
          to: ASKED.slot,
          when: (heard) => /half past (?:three|3)|3[: ]?30|three thirty/i.test(heard),
          says: "Yes, please.",
          orPresses: YES_KEY,
        },
        { to: ASKED.slot, says: "No, after three in the afternoon.", orPresses: NO_KEY },
        { to: ASKED.which, says: "The first one, please.", orPresses: "1" },
        { to: ASKED.change, says: "Yes, after three in the afternoon.", orPresses: YES_KEY },
        { to: ASKED.attend, says: "Can I come after three in the afternoon instead?", orPresses: "2" },
        isAsha,
      ],
      expected: { ...MOVED, startTime: "15:30", says: /appointment is now on/ },
    },
  ];
}

function firstOfMonth(nowMs: number): Trial[] {
  const first = nextFirst(wallTime(nowMs, ZONE).date);
  const asked = `the first of ${monthOf(first)}`;
  const chooses = (count: "first" | "second"): Trial => ({
    name: `the ${count} one, on the ${count} of a month`,
    about: "booking",
    times: "from_the_first",
    replies: [
      agreesTo(count),
      { to: ASKED.slot, says: `No, the ${count} one.`, orPresses: NO_KEY },
      { to: ASKED.which, says: `The ${count} one.`, orPresses: count === "first" ? "1" : "2" },
      { to: /which day/i, says: `On ${asked}, please.` },
      { to: ASKED.book, says: `Yes, on ${asked}, please.`, orPresses: YES_KEY },
      isAsha,
    ],
    expected: {
      answers: ["booked"],
      disposition: "appointment_booked",
      calendar: "booked",
      offer: count,
      date: count === "first" ? first : addDays(first, 1),
      says: /appointment is on/,
    },
  });
  return [chooses("first"), chooses("second")];
}

/** Whoever is in danger says it again until they are told that a person comes. */
function desks(): Trial[] {
  const cries: Reply[] = [
    { to: /are you in pain/i, says: "Yes, I have chest pain.", orPresses: YES_KEY },
    { to: ASKED.attend, says: "I have chest pain, I need help.", orPresses: "3" },
    isAsha,
  ];
  const alarm = (
    name: string,
    desk: NonNullable<Trial["desk"]>,
    expected: Pick<Expected, "disposition" | "handover" | "says">,
  ): Trial => ({
    name,
    about: "appointment",
    desk,
    replies: cries,
    expected: { answers: ["emergency"], calendar: "unchanged", ...expected },
  });
  return [
    alarm("chest pain, and the desk answers", "answers", {
      disposition: "transferred",
      handover: "connected",
      says: /This may be an emergency/,
    }),
    alarm("chest pain, and the desk is busy", "busy", {
      disposition: "session_ended",
      handover: "busy",
      says: /the line of the hospital is busy/,
    }),
    alarm("chest pain, and the desk does not answer", "rings", {
      disposition: "session_ended",
      handover: "no_answer",
      says: /nobody answered at the hospital/,
    }),
  ];
}

const NAME = "Robert";

function callsIn(): Trial[] {
  return [
    {
      name: "calls in, and books by name",
      about: "call_in",
      replies: [
        { to: /your name is/i, when: (heard) => /rob+ert/i.test(heard), says: "Yes.", orPresses: YES_KEY },
        { to: /your name is/i, says: `No, ${NAME}.`, orPresses: NO_KEY },
        { to: /have your name|your name once/i, says: `My name is ${NAME}.`, orPresses: "0" },
        agreesTo("first"),
        { to: ASKED.slot, says: "No, the first one.", orPresses: NO_KEY },
        { to: ASKED.which, says: "The first one, please.", orPresses: "1" },
        { to: ASKED.book, says: "Yes, please.", orPresses: YES_KEY },
      ],
      expected: {
        answers: ["booked"],
        disposition: "appointment_booked",
        calendar: "booked",
        offer: "first",
        contactName: NAME,
        says: /appointment is on/,
      },
    },
  ];
}
