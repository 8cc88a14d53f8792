// How long somebody may pause before we take it that they are done: by what was asked, and by how their words end.

/** What was asked for, as far as it decides the pause: a yes or no, something that has parts (a day, a number, a name), or anything. */
export type Asked = "yes_no" | "detail" | "anything";
/** How the words end that were understood so far. */
export interface Ending {
  asked: Asked;
  /** What was asked for is among them. */
  isAnswered: boolean;
  /** The last word, or the punctuation after it, says whether more will come. */
  close: "sentence" | "hanging" | "open";
}

/** Most pauses within a sentence are shorter; longer feels like a bad line. */
const USUAL_MS = 450;
/** The recogniser heard the fall of the voice: it put a full stop. */
const AFTER_SENTENCE_MS = 300;
/** Nobody needs to add to an expected yes. */
const AFTER_YES_OR_NO_MS = 250;
/** People look for a date, and say numbers in groups. */
const FOR_DETAIL_MS = 900;
/** "On Friday and …": they are thinking. */
const AFTER_HANGING_MS = 1_400;
/** Whatever is waited for: a recogniser, or the rest of a sentence. Silence beyond this is taken for a dead line. */
export const LONGEST_PAUSE_MS = 3_000;
/** For elderly people and bad lines: every pause may be longer by this, so that the usual one is 650. */
const UNHURRIED_MS = 200;

export function pauseMs({ asked, isAnswered, close }: Ending, isUnhurried: boolean): number {
  return Math.min(LONGEST_PAUSE_MS, usualPauseMs(asked, isAnswered, close) + (isUnhurried ? UNHURRIED_MS : 0));
}

function usualPauseMs(asked: Asked, isAnswered: boolean, close: Ending["close"]): number {
  if (close === "hanging") return AFTER_HANGING_MS;
  // Whoever named the day may go on to the hour: not as short as after a yes.
  if (asked === "detail") return isAnswered ? USUAL_MS : FOR_DETAIL_MS;
  if (asked === "yes_no" && isAnswered) return AFTER_YES_OR_NO_MS;
  return close === "sentence" ? AFTER_SENTENCE_MS : USUAL_MS;
}

/**
 * Words that nobody ends a sentence with, in English and in Hindi as recognisers write it; "I think so" is one that is over.
 * A full stop after them is the recogniser's, a question mark the callee's.
 */
const HANGING =
  /(?:^|\s)(?:and|or|but|(?<!\b(?:think|hope|guess|believe) )so|because|um+|uh+|er+|hmm+|the|a|an|to|at|on|for|my|is|with|aur|lekin|magar|toh|matlab|woh|और|लेकिन|या|तो)[\s,.…-]*$/iu;
const SENTENCE = /[.?!।]["')\]]*\s*$/u;

export function closeOf(text: string): Ending["close"] {
  if (HANGING.test(text) || /(?:\.{3}|…|,)\s*$/u.test(text)) return "hanging";
  return SENTENCE.test(text) ? "sentence" : "open";
}

/** What people say to show that they listen, or that they are there. While we speak it stops nothing. */
const LISTENING_WORD =
  "(?:m+h+m+|h+m+|m+|uh[ -]?huh|ah|aha|oh|ha+n(?: ji)?|ji|achh?a|theek hai|ok|okay|right|yeah|yep|sure|i see|got it|hello|hi|हाँ|हां|जी|अच्छा|ठीक है|हैलो)";
const BACKCHANNEL = new RegExp(`^${LISTENING_WORD}(?: ${LISTENING_WORD}){0,2}$`, "iu");

export function isBackchannel(text: string): boolean {
  const plain = text
    .replaceAll(/[^\p{L}\p{M}\p{N}\s-]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return plain === "" || BACKCHANNEL.test(plain);
}
