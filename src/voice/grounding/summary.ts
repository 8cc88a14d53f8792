// Filters a model's summary. A sentence is kept if it uses a closed reporting vocabulary to repeat what the callee
// said, with the same negation and question form, and does not contradict the outcome.
import { clausesOf, wordsOf, type SaidClause } from "./clauses.ts";
import { inDigits } from "./quoted.ts";

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Reporting words; they carry no content of their own. */
const REPORTING = set(
  `the a an patient patient's contact caller callee person they them their he she his her it its i my me we our you your
   was were is are am be been has have had do does did will to of for from about on in at by with and or that this there here
   said says say asked asks ask wants wanted want would like know whether if question questions mentioned reported reports told
   tells explained thanked hospital agent call called appointment visit answer answered also then who what where when which how why
   can could may might should no not never nothing none without any as so but`,
);
const NEGATED = set("no not never nothing none without cannot");
const REPORTED = set("said says told tells claims claimed thinks thought believes");
const ASKED = set("asked asks ask question questions know whether wondered");

/** Statements of fact, true only for these outcomes. */
const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
  confirmed: ["confirmed"],
  booked: ["booked"],
  rescheduled: ["rescheduled", "moved"],
  cancelled: ["cancelled", "canceled"],
  declined: ["declined"],
  transferred: ["transferred"],
  handed_over: ["transferred"],
};
const CLAIMED = set(
  `confirmed booked rescheduled moved cancelled canceled declined transferred postponed refused agreed accepted consented signed paid
   promised approved authorised authorized registered refunded sent scheduled opted`,
);

export const MOST_SENTENCES = 3;

export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?।])\s+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");

/** The sentences grounded in the callee's words. `outcome` comes from the rules. */
export function groundedSentences(text: string, utterances: readonly string[], outcome: string): string[] {
  const clauses = utterances.flatMap(clausesOf);
  return sentencesOf(text).filter((sentence) => isGrounded(sentence, clauses, OUTCOMES[outcome] ?? []));
}

function isGrounded(sentence: string, clauses: readonly SaidClause[], happened: readonly string[]): boolean {
  // Links, codes and symbols cannot be quotations.
  if (/[^\p{L}\p{M}\p{N}\s.,;:!?'’"()–—-]/u.test(sentence) || /\S{25,}|\w\.\w/u.test(sentence)) return false;
  const words = wordsOf(sentence);
  if (words.some((word) => CLAIMED.has(word) && !happened.includes(word))) return false;
  const parts = sentence.split(/,|;|:|\band\b/u).map(wordsOf);
  const told = parts.map((part) => contentOf(part, happened));
  if (told.every((part) => part.length === 0) && !words.some((word) => happened.includes(word))) return false;
  return parts.every((part, i) => isToldBy(told[i] ?? [], part, words, clauses));
}

const contentOf = (words: readonly string[], happened: readonly string[]): string[] =>
  words.filter((word) => !REPORTING.has(word) && !happened.includes(word));

const stem = (word: string): string => inDigits(word).replace(/(?<=\p{L}{3})(?:ing|ed|es|s|e)$/u, "");

const OTHER_PEOPLE = set("he she they");

/** The source of a reported statement: "they" in "they said I am diabetic". */
function reportersIn({ words }: SaidClause): string[] {
  const reported = words.findIndex((word) => REPORTED.has(word));
  return words.filter((word, at) => OTHER_PEOPLE.has(word) || (at < reported && !/^(?:i|we|the|a|an)$/.test(word)));
}

/** One clause of the callee contains all content words in this order, without other content words between them. */
function isToldBy(
  content: readonly string[],
  part: readonly string[],
  sentence: readonly string[],
  clauses: readonly SaidClause[],
): boolean {
  if (content.length === 0) return true;
  const isNegated = part.some((word) => NEGATED.has(word));
  return clauses.some((clause) => {
    const said = clause.words.map(stem);
    let at = 0;
    for (const word of content) {
      const found = said.indexOf(stem(word), at);
      // "The doctor is bad" does not follow from "the doctor is good and the parking is bad".
      if (found === -1 || (at > 0 && !clause.words.slice(at, found).every((between) => REPORTING.has(between))))
        return false;
      at = found + 1;
    }
    if (clause.isQuestion && !sentence.some((word) => ASKED.has(word))) return false;
    if (!reportersIn(clause).every((word) => part.includes(word))) return false;
    const negations = clause.qualifiers.filter((word) => NEGATED.has(word));
    const others = clause.qualifiers.filter((word) => !NEGATED.has(word));
    return negations.length > 0 === isNegated && others.every((word) => part.includes(word));
  });
}
