// Word error rate of a sentence: substitutions, deletions and insertions.
import { readable } from "../src/speech/tts/reading.ts";

/** Spelling variants of the same word. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/\bper cent\b/g, "percent"],
  [/\bgood bye\b/g, "goodbye"],
  [/\bto morrow\b/g, "tomorrow"],
  [/\bcan not\b/g, "cannot"],
  [/\bok\b/g, "okay"],
  [/\b(milli)liters\b/g, "$1litres"],
  [/\bcanceled\b/g, "cancelled"],
  [/\bmri\b/g, "m r i"],
  [/\bopd\b/g, "o p d"],
  [/\boh\b/g, "zero"],
];

/** Both sides in spoken form, so "10:30" and "ten thirty" are equal. */
function wordsOf(text: string): string[] {
  let plain = readable(text.replaceAll("-", " "))
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, "")
    .trim();
  for (const [from, to] of SAME) plain = plain.replaceAll(from, to);
  return plain.split(/\s+/).filter(Boolean);
}

export function wordErrors(said: string, heard: string): { errors: number; words: number } {
  const expected = wordsOf(said);
  return { errors: distance(expected, wordsOf(heard)), words: expected.length };
}

/** Levenshtein distance. */
export function distance(said: readonly string[], heard: readonly string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, at) => at);
  for (const [i, word] of said.entries()) {
    const next = [i + 1];
    for (const [j, other] of heard.entries()) {
      next.push(Math.min((row[j] ?? 0) + (word === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
