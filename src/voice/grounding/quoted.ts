// Whether a text is the callee's own: a run of words that they said, with the negation, question or condition it stood in.
import { clausesOf, isNegation, wordsOf, type SaidClause } from "./clauses.ts";

/** Figures and counted words are the same: "four" and "4". */
const COUNTED = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
export const inDigits = (word: string): string => (COUNTED.includes(word) ? String(COUNTED.indexOf(word)) : word);

interface Placed {
  word: string;
  clause: number;
}

/** "Diabetic" is not quoted from "I am not diabetic", nor from "Am I diabetic?", nor from "diabetic, no". */
export function isQuoted(value: string, utterance: string): boolean {
  const wanted = wordsOf(value).map(inDigits);
  if (wanted.length === 0) return false;
  const clauses = clausesOf(utterance);
  const said = clauses.flatMap(({ words }, clause) => words.map((word): Placed => ({ word: inDigits(word), clause })));
  for (let at = 0; at + wanted.length <= said.length; at++) {
    const run = said.slice(at, at + wanted.length);
    if (run.every(({ word }, i) => word === wanted[i]) && isWhole(run, clauses, value)) return true;
  }
  return false;
}

function isWhole(run: readonly Placed[], clauses: readonly SaidClause[], value: string): boolean {
  const touched = [...new Set(run.map(({ clause }) => clause))];
  const isFit = touched.every((index) => {
    const clause = clauses[index];
    if (!clause) return false;
    const taken = run.filter((each) => each.clause === index).map(({ word }) => word);
    if (clause.isQuestion && (taken.length < clause.words.length || !value.trim().endsWith("?"))) return false;
    return clause.qualifiers.every((word) => taken.includes(inDigits(word)));
  });
  const next = clauses[(touched.at(-1) ?? 0) + 1];
  const isTakenBack = next !== undefined && next.words.length <= 2 && next.words.some(isNegation);
  return isFit && !isTakenBack;
}

/** A number that they said and took nothing back of. */
export function isNumberSaid(value: number, utterance: string): boolean {
  return isQuoted(String(value), utterance);
}
