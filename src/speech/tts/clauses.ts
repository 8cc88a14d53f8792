// A text in the pieces in which it is spoken: a short first one, so that somebody hears something while the rest is made,
// then sentences. The pieces are the text's own, so that a transcript can say how far it was heard.

/** Shorter beginnings ("Yes,") would be over before the next piece is made. */
const SHORTEST_FIRST = 12;
/** What would be left after the first piece; fewer letters are not worth a break of their own. */
const SHORTEST_REST = 8;
/** Shorter sentences are joined with the next: single words sound torn off. */
const SHORTEST = 20;
/** Some twelve seconds of speech: longer pieces hold up other calls' words. */
const LONGEST = 180;

/** A stop after these ends no sentence; nor does one after an initial. */
const SHORT_FORMS =
  /(?:^|[\s(])(?:Dr|Mr|Mrs|Ms|Prof|Smt|St|Sr|Jr|Nr|Rs|Ext|ext|approx|vs|etc|e\.g|i\.e|[A-Z]|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\.$/;

/** None where the text is blank. In order, each trimmed; together they are the text. */
export function clausesOf(text: string): string[] {
  const [first, ...rest] = joinedShort(sentencesIn(text.trim()).flatMap(shortened));
  if (first === undefined) return [];
  return [...firstClause(first), ...rest];
}

/** The parts between stops. */
function sentencesIn(text: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { index, 0: stop } of text.matchAll(/[.!?…]+["')\]’”]*(?=\s)/g)) {
    const end = index + stop.length;
    const next = text.slice(end).trimStart();
    // A small letter goes on with the sentence ("at 10 a.m. on Friday"), and so does a figure after "No.".
    if (/^[a-z]/.test(next) || SHORT_FORMS.test(text.slice(from, end))) continue;
    if (/^\d/.test(next) && /\bNo\.$/.test(text.slice(from, end))) continue;
    sentences.push(text.slice(from, end).trim());
    from = end;
  }
  return [...sentences, text.slice(from).trim()].filter((sentence) => sentence !== "");
}

/** A sentence in parts of at most LONGEST: at the last comma that fits, otherwise between words, otherwise anywhere. */
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

/** Up to the first comma or stop that leaves enough on both sides; figures after it belong to what is before. */
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
