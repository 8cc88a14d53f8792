// Checks that a text quotes the callee: a run of spoken words, outside any negation, question or condition that changes
// it.
import { clausesOf, isNegation, wordsOf, type SaidClause } from "./clauses.ts";

/** Digits and number words are equal: "four" and "4". */
const COUNTED = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
export const inDigits = (word: string): string => (COUNTED.includes(word) ? String(COUNTED.indexOf(word)) : word);

interface Placed {
  word: string;
  clause: number;
}

/** "Diabetic" is not quoted from "I am not diabetic", "Am I diabetic?" or "diabetic, no". */
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

/** A number that the callee said and did not take back. */
export function isNumberSaid(value: number, utterance: string): boolean {
  return isQuoted(String(value), utterance);
}
