// Endpointing: the pause after which a turn is over, by the question and by how the words end.

/**
 * Kind of answer asked for, as far as it affects the pause: yes or no, a value with parts (day, number, name), or
 * anything.
 */
export type Asked = "yes_no" | "detail" | "anything";
/** How the words recognised so far end. */
export interface Ending {
  asked: Asked;
  /** They contain the answer. */
  isAnswered: boolean;
  /** Whether the last word or its punctuation suggests that more follows. */
  close: "sentence" | "hanging" | "open";
}

/** Most pauses within a sentence are shorter; a longer wait feels like a bad line. */
const USUAL_MS = 450;
/** The recogniser put a full stop, which it derives from falling intonation. */
const AFTER_SENTENCE_MS = 300;
/** An expected yes or no needs no addition. */
const AFTER_YES_OR_NO_MS = 250;
/** Callees look up dates, and say numbers in groups. */
const FOR_DETAIL_MS = 900;
/** "On Friday and …": more follows. */
const AFTER_HANGING_MS = 1_400;
/** Upper bound for recognition and for the rest of a sentence. Callers take longer silence for a dead line. */
export const LONGEST_PAUSE_MS = 3_000;
/** Added to every pause for elderly callees and bad lines; the usual one becomes 650 ms. */
const UNHURRIED_MS = 200;

export function pauseMs({ asked, isAnswered, close }: Ending, isUnhurried: boolean): number {
  return Math.min(LONGEST_PAUSE_MS, usualPauseMs(asked, isAnswered, close) + (isUnhurried ? UNHURRIED_MS : 0));
}

function usualPauseMs(asked: Asked, isAnswered: boolean, close: Ending["close"]): number {
  if (close === "hanging") return AFTER_HANGING_MS;
  // The hour may follow the day, so the pause is longer than after a yes.
  if (asked === "detail") return isAnswered ? USUAL_MS : FOR_DETAIL_MS;
  if (asked === "yes_no" && isAnswered) return AFTER_YES_OR_NO_MS;
  return close === "sentence" ? AFTER_SENTENCE_MS : USUAL_MS;
}

/**
 * Words that do not end a sentence, in English and in romanised Hindi; "I think so" is an exception. A full stop after
 * them comes from the recogniser, a question mark from the callee.
 */
const HANGING =
  /(?:^|\s)(?:and|or|but|(?<!\b(?:think|hope|guess|believe) )so|because|um+|uh+|er+|hmm+|the|a|an|to|at|on|for|my|is|with|aur|lekin|magar|toh|matlab|woh|और|लेकिन|या|तो)[\s,.…-]*$/iu;
const SENTENCE = /[.?!।]["')\]]*\s*$/u;

export function closeOf(text: string): Ending["close"] {
  if (HANGING.test(text) || /(?:\.{3}|…|,)\s*$/u.test(text)) return "hanging";
  return SENTENCE.test(text) ? "sentence" : "open";
}

/** Backchannels: they show attention and do not interrupt. */
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
