// Text normalisation for the English voice: dates, times, numbers and abbreviations are written out, and the text is
// split into sentences.
import { READING_RULES } from "./reading-rules.ts";

/** Long enough for any sentence, short enough to synthesise in under a second. */
const LONGEST_SENTENCE = 400;

/** A word marked with its pronunciation; rules must not change it. */
const PRONOUNCED = /(\{[^{}|]*\|[^{}|]*\})/;

/** Empty if nothing is readable, as in a text in another script. */
export function sentencesOf(text: string): string[] {
  return readable(text)
    .split(/(?<=[.!?])\s+/)
    .flatMap((sentence) => cut(sentence.trim()))
    .filter((sentence) => /[a-z]/i.test(sentence));
}

/** The readable text in one piece. */
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

/** Splits at the last comma that fits, else between words, else anywhere. */
function cut(sentence: string): string[] {
  if (sentence.length <= LONGEST_SENTENCE) return [sentence];
  const head = sentence.slice(0, LONGEST_SENTENCE);
  const at = [head.lastIndexOf(", ") + 1, head.lastIndexOf(" ")].find((found) => found > 0) ?? LONGEST_SENTENCE;
  return [sentence.slice(0, at), ...cut(sentence.slice(at).trim())];
}
