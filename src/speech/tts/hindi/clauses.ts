// A Hindi text in the pieces in which it is spoken: between commas and stops. Short pieces are heard sooner, and come
// again from call to call. The pieces are the text's own, so that a transcript can say how far it was heard.

/** Some six seconds of speech: a longer piece holds up what others wait for. */
const LONGEST = 90;

/** A stop after these ends no sentence; nor does one after an initial or a figure. */
const SHORT_FORMS = /(?:^|[\s(])(?:डॉ|श्री|कु|प्रो|नं|रु|Dr|Mr|Mrs|Ms|Prof|Smt|Rs|No|[A-Z]|\p{L}\p{M}*|\d+)\.$/u;

/** None where the text is blank. In order, each trimmed; together they are the text. */
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

/** In parts of at most LONGEST: between words, otherwise anywhere. */
function shortened(piece: string): string[] {
  if (piece.length <= LONGEST) return [piece];
  const space = piece.slice(0, LONGEST).lastIndexOf(" ");
  const at = space > 0 ? space : LONGEST;
  return [piece.slice(0, at).trim(), ...shortened(piece.slice(at).trim())];
}
