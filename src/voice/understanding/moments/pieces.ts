// Pieces of a spoken day or time, before they are assembled.
import { lazily } from "../../../core/lazily.ts";
import type { Hearing } from "../meaning.ts";
import type { DayRange } from "./calendar-days.ts";

export type PartOfDay = "morning" | "afternoon" | "evening";

export type Piece =
  /** One day. `weekday`: its name was said. `isBare`: nothing else was said, so an offer on such a day may be meant. */
  | { kind: "day"; date: string; weekday?: number; isBare?: boolean }
  /** The 21st of any month; a weekday next to it must agree. */
  | { kind: "dayOfMonth"; date: string | null }
  | ({ kind: "range" } & DayRange)
  | { kind: "time"; hour: number; minute: number; half: "am" | "pm" | null }
  | { kind: "part"; part: PartOfDay }
  /** Exact to the minute: "in two hours". */
  | { kind: "instant"; date: string; time: string };

export interface FoundPiece {
  piece: Piece;
  /** Position in the text. */
  at: number;
  end: number;
}

/** Context next to a piece; bounded, so that long texts stay cheap. */
const BESIDE_CHARS = 80;
export const textBefore = (unread: string, at: number) => unread.slice(Math.max(0, at - BESIDE_CHARS), at);
export const textAfter = (unread: string, end: number) => unread.slice(end, end + BESIDE_CHARS);

export interface Reader {
  says: RegExp;
  /**
   * Several pieces if a phrase says several things; null if it means nothing; "unread" if another reader may match it.
   */
  read(said: RegExpExecArray, hearing: Hearing): Piece | readonly Piece[] | "unread" | null;
}

/** Compiles the expression on first use, because compiling all of them would delay every start. */
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
