// Finds quoted and hypothetical speech: "pretend that I said yes", "she said yes". A yes or no in it does not count.
import type { Language } from "./language.ts";

/** Position in the output of plain-words.ts. */
export interface Span {
  from: number;
  to: number;
}

/** Recognisers put a full stop before the quotation: "She said. Yes." */
const GOES_ON = / (?:said|says?|saying|that|told you|answered|replied|ki|bola|kaha)$/;

export function notMeantIn(words: string, languages: readonly Language[]): Span[] {
  return languages.flatMap(({ notMeant: { imagined, quoted, quotedBefore } }) => [
    ...Array.from(words.matchAll(imagined), ({ index }) => ({ from: index, to: words.length })),
    ...Array.from(words.matchAll(quoted), ({ index }) => ({ from: index, to: endOf(words, index) })),
    ...(quotedBefore ? Array.from(words.matchAll(quotedBefore), ({ index }) => ({ from: 0, to: index })) : []),
  ]);
}

export const isNotMeant = (from: number, to: number, spans: readonly Span[]): boolean =>
  spans.some((span) => from < span.to && to > span.from);

function endOf(words: string, from: number): number {
  const end = clauseEnd(words, from);
  return GOES_ON.test(words.slice(0, end)) ? clauseEnd(words, end + 2) : end;
}

function clauseEnd(words: string, from: number): number {
  const bar = words.indexOf(" |", from);
  return bar === -1 ? words.length : bar;
}
