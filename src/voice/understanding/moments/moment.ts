// Assembles the spoken day and time from their pieces.
import type { Hearing, Moment } from "../meaning.ts";
import { clockText, minuteOfDay } from "./clock-readers.ts";
import { findPieces } from "./find-pieces.ts";
import { type FoundPiece, type PartOfDay, type Piece, textBefore } from "./pieces.ts";
import { saidDay } from "./said-days.ts";

export interface SaidMoment {
  moment: Moment;
  /** 0 is Sunday. Set if only a weekday was named, which may refer to an offer. */
  bareWeekday: number | null;
}

type TimePiece = Extract<Piece, { kind: "time" }>;

/** Without am or pm, an hour falls within usual clinic hours: 8 to 12, 1 to 7. */
const FIRST_MORNING_HOUR = 8;
/** Callbacks are placed from 8 to 21. */
const LAST_CALL_MINUTE = 21 * 60;

const BEFORE_IT = / (?:before|earlier than)(?: about| around)?$/;
const AFTER_IT = / (?:after|later than|past|not before|from)(?: about| around)?$/;
const NOT_BEFORE_IT = / not(?: [a-z]+){0,3} before$/;

/** `words`: output of plain-words.ts, in English. Null without a day or time. */
export function momentOf(words: string, hearing: Hearing): SaidMoment | null {
  const { pieces, unread } = findPieces(words, hearing);
  if (pieces.length === 0) return null;
  const day = saidDay(pieces, unread, hearing.today);
  const hasConflict = day === "conflict";
  const known = hasConflict ? null : day;
  const part = onlyOne(pieces.flatMap(({ piece }) => (piece.kind === "part" ? [piece.part] : [])));
  const { time, impliedPart, isAfter } = saidTime(pieces, unread, part, known?.from ?? null, hearing);
  const partOfDay = part ?? impliedPart;
  if (!hasConflict && !known && time === null && partOfDay === null) return null;
  const isOver = known?.from === hearing.today && known.to === null && time !== null && time <= hearing.nowTime;
  const moment: Moment = {
    date: known?.from ?? null,
    dateEnd: known?.to ?? null,
    time,
    partOfDay,
    conflict: hasConflict || isOver,
    ...(isAfter && { isAfter }),
  };
  return { moment, bareWeekday: known?.bareWeekday ?? null };
}

interface SaidTime {
  time: string | null;
  impliedPart: PartOfDay | null;
  isAfter?: true;
}

function saidTime(
  pieces: readonly FoundPiece[],
  unread: string,
  part: PartOfDay | null,
  date: string | null,
  hearing: Hearing,
): SaidTime {
  const times: string[] = [];
  let isAfter = false;
  for (const { piece, at } of pieces) {
    if (piece.kind === "instant") times.push(piece.time);
    if (piece.kind !== "time") continue;
    const time = clockText(minuteMeant(piece, part, date, hearing));
    const before = textBefore(unread, at);
    const isLimit = BEFORE_IT.test(before) && !NOT_BEFORE_IT.test(before);
    if (isLimit) return { time: null, impliedPart: time <= "12:00" ? "morning" : null };
    isAfter ||= AFTER_IT.test(before) || NOT_BEFORE_IT.test(before);
    times.push(time);
  }
  const different = [...new Set(times)];
  const [first = null] = different;
  if (different.length < 2) return { time: first, impliedPart: null, ...(isAfter && { isAfter }) };
  // "Ten or eleven": no time, but the part of the day they share.
  return { time: null, impliedPart: onlyOne([...new Set(different.map(partOf))]) };
}

/** Resolves am or pm; in minutes of the day. */
function minuteMeant(
  { hour, minute, half }: TimePiece,
  part: PartOfDay | null,
  date: string | null,
  hearing: Hearing,
): number {
  const onTheFace = (hour % 12) * 60 + minute;
  const [early, late] = [onTheFace, onTheFace + 720];
  if (hour > 12 || hour === 0) return hour * 60 + minute;
  if (half) return half === "am" ? early : late;
  if (part === "morning") return hour === 12 ? late : early;
  if (part === "afternoon") return hour >= FIRST_MORNING_HOUR && hour < 12 ? early : late;
  if (part === "evening") return late;
  const offered = [early, late].filter((time) => hearing.offers.some(({ startTime }) => startTime === clockText(time)));
  if (offered.length === 1 && offered[0] !== undefined) return offered[0];
  const usual = hour >= FIRST_MORNING_HOUR && hour < 12 ? early : late;
  const isToday = date === hearing.today || (date === null && hearing.expecting === "callback_time");
  const isOver = isToday && usual <= minuteOfDay(hearing.nowTime);
  return isOver && late > minuteOfDay(hearing.nowTime) && late <= LAST_CALL_MINUTE ? late : usual;
}

export function partOf(time: string): PartOfDay {
  if (time < "12:00") return "morning";
  return time < "17:00" ? "afternoon" : "evening";
}

/** Null if there is none, or if several differ. */
function onlyOne<Value>(values: readonly Value[]): Value | null {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : null;
}
