// What the readers of days and times find in a text, before it is put together into one moment.
import { lazily } from "../../../core/lazily.ts";
import type { Hearing } from "../meaning.ts";
import type { DayRange } from "./calendar-days.ts";

export type PartOfDay = "morning" | "afternoon" | "evening";

export type Piece =
  /** One day; `weekday` where its name was said, and `isBare` where nothing else was: an offer on such a day can be meant. */
  | { kind: "day"; date: string; weekday?: number; isBare?: boolean }
  /** The 21st, of whichever month: a weekday beside it must agree. */
  | { kind: "dayOfMonth"; date: string | null }
  | ({ kind: "range" } & DayRange)
  | { kind: "time"; hour: number; minute: number; half: "am" | "pm" | null }
  | { kind: "part"; part: PartOfDay }
  /** Known to the minute: "in two hours". */
  | { kind: "instant"; date: string; time: string };

export interface FoundPiece {
  piece: Piece;
  /** Where it stands in the text. */
  at: number;
  end: number;
}

/** What stands beside a piece and bears on it: no more than a few words, so that long texts stay cheap. */
const BESIDE_CHARS = 80;
export const textBefore = (unread: string, at: number) => unread.slice(Math.max(0, at - BESIDE_CHARS), at);
export const textAfter = (unread: string, end: number) => unread.slice(end, end + BESIDE_CHARS);

export interface Reader {
  says: RegExp;
  /** Several where a phrase says several things; null where it says nothing after all, "unread" where it may be something else. */
  read(said: RegExpExecArray, hearing: Hearing): Piece | readonly Piece[] | "unread" | null;
}

/** The expression is made when something is first heard: all of them together would hold up every start. */
export function readerOf(source: string, read: Reader["read"]): Reader {
  const says = lazily(() => new RegExp(source, "g"));
  return {
    get says() {
      return says();
    },
    read,
  };
}

export const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
export const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
