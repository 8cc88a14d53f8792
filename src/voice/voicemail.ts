// Whether the words that answered are those of a machine that takes messages.

const PHRASES = [
  /\bleave (?:a|your|me a) message\b/i,
  /\bafter the (?:tone|beep)\b/i,
  /\bvoice ?mail(?:box)?\b/i,
  /\bcannot (?:come to|take) (?:the|your) (?:phone|telephone|call)\b/i,
  /\bbeep ke baad\b|बीप के बाद|संदेश छोड़/iu,
];

export function soundsLikeMachine(words: string): boolean {
  return PHRASES.some((phrase) => phrase.test(words));
}
