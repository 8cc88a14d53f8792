// Splits a Hindi text into clauses at commas and full stops. Short clauses start sooner and repeat across calls, so
// they are cached. Clauses are substrings of the text, so that a transcript can tell how far it was heard.

/** About six seconds of speech: longer clauses delay other requests. */
const LONGEST = 90;

/** A full stop after these abbreviations, an initial or a number does not end a sentence. */
const SHORT_FORMS = /(?:^|[\s(])(?:डॉ|श्री|कु|प्रो|नं|रु|Dr|Mr|Mrs|Ms|Prof|Smt|Rs|No|[A-Z]|\p{L}\p{M}*|\d+)\.$/u;

/** Empty for a blank text. In order and trimmed; joined, they are the text. */
export function hindiClauses(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { index, 0: stop } of text.matchAll(/[,;:।॥?!.…]+["')\]’”]*(?=\s|$)/g)) {
    const end = index + stop.length;
    if (stop === "." && SHORT_FORMS.test(text.slice(from, end))) continue;
    pieces.push(text.slice(from, end).trim());
    from = end;
  }
  return [...pieces, text.slice(from).trim()].flatMap(shortened).filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

/** Parts of at most LONGEST: split between words, else anywhere. */
function shortened(piece: string): string[] {
  if (piece.length <= LONGEST) return [piece];
  const space = piece.slice(0, LONGEST).lastIndexOf(" ");
  const at = space > 0 ? space : LONGEST;
  return [piece.slice(0, at).trim(), ...shortened(piece.slice(at).trim())];
}
