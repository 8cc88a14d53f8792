// A text as the built-in voice can read it: words and stops alone, with dates, times, numbers and abbreviations written
// out, cut into sentences.
import { READING_RULES } from "./reading-rules.ts";

/** Long enough for any sentence of a person, short enough to be spoken in under a second of work. */
const LONGEST_SENTENCE = 400;

/** A word marked with how it is said; no rule may touch it. */
const PRONOUNCED = /(\{[^{}|]*\|[^{}|]*\})/;

/** None where there is nothing that it can read, as in a text in another script. */
export function sentencesOf(text: string): string[] {
  return readable(text)
    .split(/(?<=[.!?])\s+/)
    .flatMap((sentence) => cut(sentence.trim()))
    .filter((sentence) => /[a-z]/i.test(sentence));
}

/** What can be said of it, in one piece. */
export function readable(text: string): string {
  return text
    .split(PRONOUNCED)
    .map((part, i) => (i % 2 === 1 ? part : rewritten(part)))
    .join("")
    .trim();
}

function rewritten(text: string): string {
  return READING_RULES.reduce(
    (written, [pattern, said]) =>
      typeof said === "string"
        ? written.replaceAll(pattern, said)
        : written.replaceAll(pattern, (match: string, ...groups: unknown[]) =>
            said(match, ...groups.map((group) => (typeof group === "string" ? group : ""))),
          ),
    // "1½" would become 11/2.
    text.replaceAll(/(?<=\d)(?=[¼½¾⅓⅔])/g, " ").normalize("NFKD"),
  );
}

/** At the last comma that fits, otherwise between words, otherwise anywhere. */
function cut(sentence: string): string[] {
  if (sentence.length <= LONGEST_SENTENCE) return [sentence];
  const head = sentence.slice(0, LONGEST_SENTENCE);
  const at = [head.lastIndexOf(", ") + 1, head.lastIndexOf(" ")].find((found) => found > 0) ?? LONGEST_SENTENCE;
  return [sentence.slice(0, at), ...cut(sentence.slice(at).trim())];
}
