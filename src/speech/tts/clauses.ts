// Splits a text into clauses for synthesis: a short first one, so that playback starts while the rest is generated,
// then sentences. Clauses are substrings of the text, so that a transcript can tell how far it was heard.

/** Shorter openings ("Yes,") would end before the next clause is ready. */
const SHORTEST_FIRST = 12;
/** Minimum length of the rest after the first clause; less is not worth a break. */
const SHORTEST_REST = 8;
/** Shorter sentences are joined with the next one: isolated words sound clipped. */
const SHORTEST = 20;
/** About twelve seconds of speech: longer clauses delay other calls. */
const LONGEST = 180;

/** A full stop after these abbreviations, or after an initial, does not end a sentence. */
const SHORT_FORMS =
  /(?:^|[\s(])(?:Dr|Mr|Mrs|Ms|Prof|Smt|St|Sr|Jr|Nr|Rs|Ext|ext|approx|vs|etc|e\.g|i\.e|[A-Z]|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\.$/;

/** Empty for a blank text. In order and trimmed; joined, they are the text. */
export function clausesOf(text: string): string[] {
  const [first, ...rest] = joinedShort(sentencesIn(text.trim()).flatMap(shortened));
  if (first === undefined) return [];
  return [...firstClause(first), ...rest];
}

/** Splits at full stops. */
function sentencesIn(text: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { index, 0: stop } of text.matchAll(/[.!?…]+["')\]’”]*(?=\s)/g)) {
    const end = index + stop.length;
    const next = text.slice(end).trimStart();
    // A lower-case letter continues the sentence ("at 10 a.m. on Friday"), and so does a number after "No.".
    if (/^[a-z]/.test(next) || SHORT_FORMS.test(text.slice(from, end))) continue;
    if (/^\d/.test(next) && /\bNo\.$/.test(text.slice(from, end))) continue;
    sentences.push(text.slice(from, end).trim());
    from = end;
  }
  return [...sentences, text.slice(from).trim()].filter((sentence) => sentence !== "");
}

/** Splits a sentence into parts of at most LONGEST: at the last comma that fits, else between words, else anywhere. */
function shortened(sentence: string): string[] {
  if (sentence.length <= LONGEST) return [sentence];
  const head = sentence.slice(0, LONGEST);
  const comma = [...head.matchAll(/[,;:](?=\s)/g)].at(-1);
  const at =
    comma && comma.index >= SHORTEST ? comma.index + 1 : head.lastIndexOf(" ") > 0 ? head.lastIndexOf(" ") : LONGEST;
  return [sentence.slice(0, at).trim(), ...shortened(sentence.slice(at).trim())];
}

function joinedShort(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const last = joined.at(-1);
    const isShort = last !== undefined && last.length < SHORTEST;
    if (isShort && last.length + 1 + sentence.length <= LONGEST) joined[joined.length - 1] = `${last} ${sentence}`;
    else joined.push(sentence);
  }
  return joined;
}

/**
 * Cuts at the first comma or full stop that leaves enough on both sides; a number after it stays with the words before.
 */
function firstClause(sentence: string): string[] {
  for (const { index, 0: stop } of sentence.matchAll(/[,;:](?=\s+[^\s\d])|[.!?]+(?=\s+[A-Z])/g)) {
    const at = index + stop.length;
    if (at < SHORTEST_FIRST || SHORT_FORMS.test(sentence.slice(0, at))) continue;
    const rest = sentence.slice(at).trim();
    if (rest.length < SHORTEST_REST) break;
    return [sentence.slice(0, at), rest];
  }
  return [sentence];
}
