// Reads days and times from a text, and drops those said not to suit.
import type { Hearing } from "../meaning.ts";
import { readSpan } from "../patterns.ts";
import { CLOCK_READERS } from "./clock-readers.ts";
import { DAY_READERS } from "./day-readers.ts";
import { writeNumbers } from "./numbers.ts";
import { type FoundPiece, type Reader, textAfter, textBefore } from "./pieces.ts";

export interface Found {
  /** The text with digits, and "~" in place of consumed words. */
  unread: string;
  /** In spoken order. */
  pieces: FoundPiece[];
}

/** "Friday, the 21st" is one day: a pause within a date has no meaning. */
const PAUSE_IN_DATE =
  /(?<=(?:day|morning|afternoon|evening|week|month|\d|st|nd|rd|th|ber|ary|pril|une|uly|ust|tomorrow)) \|(?= (?:(?:on|at|the|of|in|around) )*(?:\d|january|february|april|june|july|august|september|october|november|december|am |pm |morning|afternoon|evening|half|quarter|noon|oclock))/g;

/** "I can't come on …", "not …", "… than"; "not before" and "why not" mean the opposite. */
const DENIED_BEFORE =
  /(?: (?:not|never|busy|unable|except|travelling|traveling|away|out of (?:town|station)|instead of|rather than|apart from|(?:anything|any day|any time|every day|everything) but))(?: (?!but(?: |$)|mind|before|until|till|sure|problem|why|if|think)[a-z]+){0,4}$/;
const NOT_DENIED = /(?: why not| not (?:before|until|till|mind|a problem|bad))(?: [a-z]+){0,2}$/;
const DENIED_AFTER =
  /^(?: i| we| it| that)?(?: is| are| am| will| would| does| do| can| could| have)* (?:not(?! (?:a problem|bad|an issue))|busy|too (?:early|late|soon|far)|no good|bad|difficult|impossible|working|out of (?:town|station)|travelling|traveling|away)(?= )/;
const SAME_BREATH = /^(?: (?:or|and|nor|on|at|in|the))+$/;

export function findPieces(words: string, hearing: Hearing): Found {
  const found: Found = { unread: writeNumbers(words).replace(PAUSE_IN_DATE, ""), pieces: [] };
  for (const reader of [...DAY_READERS, ...CLOCK_READERS]) read(reader, found, hearing);
  const inOrder = found.pieces.toSorted((a, b) => a.at - b.at);
  return { unread: found.unread, pieces: withoutDenied(inOrder, found.unread) };
}

function read({ says, read }: Reader, found: Found, hearing: Hearing): void {
  for (const match of found.unread.matchAll(says)) {
    const at = match.index;
    const end = at + match[0].length;
    const pieces = read(match, hearing) ?? [];
    if (pieces === "unread") continue;
    found.unread = found.unread.slice(0, at) + readSpan(match[0]) + found.unread.slice(end);
    for (const piece of [pieces].flat()) found.pieces.push({ piece, at, end });
  }
}

function withoutDenied(pieces: readonly FoundPiece[], unread: string): FoundPiece[] {
  const kept: FoundPiece[] = [];
  let denied: FoundPiece | null = null;
  for (const found of pieces) {
    if (isDenied(found, unread) || (denied && isSameBreath(denied, found, unread))) denied = found;
    else kept.push(found);
  }
  return kept;
}

function isDenied({ at, end }: FoundPiece, unread: string): boolean {
  const before = textBefore(unread, at);
  return (DENIED_BEFORE.test(before) && !NOT_DENIED.test(before)) || DENIED_AFTER.test(textAfter(unread, end));
}

/** "Not on Thursday or Friday" and "not Thursday morning" deny both parts; "not today, Thursday" names another day. */
function isSameBreath(denied: FoundPiece, { piece, at }: FoundPiece, unread: string): boolean {
  const between = unread.slice(denied.end, at);
  const isOfTime = piece.kind === "time" || piece.kind === "part";
  return between === "" ? isOfTime && denied.piece.kind !== piece.kind : SAME_BREATH.test(between);
}
