// What a keypad call will say, before it is made: for a voice that takes longer to make words than to say them.
import type { RecordedKind } from "../../payloads/recorded-words.ts";
import type { AgentBrief, SlotOffer } from "../port.ts";
import { keypadWordsIn } from "./lines/languages.ts";
import { MOST_OFFERS } from "./keypad-steps.ts";
import type { Choices, KeypadWords, SpokenLine } from "./words.ts";

const BOTH = [true, false] as const;

/** Whether there is an appointment is found out once the phone rings. */
const menus = (words: KeypadWords, choices: Omit<Choices, "hasAppointment">): SpokenLine[] =>
  BOTH.map((hasAppointment) => words.menu({ ...choices, hasAppointment }));

/** What most calls come to; the rest is made while they talk, or was made as stock long ago. */
export function likelyLines(
  brief: Pick<AgentBrief, "language" | "greeting" | "agentName" | "transferTo">,
  isRecorded: (kind: RecordedKind) => boolean,
): SpokenLine[] {
  const words = keypadWordsIn(brief.language);
  const canTransfer = brief.transferTo !== null;
  return [
    words.greeting(brief),
    ...menus(words, { canBook: true, canTransfer, isOutbound: true }),
    words.confirmed,
    words.changeRequested,
    ...(canTransfer ? [words.transfer] : []),
    words.goodbye,
  ].filter(({ recorded }) => recorded === null || !isRecorded(recorded));
}

/** Days and times of the next offers, whoever gets them. */
export interface StockTimes {
  /** YYYY-MM-DD. */
  days: readonly string[];
  /** HH:MM. */
  times: readonly string[];
}

/** What agents say on every call, and the days and times that they name: nothing about any person. The likeliest first. */
export function stockLines(
  agent: { language: string; name: string; greeting: string },
  { days, times }: StockTimes,
): SpokenLine[] {
  const words = keypadWordsIn(agent.language);
  const brief = { greeting: agent.greeting, agentName: agent.name };
  const slot = { date: days[0] ?? "", startTime: times[0] ?? "" };
  const offered = (each: Partial<Pick<SlotOffer, "date" | "startTime">>) => words.offer("1", { ...slot, ...each });
  return [
    words.greeting(brief),
    ...menus(words, { canBook: true, canTransfer: true, isOutbound: true }),
    ...Object.values(words).filter((line: KeypadWords[keyof KeypadWords]) => typeof line !== "function"),
    words.message(brief),
    words.appointment(slot),
    words.rescheduled(slot),
    words.booked(slot),
    words.place(slot),
    ...Array.from({ length: MOST_OFFERS }, (_, i) => words.offer(String(i + 1), slot)),
    ...days.map((date) => offered({ date })),
    ...times.map((startTime) => offered({ startTime })),
  ];
}
